import type { Choices } from '../assumptions/use.js'
import type { World } from '../domain/world.js'
import type { Cause } from '../kernel/entry.js'
import {
  type JsonResponse,
  type LogRecord,
  trackEntries,
  withoutEntries,
} from '../request-log/log-record.js'
import { oneOrAll } from '../request-log/views.js'
import { type Incoming, requestView } from '../scenarios/evaluate/field-access.js'
import { evaluateRequestRules, type Fault } from '../scenarios/evaluate/request-rules.js'
import type { Api, AuthenticatedRequest, HandlerResult } from './api.js'
import { applyFault } from './apply-fault.js'
import type { RequestContext } from './context.js'
import { conflict, type Flight, findFlights, repeatableId, trackFlight } from './in-flight.js'
import type { Operation } from './operation.js'
import { recordProgress, withPendingRecord } from './pending-record.js'
import type { RequestReadings } from './request-readings.js'
import { errorResponse, isResponse, requestPath } from './respond.js'
import { parseReadingHeader, parseScenarioHeader } from './sandbox-headers.js'

/** A request that has passed the door: its world, and itself as the cause of commands. */
export interface AdmittedRequest {
  readonly world: World
  readonly cause: Cause
  readonly requestId: string
  readonly operation: Operation | undefined
  readonly scenarios: readonly string[] | undefined
  readonly logRecord: LogRecord | undefined
  readonly readings: RequestReadings
}

/** Reads which scenarios and readings a request names, and makes it the cause of what follows. */
export const prepareRequest = (
  api: Api,
  c: RequestContext,
  operation: Operation | undefined,
  requestId: string,
  { world, key }: AuthenticatedRequest,
  logRecord: LogRecord | undefined,
  readings: RequestReadings,
): AdmittedRequest => {
  const scenarios = parseScenarioHeader(c, api.sandbox, world)
  const { header } = readings
  const chosen = header === undefined ? undefined : parseReadingHeader(header)
  const cause = createCause(api.kind, requestId, operation?.id ?? 'unknown', key, scenarios, chosen)
  return { world, cause, requestId, operation, scenarios, logRecord, readings }
}

/** Without what is not there; causes are kept by the thousand, so the usual ones are written out. */
const createCause = (
  kind: Api['kind'],
  request: string,
  operation: string,
  key: string | undefined,
  scenarios: readonly string[] | undefined,
  readings: Choices | undefined,
): Cause => {
  const asked = key === undefined ? { kind, request, operation } : { kind, request, operation, key }
  if (!scenarios && !readings) return asked
  return { ...asked, ...(scenarios && { scenarios }), ...(readings && { readings }) }
}

/** The body that came, or why it could not be read: rules go first. */
export interface ReadBody {
  readonly body: unknown
  readonly error?: unknown
}
export const NO_BODY: ReadBody = { body: undefined }

/** Runs the operation; `isDoubled` when it is to make a record beside another request of the same id. */
type RunOperation = (
  world: World,
  isDoubled?: boolean,
) => JsonResponse | Response | Promise<JsonResponse | Response>

/**
 * Answers a request of the service, unless a rule of some scenario steps in. A repeat of a request that is
 * still running waits for it, is refused, or runs beside it (repeat.in_flight).
 */
export const withFaults = (
  api: Api,
  c: RequestContext,
  admitted: AdmittedRequest,
  body: ReadBody,
  go: RunOperation,
): HandlerResult | Promise<HandlerResult> => {
  const { world, operation, readings } = admitted
  if (api.kind !== 'request' || api.sandbox.isHeld) return go(world)
  const repeatable = repeatableId(operation?.id, body.body)
  const others = repeatable ? findFlights(world, repeatable, readings) : []
  if (!repeatable || others.length === 0) return applyRules(api, c, admitted, body, go)
  switch (readings.use('repeat.in_flight')) {
    case 'conflict':
      throw conflict(repeatable)
    case 'second':
      for (const flight of others) flight.isDoubled = true
      return applyRules(api, c, admitted, body, (now) => go(now, true))
    case 'waits':
      return withPendingRecord(api, c, world, admitted.logRecord, () =>
        Promise.all(others.map(({ ended }) => ended)),
      ).then(() => {
        const now = { ...admitted, world: api.sandbox.current(world) }
        return withFaults(api, c, now, body, go)
      })
  }
}

/** Asks the rules of scenarios, and plays the fault of the one that fires. */
const applyRules = (
  api: Api,
  c: RequestContext,
  { world, cause, requestId, operation, scenarios, logRecord, readings }: AdmittedRequest,
  { body }: ReadBody,
  go: RunOperation,
): HandlerResult | Promise<HandlerResult> => {
  const rules = api.sandbox.requestRules(world, scenarios, operation?.id)
  if (rules.length === 0) return go(world)
  const look = () => requestView(world.tables, toIncoming(c, operation, body))
  const { fault, counts } = evaluateRequestRules(rules, look, world.tables, world.now, world.seed)
  if (!fault && counts.length === 0) return go(world)
  const { rule = null, source = null } = fault ?? {}
  trackEntries(logRecord, world, () => world.run('rule.fire', { rule, source, counts }, cause))
  if (!fault) return go(world)
  if (logRecord) {
    logRecord.fault = fault.rule
    logRecord.rules = [fault.rule]
  }
  const { method } = c.req
  const sleep = (ms: number, early?: Promise<void>) => api.sandbox.sleep(ms, early)
  const affected = { method, path: requestPath(c), requestId, sleep }
  const play = (left: Promise<void> | undefined, flight?: Flight) =>
    applyFault(fault, { ...affected, left }, () => {
      const isDoubled = flight?.isDoubled
      if (isDoubled) readings.record('repeat.in_flight', 'second')
      try {
        // A delay takes time: by its end the clock has moved on, and a reset may have come between.
        const now = api.sandbox.current(world)
        if (fault.stale_ms === 0) return assertJson(go(now, isDoubled))
        const past = api.sandbox.liveWorldOf(now).asOf(fault.stale_ms)
        return withoutEntries(logRecord, now, () => assertJson(go(past)))
      } catch (error) {
        return errorResponse(c, error, requestId, api.report, readings)
      } finally {
        recordProgress(api, world, logRecord)
      }
    })
  const repeatable = repeatableId(operation?.id, body)
  const answer = (left?: Promise<void>) =>
    repeatable ? trackFlight(world, repeatable, (flight) => play(left, flight)) : play(left)
  return takesTime(fault) ? withPendingRecord(api, c, world, logRecord, answer) : answer()
}

const takesTime = ({ delay_ms, hold_commit_ms, hold_answer_ms, hang }: Fault): boolean =>
  delay_ms > 0 || hold_commit_ms > 0 || hold_answer_ms > 0 || hang !== undefined

/** The service answers nothing but JSON, and at once. */
const assertJson = (
  outcome: JsonResponse | Response | Promise<JsonResponse | Response>,
): JsonResponse => {
  if (isResponse(outcome) || outcome instanceof Promise)
    throw new Error('a rule met an answer that is no JSON')
  return outcome
}

const toIncoming = (
  c: RequestContext,
  operation: Operation | undefined,
  body: unknown,
): Incoming => ({
  operation: operation?.id ?? null,
  method: c.req.method,
  path: c.req.path,
  body,
  params: () => c.req.param(),
  query: () => queryParameters(c),
  headers: () => c.req.header(),
})

/** Query parameters by name; one that came several times is a list. */
const queryParameters = (c: RequestContext): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [name, oneOrAll(values)]),
  )
