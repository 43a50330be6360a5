import { toIso } from '../kernel/time.js'
import { isUuid } from '../lib/json-path.js'
import { bodyValue } from './bodies.js'
import { showHeaders, toPairs } from './headers.js'
import { type LogRecord, responseHeaders } from './log-record.js'

/** One finished exchange, as it is told to a log while it happens. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Null when the connection was cut without an answer. */
  readonly status: number | null
  readonly duration_ms: number
  /** Milliseconds after which the client left without the answer; left out when it did not. */
  readonly aborted_ms?: number
  readonly request_id: string
  readonly operation: string | undefined
  /** The id of the world; left out when the request was refused before it entered one. */
  readonly world?: string
  /** The rule that made, altered or delayed the answer, or cut the connection: `<scenario>/<rule>`. */
  readonly fault?: string
  /** Why the request was refused: code and message of the error body. */
  readonly code?: string
  readonly message?: string
  /** What the status does not show: that the request was an idempotent repeat, and of which one. */
  readonly note?: string
}

/** One HTTP exchange as the request log shows it: without secrets, images elided, bodies capped. */
export interface LoggedExchange {
  /** The request id. */
  readonly id: string
  /** Its number in the world, from 1, in the order in which requests arrived with their whole body. */
  readonly n: number
  /** The world's time. */
  readonly at: string
  /** The machine's time. */
  readonly started_at: string
  /** 0 while it is pending. */
  readonly duration_ms: number
  /** True while a rule delays or holds the request, or it waits for another one. */
  readonly pending: boolean
  /** Milliseconds from `started_at` to the moment when the client left without the answer; else null. */
  readonly aborted_ms: number | null
  readonly method: string
  readonly path: string
  /** A parameter that came several times is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Null on a path or method that the service does not have. */
  readonly operation: string | null
  /** Null while it is pending, and when the connection was cut without an answer. */
  readonly status: number | null
  /** Whom it was about. */
  readonly user_id: string | null
  readonly request: LoggedMessage
  readonly response: LoggedMessage
  /** The rule that made the answer or cut the connection, as `<scenario>/<rule>`. */
  readonly fault: string | null
  /** All rules that fired, in the same form. */
  readonly rules: readonly string[]
  /** The assumptions relied on, as `<id>=<reading>`. */
  readonly assumed: readonly string[]
  /** The numbers of the first and the last journal entry that it made. */
  readonly entries: { readonly from: number; readonly to: number } | null
}

export interface LoggedMessage {
  readonly headers: Readonly<Record<string, string>>
  /** Its JSON; text when it is malformed or was cut; null when there is none or it was not read. */
  readonly body: unknown
}

export interface ExchangeFilter {
  /** An operation, or `unknown` for paths and methods that the service does not have. */
  readonly operation?: string | undefined
  /** Such as `404`, or `4xx` for a class. */
  readonly status?: string | undefined
  readonly user_id?: string | undefined
  /** Whether a rule made the answer or cut the connection. */
  readonly fault?: boolean | undefined
  /** Whether the client left before the answer. */
  readonly aborted?: boolean | undefined
}

export const showExchange = (logRecord: LogRecord): LoggedExchange => {
  const { id, n, method, path, operation, status, from, to } = logRecord
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
    operation: operation?.id ?? null,
    status,
    user_id: findUserId(logRecord),
    request: { headers: requestHeaders(logRecord), body: bodyValue(logRecord.body) },
    response: { headers: shownAnswerHeaders(logRecord), body: bodyValue(answerBody(logRecord)) },
    fault: logRecord.fault ?? null,
    rules: logRecord.rules,
    assumed: logRecord.assumed === '' ? [] : logRecord.assumed.split(', '),
    entries: to < from ? null : { from, to },
  }
}

export const milliseconds = ({ duration_us }: LogRecord): number => duration_us / 1_000

export const requestHeaders = ({ headers }: LogRecord): Record<string, string> =>
  showHeaders(toPairs(headers))

export const shownAnswerHeaders = ({ id, status, answerHeaders, assumed }: LogRecord) =>
  status === null
    ? {}
    : showHeaders(Object.entries(responseHeaders(id, { status, headers: answerHeaders }, assumed)))

/** The answer to HEAD is that to GET without its body. */
export const answerBody = ({ method, answer }: LogRecord): LogRecord['answer'] =>
  method === 'HEAD' ? undefined : answer

const parseQuery = ({ url }: LogRecord): LoggedExchange['query'] => {
  if (!url.includes('?')) return {}
  const { searchParams } = new URL(url)
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(names.map((name) => [name, oneOrAll(searchParams.getAll(name))]))
}

/** What came under a name: a value, or the list of several. */
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

/** The user that a request's body names. */
export const userIdIn = (body: unknown): string | null =>
  asUuid((body as { user_id?: unknown } | null | undefined)?.user_id)

/** Whom an exchange was about: the user that its body or path names, or whom it created. */
const findUserId = (logRecord: LogRecord): string | null =>
  logRecord.user_id ?? userInPath(logRecord) ?? userCreated(logRecord)

const userInPath = ({ operation, path }: LogRecord): string | null => {
  const place = operation?.path.split('/').indexOf('{user_id}') ?? -1
  return place < 0 ? null : asUuid(path.split('/')[place])
}

const userCreated = ({ operation, status, answer }: LogRecord): string | null => {
  // Which of the two it is can be read otherwise (created.status).
  if (operation?.id !== 'createUser' || (status !== 201 && status !== 200)) return null
  return asUuid((bodyValue(answer) as { id?: unknown } | null)?.id)
}
