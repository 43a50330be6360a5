/** Clients read different ones of these variables. */
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

const LOCAL = '127.0.0.1,localhost,::1'

/** The variable that sends the requests of a command through a proxy. */
export const findProxy = (env: NodeJS.ProcessEnv): string | undefined =>
  PROXIES.find((name) => env[name])

/** No proxy of a network reaches the sandbox on this machine. */
export const bypassProxy = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  if (findProxy(env) === undefined) return env
  const { NO_PROXY = env.no_proxy, no_proxy = NO_PROXY } = env
  return { ...env, NO_PROXY: withLocal(NO_PROXY), no_proxy: withLocal(no_proxy) }
}

/** An asterisk counts only alone. */
const withLocal = (hosts = ''): string =>
  hosts.trim() === '*' ? hosts : [hosts, LOCAL].filter((it) => it.trim() !== '').join(',')
