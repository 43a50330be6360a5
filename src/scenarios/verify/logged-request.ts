import type { LogRecord } from '../../request-log/log-record.js'
import { showExchange } from '../../request-log/views.js'
import type { FieldReader } from '../evaluate/match.js'

/** An exchange of the request log, as far as expectations ask about it. */
export interface LoggedRequest {
  readonly id: string
  /** Its number in the log. */
  readonly n: number
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly operation: string | null
  readonly status: number | null
  /** Not answered yet. */
  readonly pending: boolean
  /** Milliseconds after which the client left without the answer; else null. */
  readonly aborted_ms: number | null
  readonly user_id: string | null
  /** `<scenario>/<rule>` */
  readonly fault: string | null
  readonly request: { readonly headers: unknown; readonly body: unknown }
  readonly response: { readonly body: unknown }
  /** The numbers of the journal entries that it made. */
  readonly entries: { readonly from: number; readonly to: number } | null
  /** The number of the newest entry when it was handled; undefined when it never came so far. */
  readonly after_entry: number | undefined
}

/** An exchange as it was recorded; one that was turned away at the door has seen no entry. */
export const toLoggedRequest = (logRecord: LogRecord): LoggedRequest => ({
  ...showExchange(logRecord),
  after_entry: logRecord.from > 1 ? logRecord.from - 1 : undefined,
})

/** An exchange as conditions see it. */
export const viewOfExchange =
  (exchange: LoggedRequest): FieldReader =>
  (field) => {
    if (field === 'headers') return exchange.request.headers
    if (field === 'body') return exchange.request.body
    if (field === 'response') return exchange.response.body
    if (field === 'aborted') return exchange.aborted_ms !== null
    return exchange[field as 'status']
  }
