import type { World } from '../domain/world.js'
import type { JsonResponse } from '../request-log/log-record.js'
import { oneOrAll } from '../request-log/views.js'
import { type Incoming, readRequest } from '../scenarios/evaluate/field-access.js'
import {
  evaluateRequestRules,
  type Fault,
  requestRules,
} from '../scenarios/evaluate/request-rules.js'
import type { HandlerResult } from './api.js'
import { applyFault } from './apply-fault.js'
import type { ParsedBody } from './context.js'
import { isDropped } from './dropped-connection.js'
import { conflict, type Flight, findFlights, repeatableId, trackFlight } from './in-flight.js'
import type { PipelineContext } from './pipeline-context.js'
import { isResponse, requestPath } from './respond.js'

/** Runs the operation in a world, or in a copy of an earlier state of it. */
type Run = (world: World) => HandlerResult | Promise<HandlerResult>

/**
 * Runs the operation unless a scenario rule applies a fault. A repeat of a request that still runs waits
 * for it, is refused, or runs beside it (repeat.in_flight).
 */
export const withFaults = (
  ctx: PipelineContext,
  body: ParsedBody,
  run: Run,
): HandlerResult | Promise<HandlerResult> => {
  const { api, readings, route, use, world } = ctx
  if (!use || api.sandbox.isReadOnly) return run(world)
  const repeatable = repeatableId(route.operation?.id, body.body)
  const others = repeatable ? findFlights(world, repeatable, readings) : []
  if (!repeatable || others.length === 0) return applyRules(ctx, body, run)
  switch (readings.use('repeat.in_flight')) {
    case 'conflict':
      throw conflict(repeatable)
    case 'second':
      for (const flight of others) flight.isDoubled = true
      ctx.isDoubled = true
      return applyRules(ctx, body, run)
    case 'waits':
      return waitFor(ctx, others).then(() => withFaults(ctx, body, run))
  }
}

const waitFor = async (ctx: PipelineContext, flights: readonly Flight[]): Promise<void> => {
  const { live, log, world } = ctx
  await log.whilePending(live, world, () => Promise.all(flights.map(({ ended }) => ended)))
  ctx.enter(live)
}

/** Evaluates the rules of scenarios, and applies the fault of the one that fires. */
const applyRules = (
  ctx: PipelineContext,
  { body }: ParsedBody,
  run: Run,
): HandlerResult | Promise<HandlerResult> => {
  const { api, cause, live, log, readings, requestId, route, scenarios, world } = ctx
  const { sandbox } = api
  const rules = requestRules(sandbox.catalogue, world.tables, scenarios, route.operation?.id)
  if (rules.length === 0) return run(world)
  const look = () => readRequest(world.tables, toIncoming(ctx, body))
  const { fault, counts } = evaluateRequestRules(rules, look, world.tables, world.now, world.seed)
  if (!fault && counts.length === 0) return run(world)
  const { rule = null, source = null } = fault ?? {}
  log.trackEntries(world, () => world.run('rule.fire', { rule, source, counts }, cause))
  if (!fault) return run(world)
  log.setFault(fault.rule)
  const sleep = (ms: number, early?: Promise<void>) => sandbox.sleep(ms, early)
  const affected = { method: ctx.req.method, path: requestPath(ctx), requestId, sleep }
  const play = (left: Promise<void> | undefined, flight?: Flight) =>
    applyFault(fault, { ...affected, left }, () => {
      if (flight?.isDoubled) {
        ctx.isDoubled = true
        readings.record('repeat.in_flight', 'second')
      }
      try {
        return runAfterWait(ctx, fault, run)
      } catch (error) {
        return ctx.toErrorResponse(error)
      } finally {
        log.updatePending(live)
      }
    })
  const repeatable = repeatableId(route.operation?.id, body)
  const respond = (left?: Promise<void>) =>
    repeatable ? trackFlight(world, repeatable, (flight) => play(left, flight)) : play(left)
  return takesTime(fault) ? log.whilePending(live, world, respond) : respond()
}

/** Enters the world again after the fault's delay, or runs in a copy of an earlier state (stale_ms). */
const runAfterWait = (ctx: PipelineContext, { stale_ms }: Fault, run: Run): JsonResponse => {
  const now = ctx.enter(ctx.live)
  if (stale_ms === 0) return assertJson(run(now))
  const past = ctx.live.asOf(stale_ms)
  ctx.readings.setWorld(past.tables.readings)
  return ctx.log.withoutEntries(now, () => assertJson(run(past)))
}

const takesTime = ({ delay_ms, hold_commit_ms, hold_answer_ms, hang }: Fault): boolean =>
  delay_ms > 0 || hold_commit_ms > 0 || hold_answer_ms > 0 || hang !== undefined

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
