import { assumedHeader } from '../contract/assumptions/by-risk.js'
import { keepHeaders } from '../exchanges/headers.js'
import {
  forgetEntries,
  NO_HEADERS,
  type Recording,
  type Sent,
  startRecording,
} from '../exchanges/recording.js'
import type { AssumptionId } from '../world/reading-names.js'
import type { Readings } from '../world/readings.js'
import type { World } from '../world/world.js'
import { isCut } from './cut.js'
import type { Entered, Face, Outbound, Outcome } from './face.js'
import { guessed } from './guesses.js'
import { HINT_HEADER } from './hint.js'
import { type Inbound, wireOf } from './inbound.js'
import { logExchange } from './log-exchange.js'
import type { Operation } from './operation.js'
import { newRequestId } from './request-id.js'
import { type RequestReadings, readingsAtDoor } from './request-readings.js'
import { errorAnswer, isResponse, sentOf } from './respond.js'
import { FAULT_HEADER } from './wire-error.js'

/**
 * Lets a request in, runs its steps, turns what is thrown into an error body, logs the exchange and, on
 * the service face, records it.
 */
export const guarded = (
  face: Face,
  c: Inbound,
  operation: Operation | undefined,
  steps: (letIn: LetIn) => Outcome | Promise<Outcome>,
  before?: (readings: Readings) => void,
): Outbound | Promise<Outbound> => {
  try {
    const early = face.receive?.(c)
    if (early) return { outcome: early, requestId: newRequestId(), assumed: '' }
  } catch (error) {
    return refuseUnrecorded(face, c, operation, error)
  }
  const recording = face.kind === 'request' ? record(face, c, operation) : undefined
  const start = face.log || recording ? performance.now() : 0
  let entered: Entered | undefined
  const readings = readingsAtDoor(face.sandbox, c)
  const asked = face.kind === 'request' ? readings : undefined
  let requestId = ''
  // The id may be of the world that the request enters; of the default one when it enters none.
  const identify = (world?: World): string => {
    if (requestId === '') requestId = face.sandbox.drawRequestId(world) ?? newRequestId()
    if (recording) recording.id = requestId
    return requestId
  }
  const done = (came: Outcome): Outbound => {
    const guesses = asked && face.sandbox.isStrict && !isRuled(came) ? asked.guesses() : NONE
    const bare = guesses.length > 0 ? refusal(guessed(guesses)) : came
    const framed = entered?.headers ? withHeaders(bare, entered.headers) : bare
    const hinted = entered && operation ? framed : withHint(face, c, framed)
    const outcome = face.headersFor ? withHeaders(hinted, face.headersFor(c)) : hinted
    const relied = asked && !isRuled(outcome) ? asked.relied() : undefined
    const assumed = relied ? assumedHeader(relied) : ''
    if (relied) face.sandbox.countReliance(relied, entered?.world)
    const duration_ms = face.log || recording ? performance.now() - start : 0
    if (recording) {
      recording.assumed = assumed
      recording.duration_us = Math.round(duration_ms * 1_000)
      face.sandbox.keep(recording, sentOf(outcome), face.redact, entered?.world)
    }
    logExchange(face, { c, operation, outcome, requestId, duration_ms, recording, entered })
    entered?.release?.()
    return { outcome, requestId, assumed }
  }
  const refusal = (error: unknown) =>
    errorAnswer(c, error, identify(entered?.world), face.report, asked)
  // Nobody is told of what a crash could still take back.
  const settled = (outcome: Outcome): Outbound | Promise<Outbound> => {
    const pending = face.sandbox.flushed()
    if (!pending) return done(outcome)
    return pending.then(
      () => done(outcome),
      (error) => unkept(outcome, error),
    )
  }
  const failed = (error: unknown) => settled(refusal(error))
  let isSecond = false
  const unkept = (outcome: Outcome, error: unknown): Outbound | Promise<Outbound> => {
    if (recording) forgetEntries(recording)
    if (isResponse(outcome)) void outcome.body?.cancel()
    if (isSecond || !READING.has(c.req.method)) return done(refusal(error))
    // What it has seen was taken back, so it comes in once more and looks again.
    isSecond = true
    entered?.release?.()
    entered = undefined
    return play()
  }
  const play = (): Outbound | Promise<Outbound> => {
    try {
      before?.(readings)
      entered = face.enter(c, operation, readings)
      return go(entered)
    } catch (error) {
      return failed(error)
    }
  }
  const go = (now: Entered): Outbound | Promise<Outbound> => {
    try {
      const { busy } = face.sandbox.lineOf(now.world)
      if (busy && !operation?.isOpen) {
        return busy.then(() => {
          entered = { ...now, world: face.sandbox.current(now.world) }
          return go(entered)
        })
      }
      readings.enter(now.world.tables.readings)
      const outcome = steps({ entered: now, recording, readings, requestId: identify(now.world) })
      return outcome instanceof Promise ? outcome.then(settled, failed) : settled(outcome)
    } catch (error) {
      return failed(error)
    }
  }
  return play()
}

