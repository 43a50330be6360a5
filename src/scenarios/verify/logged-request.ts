import type { LogRecord } from '../../history/log-record.js'
import { type LoggedExchange, sentTarget, showExchange } from '../../history/views.js'
import type { FieldReader } from '../language/match.js'

export interface LoggedRequest extends LoggedExchange {
  readonly target: string
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
