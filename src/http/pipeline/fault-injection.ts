import { FAULT_HEADER } from '../../contract/header-names.js'
import type { RuleFiring } from '../../domain/scenario-state.js'
import type { World } from '../../domain/world.js'
import type { JsonResponse } from '../../history/log-record.js'
import { type RepeatableId, repeatableId } from '../../history/repeatable-id.js'
import { oneOrAll } from '../../history/views.js'
import { type Incoming, readRequest } from '../../scenarios/evaluate/field-access.js'
import { evaluateRequestRules, requestRules } from '../../scenarios/evaluate/request-rules.js'
import type { Effect, Ending, ErrorBody } from '../../scenarios/faults/define.js'
import type { Fault } from '../../scenarios/faults/fault.js'
import { MAX_DELAY_MS } from '../../scenarios/faults/timing.js'
import { WorldMovedError } from '../../worlds/errors.js'
import type { DroppedConnection, HandlerResult } from '../operation/api.js'
import { ApiError } from '../operation/api-error.js'
import { type ParsedBody, SAFE_METHODS } from '../operation/context.js'
import { authenticate } from './enter-world.js'
import { conflict, type Flight, findFlight, trackFlight } from './in-flight.js'
import type { PipelineContext } from './pipeline-context.js'
import { errorBody, isDropped, isResponse, requestPath } from './respond.js'

/** Runs the operation in a world, or in a copy of an earlier state of it. */
type Run = (world: World) => HandlerResult | Promise<HandlerResult>

/**
 * Runs the operation unless a scenario rule applies a fault. A repeat of a request that still runs waits
 * for its command, or is refused (repeat.in_flight).
 */
export const withFaults = (
  ctx: PipelineContext,
  body: ParsedBody,
  run: Run,
): HandlerResult | Promise<HandlerResult> => {
  const { api, live, readings, route, use, world } = ctx
  if (!use || api.sandbox.isReadOnly) return run(world)
  const repeatable = repeatableId(route.operation?.id, body.body)
  const first = repeatable && findFlight(live, repeatable)
  if (!first) return applyRules(ctx, body, run, repeatable)
  if (readings.repeat.in_flight === 'conflict') throw conflict(repeatable)
  // Nothing waits for a repeat, so it is no flight itself.
  return applyRules(ctx, body, run, undefined, first)
}

/** Evaluates the rules of scenarios, and applies the fault of the one that fires. */
const applyRules = (
  ctx: PipelineContext,
  { body }: ParsedBody,
  run: Run,
  repeatable: RepeatableId | undefined,
  first?: Flight,
): HandlerResult | Promise<HandlerResult> => {
  const { live, log, world } = ctx
  if (ctx.fault) log.setFault(ctx.fault.rule)
  const fault = ctx.fault ?? fireRule(ctx, body)
  const runTaking: Run = (now) => {
    const result = run(now)
    if (ctx.later) recordFiring(ctx, now, ctx.later)
    return result
  }
  if (!fault && !first) return runTaking(world)
  const go = async (left: Promise<void> | undefined, flight?: Flight): Promise<JsonResponse> => {
    try {
      if (first && left) await waitFor(first, left)
      if (first || ctx.fault) await catchUp(ctx, fault)
      assertSameWorld(ctx, fault?.rule)
      const sent = runAfterWait(ctx, fault, runTaking)
      ctx.isCommitted = sent.status < 400 && !SAFE_METHODS.has(ctx.req.method)
      return sent
    } catch (error) {
      if (error instanceof WorldMovedError) throw error
      return ctx.toErrorResponse(error)
    } finally {
      flight?.setRan()
      log.updatePending(live)
    }
  }
  const play = (left?: Promise<void>, flight?: Flight) =>
    fault ? applyFault(ctx, fault, left, () => go(left, flight)) : go(left)
  const respond = (left?: Promise<void>) =>
    repeatable ? trackFlight(live, repeatable, (flight) => play(left, flight)) : play(left)
  ctx.heldSince ??= world.seq
  return first || takesTime(fault) ? log.whilePending(live, world, respond) : respond()
}

/** Runs the slots of a fault in their order. `left` resolves when the client leaves. */
const applyFault = async (
  ctx: PipelineContext,
  fault: Fault,
  left: Promise<void> | undefined,
  go: () => Promise<JsonResponse>,
): Promise<JsonResponse | DroppedConnection> => {
  const { rule, effect } = fault
  const sleep = async (ms: number, left?: Promise<void>) => {
    let stop = () => {}
    const replaced = new Promise<void>((resolve) => {
      stop = ctx.live.onReplaced(resolve)
    })
    await ctx.api.sandbox.sleep(ms, left ? Promise.race([left, replaced]) : replaced)
    stop()
    assertSameWorld(ctx, rule)
  }
  const buildErrorBody: ErrorBody = (details) =>
    errorBody(details, ctx.req.method, requestPath(ctx), ctx.requestId)
  const end = async (how: Ending, sent?: JsonResponse): Promise<DroppedConnection> => {
    // A request that is never answered ends with its client.
    if (how === 'hang') await sleep(MAX_DELAY_MS, left)
    const partial = how === 'half' && sent ? { ...sent, garbled: true as const } : undefined
    return { rule, partial, isReset: how === 'reset' }
  }
  const wait = async (slot: 'wait' | 'before' | 'after') => {
    ctx.waited ??= new Set()
    const ms = heldMs(effect[slot])
    if (ms > 0 && !ctx.waited.has(slot)) await sleep(ms)
    ctx.waited.add(slot)
  }
  if (takesTime(fault) || effect.asOf) await storeFault(ctx, fault)
  await wait('wait')
  if (typeof effect.before === 'string') return end(effect.before)
  await wait('before')
  const sent = effect.replace ? effect.replace(buildErrorBody) : await go()
  if (ctx.later && sent.status >= 400) return sent
  await wait('after')
  const marked = {
    ...sent,
    headers: { ...sent.headers, [FAULT_HEADER]: rule },
    ...(typeof effect.send === 'object' && {
      trickle: { ...effect.send, sleep: (ms: number) => ctx.api.sandbox.sleep(ms) },
    }),
  }
  const altered = effect.alter?.(marked)
  if (typeof effect.send === 'string') return end(effect.send, altered ?? marked)
  if (altered) return altered
  const isOwn = !effect.replace && !(FAULT_HEADER in sent.headers)
  return isOwn ? { ...marked, untouched: true } : marked
}