/** Answers a caller that may not call: what another site makes a browser send is no traffic of any world. */
export const refuseUnrecorded = (
  face: Face,
  c: Inbound,
  operation: Operation | undefined,
  error: unknown,
): Outbound => {
  const requestId = newRequestId()
  const outcome = errorAnswer(c, error, requestId, face.report)
  logExchange(face, { c, operation, outcome, requestId, duration_ms: 0 })
  return { outcome: withHint(face, c, outcome), requestId, assumed: '' }
}

/** A request that was let in. */
export interface LetIn {
  readonly entered: Entered
  readonly recording: Recording | undefined
  readonly readings: RequestReadings
  readonly requestId: string
}

const NONE: readonly AssumptionId[] = []

/** Whether a rule made or altered it: that rests on nothing but the rule. */
const isRuled = (outcome: Outcome): boolean => {
  if (isResponse(outcome)) return false
  if (isCut(outcome)) return true
  return !outcome.untouched && outcome.headers !== NO_HEADERS && FAULT_HEADER in outcome.headers
}

/** Methods that change nothing, so that they can be tried once more. */
const READING = new Set(['GET', 'HEAD'])

/** Adds a hint to a refusal by the gate, or of an unknown path. */
const withHint = (face: Face, c: Inbound, outcome: Outcome): Outcome => {
  const { status = 0 } = sentOf(outcome) ?? {}
  const hint = status >= 400 ? face.hintFor?.(c) : undefined
  return hint === undefined ? outcome : withHeaders(outcome, { [HINT_HEADER]: hint })
}

/** Adds headers where the answer has none of these names. */
const withHeaders = (outcome: Outcome, headers: Sent['headers']): Outcome => {
  if (headers === NO_HEADERS) return outcome
  if (isResponse(outcome)) {
    for (const [name, value] of Object.entries(headers)) {
      if (!outcome.headers.has(name)) outcome.headers.set(name, value)
    }
    return outcome
  }
  if (!isCut(outcome)) return { ...outcome, headers: { ...headers, ...outcome.headers } }
  const { cutBy, within } = outcome
  return within
    ? { cutBy, within: { ...within, headers: { ...headers, ...within.headers } } }
    : outcome
}

/** Begins to record an exchange, unless the sandbox keeps none. */
const record = (
  { sandbox, redact }: Face,
  c: Inbound,
  operation: Operation | undefined,
): Recording | undefined => {
  if (!sandbox.keepsRequests) return undefined
  const { method, path, url, raw } = c.req
  const { incoming } = wireOf(c)
  const given = incoming ? incoming.rawHeaders : [...(raw?.headers ?? [])].flat()
  const started_at = sandbox.machineTime()
  return startRecording({
    method,
    path: redact(path),
    url: redact(url),
    headers: keepHeaders(given, redact),
    operation,
    started_at,
  })
}
