import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSandbox } from '../app.js'
import type { Listener } from '../http/transport/server.js'
import { machineClock } from '../lib/machine-clock.js'
import { DOCS } from '../lib/paths.js'
import { DEMO_KEY, lastFour } from '../lib/secrets.js'
import { shellQuote } from '../lib/shell-quote.js'
import { createRequestLogger } from './access-log.js'
import { ENDING_SIGNALS } from './exit.js'
import type { StartOptions } from './start-flags.js'

/** Signals within this time count as one: `timeout` signals the process and its group. */
const ONE_SIGNAL_MS = 500

/** Starts a sandbox, prints the banner, and closes on signals. */
export const start = async (options: StartOptions): Promise<void> => {
  const log = createRequestLogger(options.log)
  const sandbox = await openSandbox({ ...options.sandbox, ...(log && { log }) })
  const { port, host, tls = false } = options
  const listener = await sandbox.listen({ port, host, tls }).catch(async (error) => {
    await sandbox.close()
    throw error
  })
  if (options.watch) {
    const { watchFiles } = await import('./watch.js')
    watchFiles(sandbox.core, options.sandbox.readingsFile)
  }
  /** A load balancer notices within the drain that it must not send requests here. */
  const end = async (drain_ms: number) => {
    if (drain_ms > 0) {
      sandbox.core.drain()
      listener.drain()
      await sleep(drain_ms)
    }
    await sandbox.close()
  }
  let closingSince: number | undefined
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      if (closingSince === undefined) {
        closingSince = machineClock()
        void end(signal === 'SIGTERM' ? options.drain_ms : 0).then(() => process.exit(0))
        return
      }
      // A second signal does not wait for requests in flight. A closing terminal may send SIGHUP twice.
      const isSecond = machineClock() - closingSince > ONE_SIGNAL_MS
      if (isSecond && signal !== 'SIGHUP') process.exit(1)
    })
  }
  // The reader of the log may exit before the sandbox.
  process.stdout.on('error', () => {})
  // Printed last: a caller may send a signal as soon as it reads the URL.
  const show = options.log === 'json' ? readyLine : banner
  process.stdout.write(show(listener, sandbox.core.main.world.seed, options))
}

const toReadyMessage = (url: string): string => `sandramp listening on ${url}`

/** Replaces the banner where programs read each line as JSON. */
const readyLine = (listener: Listener, seed: string, options: StartOptions): string => {
  const { url, certificate } = listener
  const line = {
    time: new Date(machineClock()).toISOString(),
    message: toReadyMessage(url),
    url,
    seed,
    certificate,
    control_token: options.isTokenGenerated ? options.sandbox.controlToken : undefined,
  }
  return `${JSON.stringify(line)}\n`
}

/** Stdout may be archived, so the banner shows only generated secrets. */
const banner = (listener: Listener, seed: string, options: StartOptions): string => {
  const { url, certificate } = listener
  const curl = certificate === undefined ? 'curl' : `curl --cacert ${shellQuote(certificate)}`
  const { fixtures, apiKey, controlToken, tenants } = options.sandbox
  const keyFile = fixtures === undefined ? '' : join(fixtures, 'api-keys.json')
  const hasOwnKeys = existsSync(keyFile)
  const key = hasOwnKeys ? `see ${keyFile}` : DEMO_KEY
  const shownKey = apiKey === undefined ? key : `…${lastFour(apiKey)}`
  const keyHeader =
    apiKey === undefined ? `'x-api-key: ${DEMO_KEY}'` : '"x-api-key: $SANDRAMP_API_KEY"'
  const tokenHeader = options.isTokenGenerated
    ? `'authorization: Bearer ${controlToken}'`
    : '"authorization: Bearer $SANDRAMP_CONTROL_TOKEN"'
  const token = controlToken === undefined ? '' : ` -H ${tokenHeader}`
  const lines = [
    toReadyMessage(url),
    '',
    `  console     ${url}/`,
    `  reference   ${url}/reference`,
    `  docs        ${url}${DOCS}`,
    ...(tenants ? [] : [`  API key     ${shownKey}`]),
    `  seed        ${seed}`,
    ...(options.sandbox.strict
      ? ['  strict      requests that rely on an assumption get 501']
      : []),
    ...(certificate === undefined ? [] : [`  certificate ${certificate}`]),
    ...(options.isTokenGenerated
      ? [`  control     ${controlToken} (bearer token of /_sandbox)`]
      : []),
    '',
    '  Try next:',
    ...(!tenants && (apiKey !== undefined || !hasOwnKeys)
      ? [`    ${curl} -H ${keyHeader} ${url}/onboarding/api/v1/users/all`]
      : []),
    `    ${curl}${token} ${url}/_sandbox/${tenants ? 'worlds' : 'transfers'}`,
    '',
  ]
  return `${lines.join('\n')}\n`
}
