import { findRepeat } from '../journal/repeats.js'
import type { LogRecord } from '../request-log/log-record.js'
import type { Exchange } from '../request-log/views.js'
import type { Api, AuthenticatedRequest, HandlerResult } from './api.js'
import type { RequestContext } from './context.js'
import type { Operation } from './operation.js'
import { isResponse, toJsonResponse } from './respond.js'

/** An exchange that has ended, as the log needs it. */
export interface FinishedExchange {
  readonly c: RequestContext
  readonly operation: Operation | undefined
  readonly outcome: HandlerResult
  readonly requestId: string
  readonly duration_ms: number
  readonly logRecord?: LogRecord | undefined
  readonly entered?: AuthenticatedRequest | undefined
}

/** Writes one exchange to the log: its outcome, why it was refused, the rule behind it and its world. */
export const logExchange = (api: Api, ended: FinishedExchange): void => {
  if (!api.log) return
  const { c, operation, outcome, requestId, duration_ms, logRecord, entered } = ended
  const live = entered && api.sandbox.liveWorldOf(entered.world)
  const note = live && logRecord && findRepeat(live.journal, logRecord.from, logRecord.to)
  api.log({
    method: c.req.method,
    path: logRecord?.path ?? api.redact(c.req.path),
    status: isResponse(outcome) ? outcome.status : (toJsonResponse(outcome)?.status ?? null),
    duration_ms,
    ...(logRecord?.aborted_ms !== undefined && { aborted_ms: logRecord.aborted_ms }),
    request_id: requestId,
    operation: operation?.id,
    ...(live && { world: live.id }),
    ...(logRecord?.fault !== undefined && { fault: logRecord.fault }),
    ...findReason(api, outcome),
    ...(note !== undefined && { note }),
  })
}

/** Code and message of a refusal; nothing where a rule has spoilt the body. */
const findReason = (api: Api, outcome: HandlerResult): Pick<Exchange, 'code' | 'message'> => {
  const sent = toJsonResponse(outcome)
  if (!sent || sent.status < 400) return {}
  const { code, message } = errorIn(sent.text)
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message: api.redact(message) }),
  }
}

const errorIn = (text: string): { readonly code?: unknown; readonly message?: unknown } => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
