import type { LogRecord } from '../../history/log-record.js'
import { type LoggedExchange, sentTarget, showExchange } from '../../history/views.js'
import type { FieldReader } from '../language/match.js'

export interface LoggedRequest {
  readonly id: string
  readonly n: number
  readonly method: string
  readonly path: string
  readonly target: string
  readonly query: unknown
  readonly operation: string | null
  readonly status: number | null
  readonly pending: boolean
  /** Milliseconds until the client left without the response; else null. */
  readonly aborted_ms: number | null
  readonly user_id: string | null
  /** `<scenario>/<rule>` */
  readonly fault: string | null
  readonly request: { readonly headers: unknown; readonly body: unknown }
  readonly response: { readonly body: unknown }
  readonly garbled: boolean
  readonly shown: LoggedExchange['shown']
  readonly shown_more: boolean
  /** First and last journal entry of the request. */
  readonly entries: { readonly from: number; readonly to: number } | null
  /** Newest entry when the request was handled; undefined if it was refused before. */
  readonly after_entry: number | undefined
}

/** A request that was refused early has seen no entry. */
export const toLoggedRequest = (logRecord: LogRecord): LoggedRequest => ({
  ...showExchange(logRecord),
  target: sentTarget(logRecord),
  after_entry: logRecord.from > 1 ? logRecord.from - 1 : undefined,
})

export const readExchange =
  (exchange: LoggedRequest): FieldReader =>
  (field) => {
    if (field === 'headers') return exchange.request.headers
    if (field === 'body') return exchange.request.body
    if (field === 'response') return exchange.response.body
    if (field === 'aborted') return exchange.aborted_ms !== null
    return exchange[field as 'status']
  }
