import type { Readings } from '../../assumptions/use.js'
import { FAULT_HEADER } from '../../contract/header-names.js'
import { NO_HEADERS } from '../../history/headers.js'
import { WorldMovedError } from '../../worlds/errors.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { Api, HandlerResult } from '../operation/api.js'
import { NO_BODY, type RequestContext, SAFE_METHODS } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { enterWorld } from './enter-world.js'
import { ExchangeLog, logUnrecorded } from './exchange-log.js'
import { withFaults } from './fault-injection.js'
import { parseBody } from './parse-body.js'
import { PipelineContext, type Route } from './pipeline-context.js'
import { hasBody, readBody } from './read-body.js'
import { errorResponse, isDropped, isResponse, toJsonResponse } from './respond.js'
import { addHeaders, assumedHeader, newRequestId } from './response-headers.js'
import { unconfirmedError } from './strict-mode.js'

/** Attempts of a request whose world others keep changing. */
export const MAX_ATTEMPTS = 30
/** Attempts that follow each other without a wait. */
const MAX_AT_ONCE = 5

/** Handles a request, from the check of its origin to the response that may be sent. */
export const handleRequest = async (
  api: Api,
  route: Route,
  c: RequestContext,
): Promise<HandlerResult> => {
  const unrecorded = runGuard(api, route, c)
  if (unrecorded) return unrecorded
  const answer = () => answerInWorld(api, route, c)
  return api.inTurn ? api.inTurn(c, route.operation, answer) : answer()
}

const answerInWorld = async (api: Api, route: Route, c: RequestContext): Promise<HandlerResult> => {
  const ctx = new PipelineContext(api, route, c)
  let isRepeatable = SAFE_METHODS.has(c.req.method)
  for (let attempts = 1; ; attempts++) {
    let result: HandlerResult | undefined
    let failure: unknown
    try {
      result = await attempt(ctx)
      const pending = pendingWrites(ctx)
      if (pending) await pending
    } catch (error) {
      failure = error
    }
    if (result && failure === undefined) return finish(ctx, result)
    discardAttempt(ctx, result)
    if (failure instanceof WorldMovedError && attempts < MAX_ATTEMPTS) {
      if (failure.hasProgress) attempts--
      if (attempts > MAX_AT_ONCE) await api.sandbox.sleep(attempts)
      continue
    }
    if (!isRepeatable) return finish(ctx, ctx.toErrorResponse(failure))
    // A read saw what was rolled back, so it runs once more.
    isRepeatable = false
  }
}

/** Runs all stages. Errors become the error body here, but for that of a world that others changed. */
const attempt = async (ctx: PipelineContext): Promise<HandlerResult> => {
  const { api, route } = ctx
  try {
    const { operation } = route
    // Requests that are refused before their body is parsed are logged with it.
    if (operation?.body || (api.kind === 'request' && hasBody(ctx))) {
      ctx.bodyText ??= await readBody(ctx)
    }
    await enterWorld(ctx)
    const body = operation?.body && ctx.bodyText ? await parseBody(ctx, ctx.bodyText) : NO_BODY
    const result = withFaults(ctx, body, (world) => route.run(ctx, world, body))
    return result instanceof Promise ? await result : result
  } catch (error) {
    if (error instanceof WorldMovedError) throw error
    return ctx.toErrorResponse(error)
  }
}

/** Refuses requests of other origins, and answers preflights. No world records them. */
const runGuard = (api: Api, route: Route, c: RequestContext): HandlerResult | undefined => {
  try {
    const outcome = api.guard?.(c)
    return outcome && addHeaders(outcome, { requestId: newRequestId() })
  } catch (error) {
    return refuseUnrecorded(api, c, route.operation, error)
  }
}

/** The error response to a request that enters no world. The log of `live` records it, if there is one. */
export const refuseUnrecorded = (
  api: Api,
  c: RequestContext,
  operation: Operation | undefined,
  error: unknown,
  readings?: Readings,
  live?: LiveWorld,
): HandlerResult => {
  const requestId = newRequestId()
  const { isStrict, main } = api.sandbox
  let outcome = errorResponse(c, error, requestId, api.report, readings)
  const guesses = isStrict && readings ? readings.unconfirmed() : []
  if (guesses.length > 0) {
    outcome = errorResponse(c, unconfirmedError(guesses), requestId, api.report)
  }
  if (readings) main.requests.usage.count(readings.used, main.world.now)
  if (live) new ExchangeLog(api, c, operation).finish(live, false, requestId, outcome, '')
  else logUnrecorded(api, { c, operation, outcome, requestId })
  return addHeaders(outcome, {
    requestId,
    ...(readings && { assumed: assumedHeader(readings) }),
    api: api.headersFor(c),
    hint: findHint(api, c, outcome),
  })
}

/** Resolves once a crash can no longer undo what the response shows. */
const pendingWrites = (ctx: PipelineContext): Promise<void> | undefined => {
  const { api, authenticated, live, route } = ctx
  const { spansWorlds } = route.operation ?? {}
  // An operation that changes another world has waited for that one.
  if (spansWorlds && !SAFE_METHODS.has(ctx.req.method)) return undefined
  return api.sandbox.flushed(authenticated && !spansWorlds ? live : undefined)
}

const discardAttempt = (ctx: PipelineContext, result?: HandlerResult): void => {
  ctx.log.forgetEntries()
  ctx.release?.()
  ctx.release = undefined
  ctx.isCommitted = false
  if (result && isResponse(result)) void result.body?.cancel()
}

/** Adds the headers of the pipeline, and completes the log. */
const finish = (ctx: PipelineContext, result: HandlerResult): HandlerResult => {
  const { api, authenticated, requestId, route, use } = ctx
  const outcome = replaceUnconfirmed(ctx, result)
  const relied = use && (ctx.isCommitted || !isMadeByRule(outcome)) ? use : undefined
  const assumed = relied ? assumedHeader(relied) : ''
  if (relied) ctx.live.requests.usage.count(relied.used, ctx.world.now)
  const isHandled = authenticated && route.operation
  const answer = addHeaders(outcome, {
    requestId,
    assumed,
    api: api.headersFor(ctx),
    hint: isHandled ? ctx.hint : findHint(api, ctx, outcome),
    key: authenticated?.headers,
  })
  ctx.log.finish(ctx.live, authenticated !== undefined, requestId, answer, assumed)
  ctx.release?.()
  return answer
}

/** With --strict, a response that rests on a guess becomes an error. */
const replaceUnconfirmed = (ctx: PipelineContext, result: HandlerResult): HandlerResult => {
  if (!ctx.use || !ctx.api.sandbox.isStrict || isMadeByRule(result)) return result
  const guesses = ctx.use.unconfirmed()
  return guesses.length > 0 ? ctx.toErrorResponse(unconfirmedError(guesses)) : result
}

/** Whether a rule created or altered the response, which relies on no assumption then. */
const isMadeByRule = (outcome: HandlerResult): boolean => {
  if (isResponse(outcome)) return false
  if (isDropped(outcome)) return true
  return !outcome.untouched && outcome.headers !== NO_HEADERS && FAULT_HEADER in outcome.headers
}

/** The likely mistake in a request that authentication refused, or whose path is unknown. */
const findHint = (api: Api, c: RequestContext, outcome: HandlerResult): string | undefined => {
  const { status = 0 } = toJsonResponse(outcome) ?? {}
  return status >= 400 ? api.hintFor?.(c) : undefined
}
