import type { CapturedBody } from './bodies.js'
import type { CapturedHeaders } from './headers.js'

export interface JsonResponse {
  readonly status: number
  readonly text: string
  /** The value of the text; undefined if a rule wrote the text. */
  readonly body?: unknown
  /** All headers of a finished response; before, those that differ from other responses. */
  readonly headers: Readonly<Record<string, string>>
  /** A rule delayed the response without changing it. */
  readonly untouched?: true
  /** A rule cut or malformed the body. */
  readonly garbled?: true | undefined
  /** A rule sends the body in chunks. */
  readonly trickle?: Trickle | undefined
}

/** Real milliseconds for the whole body, and the timer. */
export interface Trickle {
  readonly over_ms: number
  readonly sleep: (ms: number) => Promise<void>
}

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly url: string
  readonly headers: CapturedHeaders
  /** Undefined for unknown paths and methods. */
  readonly operation: { readonly id: string; readonly path: string } | undefined
  /** Machine time. */
  readonly started_at: number
}

/**
 * An exchange in progress: references that later stages fill in. It is formatted only for a reader.
 */
export interface LogRecord extends ReceivedRequest {
  /** The request id; set on entry to a world or on refusal. */
  id: string
  /** Number in the world's log. */
  n: number
  duration_us: number
  /** Not answered yet: a rule delays or holds it, or it waits for another request. */
  pending: boolean
  /** Milliseconds from `started_at` until the client left without the response. */
  aborted_ms: number | undefined
  /** World time, once it is in the log. */
  at: number | undefined
  /** Set once the body was read. */
  body: CapturedBody
  /** The parsed body; dropped at the end of the exchange. */
  value: unknown
  user_id: string | null
  /** Null for a connection dropped without a response. */
  status: number | null
  answerHeaders: CapturedHeaders
  answer: CapturedBody
  /** A rule cut or malformed the response. */
  garbled: boolean
  /** The records in the response, as `<id> <status>, …`; one more than are listed if there are others. */
  shown: string
  /** Status and reason of the record that it made or read; empty for none. */
  outcome: string
  /** First and last journal entry of the exchange; none if `to` is below `from`. */
  from: number
  to: number
  fault: string | undefined
  /** All rules that fired, as `<scenario>/<rule>`. */
  rules: readonly string[]
  /** The value of the header; empty for none. */
  assumed: string
}

export const NO_RULES: readonly string[] = []

/** Sets all fields, so that all records have one hidden class. */
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
  answerHeaders: '',
  answer: undefined,
  garbled: false,
  shown: '',
  outcome: '',
  from: 1,
  to: 0,
  fault: undefined,
  rules: NO_RULES,
  assumed: '',
})
