import type { CapturedBody } from './bodies.js'
import { isUnclear } from './delivered.js'
import type { CapturedHeaders } from './headers.js'
import { type LogRecord, NO_RULES } from './log-record.js'

/** Storage for one exchange: its numbers, then its texts in one buffer. */
export interface Slot {
  /** Two views of one buffer, which needs less memory than two buffers. */
  numbers: Float64Array
  texts: Buffer
  /** Bytes of the texts. */
  used: number
  /** Shared between exchanges of one client. */
  headers: CapturedHeaders
}

const NUMBERS = 14
const TEXTS = 15
const HEAD = (NUMBERS + TEXTS) * Float64Array.BYTES_PER_ELEMENT
const STEP = 512

const NO_NUMBERS = new Float64Array()
const NO_TEXTS = Buffer.alloc(0)
const encoder = new TextEncoder()

export const emptySlot = (): Slot => ({
  numbers: NO_NUMBERS,
  texts: NO_TEXTS,
  used: 0,
  headers: '',
})

/**
 * Encodes an exchange. As objects, the newest thousand would survive young collections and be
 * copied each time, which costs far more than encoding.
 */
export const encode = (logRecord: LogRecord, slot: Slot): void => {
  const { operation, body, answer } = logRecord
  const texts = [
    logRecord.id,
    logRecord.method,
    logRecord.path,
    logRecord.url,
    operation === undefined ? '' : operation.id,
    operation === undefined ? '' : operation.path,
    logRecord.user_id ?? '',
    logRecord.answerHeaders,
    logRecord.fault ?? '',
    logRecord.rules.length === 0 ? '' : JSON.stringify(logRecord.rules),
    readText(body),
    readText(answer),
    logRecord.assumed,
    logRecord.shown,
    logRecord.outcome,
  ]
  let whole = ''
  for (let i = 0; i < TEXTS; i++) whole += texts[i]
  write(slot, whole)
  slot.headers = logRecord.headers
  packNumbers(logRecord, slot.numbers)
  for (let i = 0; i < TEXTS; i++) slot.numbers[NUMBERS + i] = texts[i]?.length ?? 0
}

/** Outside of the range of milliseconds. */
const NOT_ABORTED = -1

const packNumbers = (logRecord: LogRecord, into: Float64Array): void => {
  const { body, answer } = logRecord
  into[0] = logRecord.n
  into[1] = logRecord.started_at
  into[2] = logRecord.duration_us
  into[3] = logRecord.at ?? logRecord.started_at
  into[4] = logRecord.status ?? 0
  into[5] = logRecord.from
  into[6] = logRecord.to
  into[7] = encodedSize(body)
  into[8] = readMore(body)
  into[9] = encodedSize(answer)
  into[10] = readMore(answer)
  into[11] = logRecord.pending ? 1 : 0
  into[12] = logRecord.aborted_ms ?? NOT_ABORTED
  into[13] = logRecord.garbled ? 1 : 0
}

const write = (slot: Slot, text: string): void => {
  // Most texts fit the buffer of the evicted exchange, so measuring first would double the cost.
  const { read, written } = encoder.encodeInto(text, slot.texts)
  const isWhole = read === text.length
  const room = roomFor(isWhole ? written : Buffer.byteLength(text))
  // One long body must not enlarge its slot permanently.
  if (isWhole && slot.texts.length + HEAD <= 8 * room) slot.used = written
  else {
    const { buffer } = Buffer.allocUnsafeSlow(room)
    slot.numbers = new Float64Array(buffer, 0, NUMBERS + TEXTS)
    slot.texts = Buffer.from(buffer, HEAD)
    slot.used = slot.texts.write(text)
  }
}

const roomFor = (bytes: number): number => Math.ceil((HEAD + bytes) / STEP) * STEP

export const decode = ({ numbers, texts: bytes, used, headers }: Slot): LogRecord => {
  const whole = bytes.toString('utf8', 0, used)
  const number = (i: number) => numbers[i] ?? 0
  const texts: string[] = []
  let end = 0
  // A typed array's iterator would take longer than all slices.
  for (let i = 0; i < TEXTS; i++) {
    const start = end
    end += number(NUMBERS + i)
    texts.push(whole.slice(start, end))
  }
  const text = (i: number) => texts[i] ?? ''
  return {
    n: number(0),
    started_at: number(1),
    duration_us: number(2),
    at: number(3),
    status: number(4) || null,
    from: number(5),
    to: number(6),
    pending: number(11) === 1,
    aborted_ms: number(12) === NOT_ABORTED ? undefined : number(12),
    garbled: number(13) === 1,
    id: text(0),
    method: text(1),
    path: text(2),
    url: text(3),
    operation: text(4) === '' ? undefined : { id: text(4), path: text(5) },
    user_id: text(6) || null,
    answerHeaders: text(7),
    fault: text(8) || undefined,
    rules: text(9) === '' ? NO_RULES : (JSON.parse(text(9)) as LogRecord['rules']),
    body: readBody(text(10), number(7), number(8)),
    answer: readBody(text(11), number(9), number(10)),
    assumed: text(12),
    shown: text(13),
    outcome: text(14),
    headers,
    value: undefined,
  }
}

export const isInSlot = ({ texts, used }: Slot, text: string): boolean =>
  texts.subarray(0, used).includes(text)

/** The status; 0 without a response, and undefined while there may be one. */
export const statusIn = ({ numbers }: Slot): number | undefined =>
  numbers[11] === 1 ? undefined : numbers[4]

/** Whether the exchange ended so that the client cannot know the outcome. */
export const endedUnclear = ({ numbers }: Slot): boolean =>
  numbers[11] !== 1 &&
  isUnclear({
    status: numbers[4] || null,
    pending: false,
    aborted_ms: numbers[12] === NOT_ABORTED ? null : numbers[12],
    garbled: numbers[13] === 1,
  })

/** The newest journal entry when the exchange ended. */
export const placeOf = ({ numbers }: Slot): number => numbers[6] ?? 0

/** Whether the exchange caused one of these journal entries. */
export const causedAny = ({ numbers }: Slot, entries: readonly number[]): boolean => {
  const [, , , , , from = 1, to = 0] = numbers
  return entries.some((seq) => seq >= from && seq <= to)
}

/** Sizes that mean a whole body, and a missing one. */
const WHOLE = -2
const NONE = -3

const readText = (body: CapturedBody): string =>
  typeof body === 'object' ? body.text : (body ?? '')

const encodedSize = (body: CapturedBody): number => {
  if (body === undefined) return NONE
  return typeof body === 'string' ? WHOLE : body.bytes
}

const readMore = (body: CapturedBody): number => (typeof body === 'object' ? body.more : 0)

const readBody = (text: string, bytes: number, more: number): CapturedBody => {
  if (bytes === NONE) return undefined
  return bytes === WHOLE ? text : { text, bytes, more }
}
