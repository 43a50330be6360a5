import { openHar } from '../calibrate/recording/har-writer.js'
import { openRecorder, type Upstream } from '../calibrate/recording/recorder.js'
import { createRedactor } from '../calibrate/recording/redact.js'
import { listenOptions, toListenError } from '../http/transport/listen-options.js'
import { type Arguments, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { machineClock } from '../lib/machine-clock.js'
import { orUnwritable, readBytes } from '../lib/read-file.js'
import { parseSize, SIZE_FORM } from '../lib/sizes.js'
import { plural } from '../lib/text.js'
import { readOptions } from '../runtime/option-flags.js'
import { version } from '../runtime/options.js'
import { ENDING_SIGNALS } from './exit.js'
import { print } from './print.js'
import { assertExtension } from './run/report-file.js'

const DEFAULT_PORT = 4030
const DEFAULT_LIMIT = '1MiB'

/** Records the requests to a service until a signal. */
export const record = async (given: Arguments): Promise<void> => {
  const upstream = readUpstream(given, 'upstream')
  const { port = DEFAULT_PORT } = readOptions(given, listenOptions.pick({ port: true }))
  const limit = findText(given, 'body-limit') ?? DEFAULT_LIMIT
  const bodyLimit = parseSize(limit)
  if (bodyLimit === undefined) throw invalidFlag(given, 'body-limit', limit, SIZE_FORM)
  const redactor = createRedactor(given.flags.has('redact-names'))
  const { out, openWriter } = readRecording(given, upstream)
  const recorder = await openRecorder({ upstream, port, bodyLimit, redactor, openWriter }).catch(
    (error) => {
      throw toListenError(error, { port, host: '127.0.0.1' })
    },
  )
  const end = () => {
    const { count, complete } = recorder.close()
    print(`${plural(count, 'request')} recorded: ${out}\n`)
    if (!complete) process.stderr.write(`sandramp: ${out} lacks requests: a write failed\n`)
    process.exit(complete ? 0 : 1)
  }
  for (const signal of ENDING_SIGNALS) process.once(signal, end)
  print(`sandramp recording http://127.0.0.1:${recorder.port} to ${upstream.url.href} in ${out}\n`)
}

/** The service of a flag, with the authority of --ca. */
export const readUpstream = (given: Arguments, flag: string): Upstream => {
  const text = findText(given, flag)
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search
  if (!isPlain) throw invalidFlag(given, flag, text, 'a URL such as https://staging.example')
  const ca = findText(given, 'ca')
  return { url, ca: ca === undefined ? undefined : readBytes(ca, 'a certificate in PEM form') }
}

/** The recording of --out. */
export const readRecording = (given: Arguments, { url }: Upstream, isComplete = true) => {
  const out = findText(given, 'out')
  if (out === undefined)
    throw new UsageError({ field: '--out', expected: 'a file such as traffic.har' })
  assertExtension('out', out, ['.har'])
  const started = new Date(machineClock()).toISOString()
  const about = { upstream: url.href, started, ...(!isComplete && { complete: false }) }
  return { out, openWriter: () => orUnwritable(out, () => openHar(out, about, version)) }
}