const heldMs = (slot: Effect['before']): number => (typeof slot === 'object' ? slot.hold_ms : 0)

/** A request that waited ends with its world: in the next one it would be another test's. */
const assertSameWorld = ({ heldSince, live }: PipelineContext, rule?: string): void => {
  if (heldSince === undefined || !live.isReplacedSince(heldSince)) return
  const message = 'The world was reset or restored while this request waited.'
  throw new ApiError('5030', message, rule === undefined ? {} : { [FAULT_HEADER]: rule })
}

/** Others may change the world during a wait, so the rule's entry is stored first. */
const storeFault = async (ctx: PipelineContext, fault: Fault): Promise<void> => {
  if (!ctx.fault) await ctx.api.sandbox.flushed(ctx.live)
  ctx.fault = fault
}

/** After a wait: a shared log may have news of the world. */
const catchUp = async ({ api, live }: PipelineContext, fault: Fault | undefined): Promise<void> => {
  const { worlds } = api.sandbox
  const loading = worlds.load(live.id, fault?.effect.asOf ? 'whole' : undefined)
  if (!loading) return
  await loading
  if (worlds.find(live.id) !== live) throw new WorldMovedError()
}

/** Finds the rule that fires, and stores the counts of all that matched. */
const fireRule = (ctx: PipelineContext, body: unknown): Fault | undefined => {
  ctx.later = undefined
  const { api, route, scenarios, world } = ctx
  const rules = requestRules(api.sandbox.catalogue, world.tables, scenarios, route.operation?.id)
  if (rules.length === 0) return undefined
  const look = () => readRequest(world.tables, toIncoming(ctx, body))
  const { tables, now, seed } = world
  const { fault, counts, call, limited } = evaluateRequestRules(rules, look, tables, now, seed)
  if (!fault && counts.length === 0 && call === undefined) return undefined
  const { rule = null, source = null } = fault ?? {}
  const firing = { rule, source, counts, ...(call !== undefined && { call }) }
  const waits = (call !== undefined || limited !== undefined) && isAfterOperation(fault)
  if (waits) ctx.later = { ...firing, counts: limited ? [limited] : [] }
  const others = counts.filter((it) => it !== limited)
  if (!ctx.later) recordFiring(ctx, world, firing)
  else if (others.length > 0) recordFiring(ctx, world, { rule: null, source: null, counts: others })
  if (call !== undefined && !fault) ctx.scenarios = [call, ...(scenarios ?? [])]
  return fault
}

const recordFiring = ({ log, cause }: PipelineContext, world: World, firing: RuleFiring): void => {
  log.trackEntries(world, () => world.run('rule.fire', firing, cause))
  if (firing.rule !== null) log.setFault(firing.rule)
}

/** An armed call or a rule with a limit and such an effect waits for a request that is not refused. */
const isAfterOperation = (fault: Fault | undefined): boolean => {
  if (!fault) return true
  const { wait, before, asOf, replace } = fault.effect
  const comesFirst = typeof before === 'string' || heldMs(wait) + heldMs(before) > 0
  return !comesFirst && !asOf && !replace
}

/** Waits for the command of the first request with the id, unless the client leaves. */
const waitFor = (first: Flight, left: Promise<void>): Promise<void> =>
  Promise.race([
    first.ran,
    left.then(() => {
      throw conflict(first)
    }),
  ])

/** Enters the world again after a wait, or runs in a copy of an earlier state. */
const runAfterWait = (ctx: PipelineContext, fault: Fault | undefined, run: Run): JsonResponse => {
  const { api, live, route } = ctx
  if (live.current() !== ctx.world) {
    authenticate(ctx, live, api.nameWorld(ctx, route.operation))
  }
  const now = ctx.enter(live)
  const age_ms = fault?.effect.asOf
  if (!age_ms) return assertJson(run(now))
  const past = ctx.live.asOf(age_ms)
  ctx.readings.setWorld(past.tables.readings)
  return ctx.log.withoutEntries(now, () => assertJson(run(past)))
}

const takesTime = (fault: Fault | undefined): boolean => {
  const { wait, before, after, send } = fault?.effect ?? {}
  return [before, send].includes('hang') || [wait, before, after].some((slot) => heldMs(slot) > 0)
}

/** The service responds with JSON only, and at once. */
const assertJson = (result: HandlerResult | Promise<HandlerResult>): JsonResponse => {
  if (result instanceof Promise || isResponse(result) || isDropped(result))
    throw new Error('a rule met a response that is no JSON')
  return result
}

const toIncoming = ({ req, route }: PipelineContext, body: unknown): Incoming => ({
  operation: route.operation?.id ?? null,
  method: req.method,
  path: req.path,
  body,
  params: () => req.param(),
  query: () => queryParameters(req.queries()),
  headers: () => req.header(),
})

/** Query parameters by name. A parameter that was sent several times is a list. */
const queryParameters = (queries: Record<string, string[]>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, oneOrAll(values)]))
