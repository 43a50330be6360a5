import { join } from 'node:path'
import type { Sandbox } from '../index.js'
import { createSandbox } from '../index.js'
import { exchangeLog } from '../log.js'
import { DEMO_KEY, type StartOptions } from './start-flags.js'

/** Starts a sandbox, says so, and closes it on SIGINT and SIGTERM. */
export const start = async (options: StartOptions): Promise<void> => {
  const log = exchangeLog(options.log)
  const sandbox = await createSandbox({ ...options.sandbox, ...(log && { log }) })
  const { url } = await sandbox.listen({ port: options.port, host: options.host })
  process.stdout.write(banner(url, sandbox, options))
  let closing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal does not wait for requests in flight.
      if (closing) process.exit(1)
      closing = true
      sandbox.close().then(() => process.exit(0))
    })
  }
}

const banner = (url: string, sandbox: Sandbox, options: StartOptions): string => {
  const { fixtures, apiKey, controlToken } = options.sandbox
  const key = apiKey ?? (fixtures ? undefined : DEMO_KEY)
  const token = controlToken ? ` -H 'authorization: Bearer ${controlToken}'` : ''
  const lines = [
    `sandramp listening on ${url}`,
    '',
    `  reference   ${url}/reference`,
    `  API key     ${key ?? `one of ${join(fixtures ?? '', 'api-keys.json')}`}`,
    `  seed        ${sandbox.seed}`,
    ...(options.tokenMade ? [`  control     ${controlToken} (bearer token of /_sandbox)`] : []),
    '',
    '  Try next:',
    ...(key ? [`    curl -H 'x-api-key: ${key}' ${url}/onboarding/api/v1/users/all`] : []),
    `    curl${token} ${url}/_sandbox/transfers`,
    '',
  ]
  return `${lines.join('\n')}\n`
}
