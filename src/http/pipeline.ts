import type { AssumptionId } from '../assumptions/ids.js'
import { assumedHeader } from '../assumptions/register/by-risk.js'
import type { Readings } from '../assumptions/use.js'
import type { World } from '../domain/world.js'
import { captureHeaders, NO_HEADERS } from '../request-log/headers.js'
import {
  forgetEntries,
  type JsonResponse,
  type LogRecord,
  startLogRecord,
} from '../request-log/log-record.js'
import type { Api, ApiResponse, AuthenticatedRequest, HandlerResult } from './api.js'
import { FAULT_HEADER } from './api-error.js'
import { nodeStreams, type RequestContext } from './context.js'
import { isDropped } from './dropped-connection.js'
import { HINT_HEADER } from './hint.js'
import { logExchange } from './log-exchange.js'
import type { Operation } from './operation.js'
import { newRequestId } from './request-id.js'
import { type RequestReadings, readingsBeforeAuth } from './request-readings.js'
import { errorResponse, isResponse, toJsonResponse } from './respond.js'
import { unconfirmedError } from './strict-mode.js'

/**
 * Lets a request in, runs its steps, turns what is thrown into an error body, logs the exchange and, on
 * the service face, records it.
 */
export const handleRequest = (
  api: Api,
  c: RequestContext,
  operation: Operation | undefined,
  steps: (letIn: HandledRequest) => HandlerResult | Promise<HandlerResult>,
  before?: (readings: Readings) => void,
): ApiResponse | Promise<ApiResponse> => {
  try {
    const early = api.receive?.(c)
    if (early) return { outcome: early, requestId: newRequestId(), assumed: '' }
  } catch (error) {
    return refuseUnrecorded(api, c, operation, error)
  }
  const logRecord = api.kind === 'request' ? record(api, c, operation) : undefined
  const start = api.log || logRecord ? performance.now() : 0
  let entered: AuthenticatedRequest | undefined
  const readings = readingsBeforeAuth(api.sandbox, c)
  const asked = api.kind === 'request' ? readings : undefined
  let requestId = ''
  // The id may be of the world that the request enters; of the default one when it enters none.
  const identify = (world?: World): string => {
    if (requestId === '') requestId = api.sandbox.drawRequestId(world) ?? newRequestId()
    if (logRecord) logRecord.id = requestId
    return requestId
  }
  const done = (came: HandlerResult): ApiResponse => {
    const guesses =
      asked && api.sandbox.isStrict && !isMadeByRule(came) ? asked.unconfirmed() : NONE
    const bare = guesses.length > 0 ? refusal(unconfirmedError(guesses)) : came
    const framed = entered?.headers ? withHeaders(bare, entered.headers) : bare
    const hinted = entered && operation ? framed : withHint(api, c, framed)
    const outcome = api.headersFor ? withHeaders(hinted, api.headersFor(c)) : hinted
    const use = asked && !isMadeByRule(outcome) ? asked.usage() : undefined
    const assumed = use ? assumedHeader(use) : ''
    if (use) api.sandbox.recordAssumptionUse(use, entered?.world)
    const duration_ms = api.log || logRecord ? performance.now() - start : 0
    if (logRecord) {
      logRecord.assumed = assumed
      logRecord.duration_us = Math.round(duration_ms * 1_000)
      api.sandbox.record(logRecord, toJsonResponse(outcome), api.redact, entered?.world)
    }
    logExchange(api, { c, operation, outcome, requestId, duration_ms, logRecord, entered })
    entered?.release?.()
    return { outcome, requestId, assumed }
  }
  const refusal = (error: unknown) =>
    errorResponse(c, error, identify(entered?.world), api.report, asked)
  // Nobody is told of what a crash could still take back.
  const settled = (outcome: HandlerResult): ApiResponse | Promise<ApiResponse> => {
    const pending = api.sandbox.flushed()
    if (!pending) return done(outcome)
    return pending.then(
      () => done(outcome),
      (error) => unkept(outcome, error),
    )
  }
  const failed = (error: unknown) => settled(refusal(error))
  let isSecond = false
  const unkept = (outcome: HandlerResult, error: unknown): ApiResponse | Promise<ApiResponse> => {
    if (logRecord) forgetEntries(logRecord)
    if (isResponse(outcome)) void outcome.body?.cancel()
    if (isSecond || !SAFE_METHODS.has(c.req.method)) return done(refusal(error))
    // What it has seen was taken back, so it comes in once more and looks again.
    isSecond = true
    entered?.release?.()
    entered = undefined
    return play()
  }
  const play = (): ApiResponse | Promise<ApiResponse> => {
    try {
      before?.(readings)
      entered = api.authenticate(c, operation, readings)
      return go(entered)
    } catch (error) {
      return failed(error)
    }
  }
  const go = (now: AuthenticatedRequest): ApiResponse | Promise<ApiResponse> => {
    try {
      const { busy } = api.sandbox.liveWorldOf(now.world)
      if (busy && !operation?.isOpen) {
        return busy.then(() => {
          entered = { ...now, world: api.sandbox.current(now.world) }
          return go(entered)
        })
      }
      readings.setWorld(now.world.tables.readings)
      const outcome = steps({ entered: now, logRecord, readings, requestId: identify(now.world) })
      return outcome instanceof Promise ? outcome.then(settled, failed) : settled(outcome)
    } catch (error) {
      return failed(error)
    }
  }
  return play()
}

