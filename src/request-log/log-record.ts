import type { CapturedBody } from './bodies.js'
import { type CapturedHeaders, NO_HEADERS } from './headers.js'

/** An answer as it goes out. */
export interface JsonResponse {
  readonly status: number
  readonly text: string
  /** Besides those that every answer has, or in their place. */
  readonly headers: Readonly<Record<string, string>>
  /** A rule has delayed it, and left it as it is. */
  readonly untouched?: true
  /** A rule sends its body in pieces. */
  readonly trickle?: Trickle | undefined
}

/** How long a body takes to go out, in real milliseconds, and how it waits. */
export interface Trickle {
  readonly over_ms: number
  readonly sleep: (ms: number) => Promise<void>
}

/** Tells which assumptions an answer relied on, each with its reading. */
export const ASSUMED_HEADER = 'x-sandbox-assumed'

/** Whether an answer of this status may have a body. */
export const hasText = (status: number): boolean =>
  status !== 204 && status !== 205 && status !== 304

/** The headers of an answer, by the request id and by what it relied on. */
export const responseHeaders = (
  id: string,
  { status, headers }: Pick<JsonResponse, 'status' | 'headers'>,
  assumed: string,
): Record<string, string> => ({
  ...(hasText(status) && { 'content-type': 'application/json' }),
  'x-request-id': id,
  ...(assumed !== '' && { [ASSUMED_HEADER]: assumed }),
  ...headers,
})

/** What is known of a request when it arrives. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly url: string
  readonly headers: CapturedHeaders
  /** Undefined on a path or method that the service does not have. */
  readonly operation: { readonly id: string; readonly path: string } | undefined
  /** Machine time. */
  readonly started_at: number
}

/**
 * An exchange as it is recorded: references to what is there anyhow, filled in on the way. It is shaped
 * only when somebody reads it.
 */
export interface LogRecord extends ReceivedRequest {
  /** The request id; known once it has entered a world, or was refused at the door. */
  id: string
  /** Its number in the world's log. */
  n: number
  duration_us: number
  /** It is not answered yet: a rule delays or holds it, or it waits for another request. */
  pending: boolean
  /** Milliseconds from `started_at` to the moment when its client left without the answer. */
  aborted_ms: number | undefined
  /** The world's time; known once it is in the log. */
  at: number | undefined
  /** The request's body, when it was read. */
  body: CapturedBody
  /** What that body says, when it is JSON; let go of when the exchange has ended. */
  value: unknown
  user_id: string | null
  /** Null when the connection is cut without an answer. */
  status: number | null
  answerHeaders: JsonResponse['headers']
  answer: CapturedBody
  /** The numbers of the first and the last journal entry that it made; none when `to` is below `from`. */
  from: number
  to: number
  /** The rule that made the answer or cut the connection, as `<scenario>/<rule>`. */
  fault: string | undefined
  /** All rules that fired, in the same form. */
  rules: readonly string[]
  /** The assumptions that the answer relied on, as its header tells them; empty for none. */
  assumed: string
}

const NO_RULES: readonly string[] = []

/** Begins to record. All fields are there from the start, so that all recordings have one shape. */
export const startLogRecord = (arrival: ReceivedRequest): LogRecord => ({
  id: '',
  method: arrival.method,
  path: arrival.path,
  url: arrival.url,
  headers: arrival.headers,
  operation: arrival.operation,
  started_at: arrival.started_at,
  n: 0,
  duration_us: 0,
  pending: false,
  aborted_ms: undefined,
  at: undefined,
  body: undefined,
  value: undefined,
  user_id: null,
  status: null,
  answerHeaders: NO_HEADERS,
  answer: undefined,
  from: 1,
  to: 0,
  fault: undefined,
  rules: NO_RULES,
  assumed: '',
})

/** What it did was taken back. */
export const forgetEntries = (logRecord: LogRecord): void => {
  logRecord.from = 1
  logRecord.to = 0
  logRecord.fault = undefined
  logRecord.rules = NO_RULES
}

/** A world, as far as an exchange notes what it did there. */
interface HasClock {
  readonly now: number
  readonly seq: number
}

/** Runs something in a copy of a world, which makes no entries of the world. */
export const withoutEntries = <T>(
  logRecord: LogRecord | undefined,
  world: HasClock,
  act: () => T,
): T => {
  const { from, to } = logRecord ?? {}
  try {
    return act()
  } finally {
    if (logRecord) Object.assign(logRecord, { at: world.now, from, to })
  }
}

/** Notes which journal entries something makes; a refusal is an entry too. */
export const trackEntries = <T>(
  logRecord: LogRecord | undefined,
  world: HasClock,
  act: () => T,
): T => {
  const before = world.seq
  try {
    return act()
  } finally {
    if (logRecord) {
      logRecord.at = world.now
      // What a rule noted just before belongs to it; what others did during a delay does not.
      if (logRecord.to !== before) logRecord.from = before + 1
      logRecord.to = world.seq
    }
  }
}
