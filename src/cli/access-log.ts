import type { Exchange } from '../history/views.js'
import { type MachineClock, machineClock, nextTick } from '../lib/machine-clock.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import { escapeControlChars, escapeLine, plural, truncate } from '../lib/text.js'
import { createPainter } from './print.js'

export const LOG_STYLES = ['pretty', 'json', 'silent'] as const
export type LogStyle = (typeof LOG_STYLES)[number]

/** Maximum number of bytes that wait to be read: a caller may stop reading once it knows the URL. */
const MAX_BUFFERED = 1024 * 1024

/** Returns undefined for `silent`. */
export const createRequestLogger = (
  style: LogStyle,
  now: MachineClock = machineClock,
): ((exchange: Exchange) => void) | undefined => {
  if (style === 'silent') return undefined
  const paint = createPainter()
  const line = (exchange: Exchange) =>
    style === 'json' ? jsonLine(exchange, now()) : paint(prettyLines(exchange))
  let missing = 0
  return (exchange) => {
    // Probes call it every few seconds.
    if (exchange.operation === 'getHealth' || exchange.operation === 'getReady') return
    if (process.stdout.writableLength + waiting.length > MAX_BUFFERED) {
      missing++
      return
    }
    if (missing > 0) scheduleFlush(gapLine(style, missing))
    missing = 0
    scheduleFlush(line(exchange))
  }
}

/** Lines of this turn of the event loop, written together: a write costs as much as a response. */
let waiting = ''

const scheduleFlush = (line: string): void => {
  if (waiting === '') nextTick(flush)
  waiting += `${line}\n`
}

const flush = (): void => {
  if (waiting !== '') process.stdout.write(waiting)
  waiting = ''
}
// The process may exit before the turn ends.
process.on('exit', flush)

/** Replaces dropped lines. */
const gapLine = (style: LogStyle, missing: number): string => {
  if (style === 'json') return JSON.stringify({ missing })
  return `${plural(missing, 'line')} missing: stdout was not read`
}

/** Includes the machine's time, so that programs can compare it with other logs. */
const jsonLine = (exchange: Exchange, now: number): string =>
  escapeControlChars(
    JSON.stringify({
      time: new Date(now).toISOString(),
      ...exchange,
      duration_ms: Math.round(exchange.duration_ms * 1_000) / 1_000,
    }),
  )

const MAX_OUTCOME = 80
const MAX_PATH = 200
const MAX_MESSAGE = 400

/** The reason has a line of its own, below the request. */
export const prettyLines = (exchange: Exchange): string => {
  const { status, method, path, duration_ms, operation, request_id, world, fault, aborted_ms } =
    exchange
  const { outcome, code = '', message = '' } = exchange
  const parts = [
    status ?? 'cut',
    escapeLine(truncate(outcome ?? code, MAX_OUTCOME)),
    (method || '-').padEnd(4),
    escapeLine(truncate(path, MAX_PATH)) || '-',
    operation,
    exchange.amount,
    exchange.record,
    `${duration_ms.toFixed(1)}ms`,
    request_id,
    world && world !== DEFAULT_WORLD && `world=${world}`,
    fault && `fault=${fault}`,
    aborted_ms !== undefined && `aborted=${aborted_ms}ms`,
  ]
  const reason = escapeControlChars(truncate(message.replace(/\s+/g, ' '), MAX_MESSAGE))
  return `${parts.filter(Boolean).join(' ')}${reason && `\n    ${reason}`}`
}