/** Answers a caller that may not call: what another site makes a browser send is no traffic of any world. */
export const refuseUnrecorded = (
  api: Api,
  c: RequestContext,
  operation: Operation | undefined,
  error: unknown,
): ApiResponse => {
  const requestId = newRequestId()
  const outcome = errorResponse(c, error, requestId, api.report)
  logExchange(api, { c, operation, outcome, requestId, duration_ms: 0 })
  return { outcome: withHint(api, c, outcome), requestId, assumed: '' }
}

/** A request that was let in. */
export interface HandledRequest {
  readonly entered: AuthenticatedRequest
  readonly logRecord: LogRecord | undefined
  readonly readings: RequestReadings
  readonly requestId: string
}

const NONE: readonly AssumptionId[] = []

/** Whether a rule made or altered it: that rests on nothing but the rule. */
const isMadeByRule = (outcome: HandlerResult): boolean => {
  if (isResponse(outcome)) return false
  if (isDropped(outcome)) return true
  return !outcome.untouched && outcome.headers !== NO_HEADERS && FAULT_HEADER in outcome.headers
}

/** Methods that change nothing, so that they can be tried once more. */
const SAFE_METHODS = new Set(['GET', 'HEAD'])

/** Adds a hint to a refusal by the gate, or of an unknown path. */
const withHint = (api: Api, c: RequestContext, outcome: HandlerResult): HandlerResult => {
  const { status = 0 } = toJsonResponse(outcome) ?? {}
  const hint = status >= 400 ? api.hintFor?.(c) : undefined
  return hint === undefined ? outcome : withHeaders(outcome, { [HINT_HEADER]: hint })
}

/** Adds headers where the answer has none of these names. */
const withHeaders = (outcome: HandlerResult, headers: JsonResponse['headers']): HandlerResult => {
  if (headers === NO_HEADERS) return outcome
  if (isResponse(outcome)) {
    for (const [name, value] of Object.entries(headers)) {
      if (!outcome.headers.has(name)) outcome.headers.set(name, value)
    }
    return outcome
  }
  if (!isDropped(outcome)) return { ...outcome, headers: { ...headers, ...outcome.headers } }
  const { rule, partial } = outcome
  return partial
    ? { rule, partial: { ...partial, headers: { ...headers, ...partial.headers } } }
    : outcome
}

/** Begins to record an exchange, unless the sandbox keeps none. */
const record = (
  { sandbox, redact }: Api,
  c: RequestContext,
  operation: Operation | undefined,
): LogRecord | undefined => {
  if (!sandbox.keepsRequests) return undefined
  const { method, path, url, raw } = c.req
  const { incoming } = nodeStreams(c)
  const given = incoming ? incoming.rawHeaders : [...(raw?.headers ?? [])].flat()
  const started_at = sandbox.machineTime()
  return startLogRecord({
    method,
    path: redact(path),
    url: redact(url),
    headers: captureHeaders(given, redact),
    operation,
    started_at,
  })
}
