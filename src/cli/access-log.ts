import { escapeControlChars } from '../lib/ansi.js'
import { type MachineClock, machineClock, nextTick } from '../lib/machine-clock.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import { truncate } from '../lib/text.js'
import type { Exchange } from '../request-log/views.js'

export const LOG_STYLES = ['pretty', 'json', 'silent'] as const
export type LogStyle = (typeof LOG_STYLES)[number]

/** Bytes of lines that wait to be read: whoever starts a sandbox may never read more than where it listens. */
const MAX_BUFFERED = 1024 * 1024

/** What writes one line for each exchange; undefined for silence. */
export const createRequestLogger = (
  style: LogStyle,
  now: MachineClock = machineClock,
): ((exchange: Exchange) => void) | undefined => {
  if (style === 'silent') return undefined
  const line = style === 'json' ? (exchange: Exchange) => jsonLine(exchange, now()) : prettyLine
  let missing = 0
  return (exchange) => {
    if (process.stdout.writableLength + waiting.length > MAX_BUFFERED) {
      missing++
      return
    }
    if (missing > 0) scheduleFlush(gapLine(style, missing))
    missing = 0
    scheduleFlush(line(exchange))
  }
}

/** Lines of this turn of the event loop, which are written together: each write costs as much as an answer. */
let waiting = ''

const scheduleFlush = (line: string): void => {
  if (waiting === '') nextTick(flush)
  waiting += `${line}\n`
}

const flush = (): void => {
  if (waiting !== '') process.stdout.write(waiting)
  waiting = ''
}
// A process may end before its turn does.
process.on('exit', flush)

/** Stands in the place of lines that nobody had room for. */
const gapLine = (style: LogStyle, missing: number): string => {
  if (style === 'json') return JSON.stringify({ missing })
  const lines = missing === 1 ? '1 line is' : `${missing} lines are`
  return `${lines} missing here: the log was not read`
}

/** Read by programs, later and elsewhere: with the machine's time of the answer, to be held against other logs. */
const jsonLine = (exchange: Exchange, now: number): string =>
  escapeControlChars(
    JSON.stringify({
      time: new Date(now).toISOString(),
      ...exchange,
      duration_ms: Math.round(exchange.duration_ms * 1_000) / 1_000,
    }),
  )

const prettyLine = (exchange: Exchange): string => {
  const { status, method, path, duration_ms, operation, request_id, world, fault, aborted_ms } =
    exchange
  const parts = [
    status ?? 'cut',
    (method || '-').padEnd(4),
    plain(path) || '-',
    ...(operation ? [operation] : []),
    `${duration_ms.toFixed(1)}ms`,
    request_id,
    ...(world && world !== DEFAULT_WORLD ? [`world=${world}`] : []),
    ...(fault ? [`fault=${fault}`] : []),
    ...(aborted_ms === undefined ? [] : [`aborted=${aborted_ms}ms`]),
    ...reasonParts(exchange),
  ]
  return parts.join(' ')
}

const MAX_MESSAGE = 400

const reasonParts = ({ code, message, note }: Exchange): string[] => {
  const words = [code, message].filter((it) => it !== undefined).join(' ') || note
  return words ? ['-', escapeControlChars(truncate(words.replace(/\s+/g, ' '), MAX_MESSAGE))] : []
}

/** A path comes from anybody: no control characters reach the terminal. */
const plain = (path: string): string => path.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
