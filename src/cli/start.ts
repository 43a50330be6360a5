import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Listener } from '../http/server.js'
import { createSandbox, type Sandbox } from '../index.js'
import { machineClock } from '../lib/machine-clock.js'
import { DEMO_KEY, lastFour } from '../lib/secrets.js'
import { shellQuote } from '../lib/shell-quote.js'
import { createRequestLogger } from './access-log.js'
import { listenAt } from './listen.js'
import { ENDING_SIGNALS } from './signals.js'
import type { StartOptions } from './start-flags.js'

/** Signals this close are one: what signals a process may signal its group as well, as `timeout` does. */
const ONE_SIGNAL_MS = 500

/** Starts a sandbox, says so, and closes it on signals. */
export const start = async (options: StartOptions): Promise<void> => {
  const log = createRequestLogger(options.log)
  const sandbox = await createSandbox({ ...options.sandbox, ...(log && { log }) })
  const { port, host, tls = false } = options
  const listener = await listenAt(sandbox, { port, host, tls })
  let closingSince: number | undefined
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      if (closingSince === undefined) {
        closingSince = machineClock()
        sandbox.close().then(() => process.exit(0))
        return
      }
      // A second signal does not wait for requests in flight. A terminal may say twice that it goes.
      const isSecond = machineClock() - closingSince > ONE_SIGNAL_MS
      if (isSecond && signal !== 'SIGHUP') process.exit(1)
    })
  }
  // Whoever reads the log may end before the sandbox does, which others may still be at.
  process.stdout.on('error', () => {})
  // Whoever reads that it listens may end it at once.
  process.stdout.write(banner(listener, sandbox, options))
}

/** Standard output may be kept, as that of containers and of builds is: a secret that was given is not told there. */
const banner = (listener: Listener, sandbox: Sandbox, options: StartOptions): string => {
  const { url, certificate } = listener
  const curl = certificate === undefined ? 'curl' : `curl --cacert ${shellQuote(certificate)}`
  const { fixtures, apiKey, controlToken } = options.sandbox
  const known = fixtures ? undefined : DEMO_KEY
  const key = apiKey === undefined ? known : `…${lastFour(apiKey)}, as it was given`
  const keys = join(fixtures ?? '', 'api-keys.json')
  // The folder may be gone since the data file was made of it.
  const some = existsSync(keys) ? `one of ${keys}` : 'one of those that the data file was made with'
  const keyHeader =
    apiKey === undefined ? `'x-api-key: ${known}'` : '"x-api-key: $SANDRAMP_API_KEY"'
  const tokenHeader = options.tokenMade
    ? `'authorization: Bearer ${controlToken}'`
    : '"authorization: Bearer $SANDRAMP_CONTROL_TOKEN"'
  const token = controlToken === undefined ? '' : ` -H ${tokenHeader}`
  const lines = [
    `sandramp listening on ${url}`,
    '',
    `  console     ${url}/`,
    `  reference   ${url}/reference`,
    `  API key     ${key ?? some}`,
    `  seed        ${sandbox.seed}`,
    ...(options.sandbox.strict ? ['  strict      what rests on an assumption is 501'] : []),
    ...(certificate === undefined ? [] : [`  certificate ${certificate}`]),
    ...(options.tokenMade ? [`  control     ${controlToken} (bearer token of /_sandbox)`] : []),
    '',
    '  Try next:',
    ...(key ? [`    ${curl} -H ${keyHeader} ${url}/onboarding/api/v1/users/all`] : []),
    `    ${curl}${token} ${url}/_sandbox/transfers`,
    '',
  ]
  return `${lines.join('\n')}\n`
}
