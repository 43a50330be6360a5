import { oneOrAll } from '../exchanges/exchange.js'
import { noting, notingNothing, type Recording, type Sent } from '../exchanges/recording.js'
import { type Fault, judge } from '../scenarios/faults.js'
import { type Incoming, requestView } from '../scenarios/views.js'
import type { Cause } from '../world/kernel/entry.js'
import type { Choices } from '../world/readings.js'
import type { World } from '../world/world.js'
import type { Entered, Face, Outcome } from './face.js'
import { playFault } from './faults.js'
import { conflict, type Flight, fly, inFlight, repeatableId } from './in-flight.js'
import type { Inbound } from './inbound.js'
import type { Operation } from './operation.js'
import type { RequestReadings } from './request-readings.js'
import { errorAnswer, isResponse, pathCalled } from './respond.js'
import { choicesIn, namedScenarios } from './steer.js'
import { recordProgress, whilePending } from './waiting.js'

/** A request that has passed the door: its world, and itself as the cause of commands. */
export interface Admitted {
  readonly world: World
  readonly cause: Cause
  readonly requestId: string
  readonly operation: Operation | undefined
  readonly scenarios: readonly string[] | undefined
  readonly recording: Recording | undefined
  readonly readings: RequestReadings
}

/** Reads which scenarios and readings a request names, and makes it the cause of what follows. */
export const admit = (
  face: Face,
  c: Inbound,
  operation: Operation | undefined,
  requestId: string,
  { world, key }: Entered,
  recording: Recording | undefined,
  readings: RequestReadings,
): Admitted => {
  const scenarios = namedScenarios(c, face.sandbox, world)
  const { header } = readings
  const chosen = header === undefined ? undefined : choicesIn(header)
  const cause = causeOf(face.kind, requestId, operation?.id ?? 'unknown', key, scenarios, chosen)
  return { world, cause, requestId, operation, scenarios, recording, readings }
}

/** Without what is not there; causes are kept by the thousand, so the usual ones are written out. */
const causeOf = (
  kind: Face['kind'],
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
export interface CameBody {
  readonly body: unknown
  readonly error?: unknown
}
export const NO_BODY: CameBody = { body: undefined }

/** Runs the operation; `isDoubled` when it is to make a record beside another request of the same id. */
type Go = (world: World, isDoubled?: boolean) => Sent | Response | Promise<Sent | Response>

/**
 * Answers a request of the service, unless a rule of some scenario steps in. A repeat of a request that is
 * still running waits for it, is refused, or runs beside it (repeat.in_flight).
 */
export const underRules = (
  face: Face,
  c: Inbound,
  admitted: Admitted,
  came: CameBody,
  go: Go,
): Outcome | Promise<Outcome> => {
  const { world, operation, readings } = admitted
  if (face.kind !== 'request' || face.sandbox.isHeld) return go(world)
  const repeatable = repeatableId(operation?.id, came.body)
  const others = repeatable ? inFlight(world, repeatable, readings) : []
  if (!repeatable || others.length === 0) return judged(face, c, admitted, came, go)
  switch (readings.of('repeat.in_flight')) {
    case 'conflict':
      throw conflict(repeatable)
    case 'second':
      for (const flight of others) flight.isDoubled = true
      return judged(face, c, admitted, came, (now) => go(now, true))
    case 'waits':
      return whilePending(face, c, world, admitted.recording, () =>
        Promise.all(others.map(({ ended }) => ended)),
      ).then(() => {
        const now = { ...admitted, world: face.sandbox.current(world) }
        return underRules(face, c, now, came, go)
      })
  }
}

/** Asks the rules of scenarios, and plays the fault of the one that fires. */
const judged = (
  face: Face,
  c: Inbound,
  { world, cause, requestId, operation, scenarios, recording, readings }: Admitted,
  { body }: CameBody,
  go: Go,
): Outcome | Promise<Outcome> => {
  const rules = face.sandbox.requestRules(world, scenarios, operation?.id)
  if (rules.length === 0) return go(world)
  const look = () => requestView(world.tables, incomingOf(c, operation, body))
  const { fault, counts } = judge(rules, look, world.tables, world.now, world.seed)
  if (!fault && counts.length === 0) return go(world)
  const { rule = null, source = null } = fault ?? {}
  noting(recording, world, () => world.run('rule.fire', { rule, source, counts }, cause))
  if (!fault) return go(world)
  if (recording) {
    recording.fault = fault.rule
    recording.rules = [fault.rule]
  }
  const { method } = c.req
  const sleep = (ms: number, early?: Promise<void>) => face.sandbox.sleep(ms, early)
  const affected = { method, path: pathCalled(c), requestId, sleep }
  const play = (left: Promise<void> | undefined, flight?: Flight) =>
    playFault(fault, { ...affected, left }, () => {
      const isDoubled = flight?.isDoubled
      if (isDoubled) readings.note('repeat.in_flight', 'second')
      try {
        // A delay takes time: by its end the clock has moved on, and a reset may have come between.
        const now = face.sandbox.current(world)
        if (fault.stale_ms === 0) return textual(go(now, isDoubled))
        const past = face.sandbox.lineOf(now).ago(fault.stale_ms)
        return notingNothing(recording, now, () => textual(go(past)))
      } catch (error) {
        return errorAnswer(c, error, requestId, face.report, readings)
      } finally {
        recordProgress(face, world, recording)
      }
    })
  const repeatable = repeatableId(operation?.id, body)
  const answer = (left?: Promise<void>) =>
    repeatable ? fly(world, repeatable, (flight) => play(left, flight)) : play(left)
  return takesTime(fault) ? whilePending(face, c, world, recording, answer) : answer()
}

const takesTime = ({ delay_ms, hold_commit_ms, hold_answer_ms, hang }: Fault): boolean =>
  delay_ms > 0 || hold_commit_ms > 0 || hold_answer_ms > 0 || hang !== undefined

/** The service answers nothing but JSON, and at once. */
const textual = (outcome: Sent | Response | Promise<Sent | Response>): Sent => {
  if (isResponse(outcome) || outcome instanceof Promise)
    throw new Error('a rule met an answer that is no JSON')
  return outcome
}

const incomingOf = (c: Inbound, operation: Operation | undefined, body: unknown): Incoming => ({
  operation: operation?.id ?? null,
  method: c.req.method,
  path: c.req.path,
  body,
  params: () => c.req.param(),
  query: () => parametersOf(c),
  headers: () => c.req.header(),
})

/** Query parameters by name; one that came several times is a list. */
const parametersOf = (c: Inbound): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [name, oneOrAll(values)]),
  )
