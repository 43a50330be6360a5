import type { LoggedExchange } from '../../generated/api-types.js'
import { MAX_SHOWN } from '../contract/shown.js'
import { toIso } from '../kernel/time.js'
import { isUuid } from '../lib/text.js'
import { bodyValue } from './bodies.js'
import { showHeaders, toPairs } from './headers.js'
import type { LogRecord } from './log-record.js'

export type { LoggedExchange }

/** A finished exchange, as the log option receives it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Null when the connection was dropped without a response. */
  readonly status: number | null
  readonly duration_ms: number
  /** Milliseconds after which the client left without the response; absent otherwise. */
  readonly aborted_ms?: number
  readonly request_id: string
  readonly operation: string | undefined
  /** The id of the world; absent when the request was refused before it entered one. */
  readonly world?: string
  /** The time of that world. */
  readonly at?: string
  /**
   * The rule that made, altered or delayed the response, or dropped the connection:
   * `<scenario>/<rule>`.
   */
  readonly fault?: string
  /** The record that the request created or changed, as `payout <id>`. */
  readonly record?: string
  /** The amount of that record, as `1500.00 NGN`. */
  readonly amount?: string
  /** Status and reason of the record that it made or read, as `PAYOUT_FAILED account_closed`. */
  readonly outcome?: string
  /** Why the request was refused: code and message of the error body. */
  readonly code?: string
  readonly message?: string
}

export interface ExchangeFilter {
  /** An operation, or `unknown` for paths and methods that the service does not have. */
  readonly operation?: string | undefined
  /** Such as `404`, or `4xx` for a class. */
  readonly status?: string | undefined
  readonly user_id?: string | undefined
  /** Whether a rule made the response or dropped the connection. */
  readonly fault?: boolean | undefined
  /** Whether the client left before the response. */
  readonly aborted?: boolean | undefined
  /** Exchanges that caused one of these journal entries, or contain the id. A lost response has no id. */
  readonly about?: { readonly id: string; readonly entries: readonly number[] } | undefined
  /** The exchanges before the last reset, in place of those after it. */
  readonly beforeReset?: boolean | undefined
}

export const showExchange = (logRecord: LogRecord): LoggedExchange => {
  const { id, n, method, path, operation, status, from, to } = logRecord
  const shown = logRecord.shown === '' ? [] : logRecord.shown.split(', ')
  return {
    id,
    n,
    at: toIso(logRecord.at ?? logRecord.started_at),
    started_at: toIso(logRecord.started_at),
    duration_ms: milliseconds(logRecord),
    pending: logRecord.pending,
    aborted_ms: logRecord.aborted_ms ?? null,
    method,
    path,
    query: parseQuery(logRecord),
    operation: (operation?.id ?? null) as LoggedExchange['operation'],
    status,
    user_id: findUserId(logRecord),
    request: { headers: requestHeaders(logRecord), body: bodyValue(logRecord.body) },
    response: { headers: shownAnswerHeaders(logRecord), body: bodyValue(responseBody(logRecord)) },
    garbled: logRecord.garbled,
    shown: shown.slice(0, MAX_SHOWN).map((it) => it.split(' ') as [string, string]),
    outcome: logRecord.outcome || null,
    shown_more: shown.length > MAX_SHOWN,
    fault: logRecord.fault ?? null,
    rules: logRecord.rules,
    assumed: logRecord.assumed === '' ? [] : logRecord.assumed.split(', '),
    entries: to < from ? null : { from, to },
  }
}

/** Path and query as the client sent them: a decoded path may contain line breaks. */
export const sentTarget = ({ url }: { readonly url: string }): string =>
  url.replace(/^\w+:\/\/[^/?]*/, '')

export const milliseconds = ({ duration_us }: LogRecord): number => duration_us / 1_000

export const requestHeaders = ({ headers }: LogRecord): Record<string, string> =>
  showHeaders(toPairs(headers))

export const shownAnswerHeaders = ({ answerHeaders }: LogRecord): Record<string, string> =>
  showHeaders(toPairs(answerHeaders))

/** HEAD returns no body. */
export const responseBody = ({ method, answer }: LogRecord): LogRecord['answer'] =>
  method === 'HEAD' ? undefined : answer

const parseQuery = ({ url }: LogRecord): LoggedExchange['query'] => {
  if (!url.includes('?')) return {}
  const { searchParams } = new URL(url)
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(names.map((name) => [name, oneOrAll(searchParams.getAll(name))]))
}

/** One value, or a list of several. */
export const oneOrAll = (values: readonly string[]): string | readonly string[] =>
  values.length > 1 ? values : (values[0] ?? '')

/** Whether an exchange is one of those asked for. */
export const matchesFilter = (logRecord: LogRecord, filter: ExchangeFilter): boolean => {
  const { operation, status, user_id, fault, aborted } = filter
  if (operation !== undefined && (logRecord.operation?.id ?? 'unknown') !== operation) return false
  if (status !== undefined && !isStatus(logRecord.status, status)) return false
  if (fault !== undefined && (logRecord.fault !== undefined) !== fault) return false
  if (aborted !== undefined && (logRecord.aborted_ms !== undefined) !== aborted) return false
  return user_id === undefined || findUserId(logRecord) === user_id
}

const isStatus = (status: number | null, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted

const asUuid = (value: unknown): string | null => (isUuid(value) ? value.toLowerCase() : null)

export const userIdIn = (body: unknown): string | null =>
  asUuid((body as { user_id?: unknown } | null | undefined)?.user_id)

/** The user in the body or path, or the created user. */
const findUserId = (logRecord: LogRecord): string | null =>
  logRecord.user_id ?? userInPath(logRecord) ?? userCreated(logRecord)

const userInPath = ({ operation, path }: LogRecord): string | null => {
  const place = operation?.path.split('/').indexOf('{user_id}') ?? -1
  return place < 0 ? null : asUuid(path.split('/')[place])
}

const userCreated = ({ operation, status, answer }: LogRecord): string | null => {
  // created.status decides which of the two.
  if (operation?.id !== 'createUser' || (status !== 201 && status !== 200)) return null
  return asUuid((bodyValue(answer) as { id?: unknown } | null)?.id)
}
