import type { Context, Handler } from 'hono'
import { keepHeaders } from '../journal/headers.js'
import {
  headersOf,
  NO_HEADERS,
  noting,
  type Recording,
  type Sent,
  startRecording,
} from '../journal/recording.js'
import type { Sandbox } from '../sandbox.js'
import type { AssumptionId } from '../world/reading-names.js'
import type { Readings } from '../world/readings.js'
import type { World } from '../world/world.js'
import { admit, type CameBody, NO_BODY, underRules } from './admit.js'
import { readingsAtDoor } from './asked.js'
import { parseJson, readText } from './body.js'
import { cutConnection, isCut } from './cut.js'
import type { Entered, Face, Outcome } from './face.js'
import { onGround, ungrounded } from './ground.js'
import type { Operation, Reply, TextBody } from './operation.js'
import { parserOf } from './parse.js'
import { newRequestId } from './request-id.js'
import { errorAnswer, jsonAnswer } from './respond.js'
import { wireOf } from './wire.js'
import { FAULT_HEADER, WireError } from './wire-error.js'

/**
 * Serves an operation: door, rules, validation, handler, answer. Without a body it answers
 * synchronously, which spares the server a turn of its event loop. `also` is what it rests on besides
 * that the request came here.
 */
export const bind = (face: Face, operation: Operation, also?: AssumptionId): Handler => {
  const parse = parserOf(operation)
  const { sandbox } = face
  return (c) => {
    const requestId = newRequestId()
    return guarded(face, c, operation, requestId, (entered, recording, readings) => {
      if (also) readings.of(also)
      const admitted = admit(face, c, operation, requestId, entered, recording, readings)
      const asked = face.kind === 'request' ? readings : undefined
      if (asked && c.req.method === 'HEAD') assertHead(asked)
      const finish = (world: World, body: unknown) => {
        const { cause } = admitted
        readings.enter(world.tables.readings)
        const call = { sandbox, world, cause, readings, request: c.req, ...parse(c, body, asked) }
        const handle = () => operation.handle(call as Parameters<Operation['handle']>[0])
        const isStrict = asked !== undefined && sandbox.isStrict
        const act = isStrict ? () => onGround(world, readings, handle) : handle
        const reply = noting(recording, world, act)
        return reply instanceof Promise ? reply.then(outcomeOf) : outcomeOf(reply)
      }
      if (!operation.body) {
        return underRules(face, c, admitted, NO_BODY, (world) => finish(world, undefined))
      }
      const go = (came: CameBody): Outcome | Promise<Outcome> => {
        if (recording) recording.value = came.body
        // A body takes its time: by its end the clock has moved on, and a reset may have come between.
        const now = { ...admitted, world: sandbox.current() }
        return underRules(face, c, now, came, (world) => {
          if (came.error !== undefined) throw asked ? asRead(came.error, asked) : came.error
          return finish(world, came.body)
        })
      }
      const { types, limit = face.bodyLimit } = operation.text ?? {}
      return readText(c, Math.min(limit, face.bodyLimit), types).then(
        (text) => {
          if (recording) recording.body = text
          return operation.text ? textOf(operation.text, text).then(go) : go(bodyOf(text))
        },
        (error: unknown) => go({ body: undefined, error }),
      )
    })
  }
}

const bodyOf = (text: string | undefined): CameBody => {
  try {
    return { body: text === undefined ? undefined : parseJson(text) }
  } catch (error) {
    return { body: undefined, error }
  }
}

const textOf = (body: TextBody, text = ''): Promise<CameBody> =>
  body.read(text).then(
    (read) => ({ body: read }),
    (error: unknown) => ({ body: undefined, error }),
  )

/** Refuses HEAD where it is not read as GET. */
const assertHead = (readings: Readings): void => {
  if (readings.of('path.head') === 'as_get') return
  throw new WireError('4050', 'HEAD came; accepted: GET', { allow: 'GET' })
}

/** A body that could not be read, as the readings have it. */
const asRead = (error: unknown, readings: Readings): unknown => {
  const doubt = error instanceof WireError ? UNREAD[error.code] : undefined
  if (!doubt || readings.of(doubt) !== 'invalid') return error
  const { message, headers } = error as WireError
  return new WireError('4000', message, headers)
}

const UNREAD: Readonly<Record<string, 'body.type' | 'body.size'>> = {
  '4130': 'body.size',
  '4150': 'body.type',
}

const outcomeOf = (reply: Reply): Sent | Response =>
  reply instanceof Response ? reply : jsonAnswer(reply.status, reply.body, reply.headers)

/**
 * Lets a request in, runs its steps, turns what is thrown into an error body, logs the exchange and, on
 * the service face, records it.
 */
export const guarded = (
  face: Face,
  c: Context,
  operation: Operation | undefined,
  requestId: string,
  steps: (
    entered: Entered,
    recording: Recording | undefined,
    readings: Readings,
  ) => Outcome | Promise<Outcome>,
  before?: (readings: Readings) => void,
): Response | Promise<Response> => {
  const recording =
    face.kind === 'request' ? record(face.sandbox, c, operation, requestId) : undefined
  const start = face.log || recording ? performance.now() : 0
  let entered: Entered | undefined
  const readings = readingsAtDoor(face.sandbox, c)
  const asked = face.kind === 'request' ? readings : undefined
  const done = (came: Outcome) => {
    const guesses = asked && face.sandbox.isStrict && !isRuled(came) ? asked.guesses() : NONE
    const bare = guesses.length > 0 ? refused(ungrounded(guesses)) : came
    const outcome = entered?.headers ? withHeaders(bare, entered.headers) : bare
    const assumed = asked && !isRuled(outcome) ? asked.told() : ''
    if (asked?.isRelied && !isRuled(outcome)) face.sandbox.countReliance(asked, entered?.world)
    const duration_ms = face.log || recording ? performance.now() - start : 0
    if (recording) {
      recording.assumed = assumed
      recording.duration_us = Math.round(duration_ms * 1_000)
      face.sandbox.keep(recording, sentOf(outcome), entered?.world)
    }
    face.log?.({
      method: c.req.method,
      path: c.req.path,
      status: outcome instanceof Response ? outcome.status : (sentOf(outcome)?.status ?? null),
      duration_ms,
      request_id: requestId,
      operation: operation?.id,
    })
    return responseOf(c, outcome, requestId, assumed)
  }
  const refused = (error: unknown) => errorAnswer(c, error, requestId, face.report, asked)
  const failed = (error: unknown) => done(refused(error))
  try {
    before?.(readings)
    entered = face.enter(c, operation, readings)
    readings.enter(entered.world.tables.readings)
    const outcome = steps(entered, recording, readings)
    return outcome instanceof Promise ? outcome.then(done, failed) : done(outcome)
  } catch (error) {
    return failed(error)
  }
}

const NONE: readonly AssumptionId[] = []

/** Whether a rule made or altered it: that rests on nothing but the rule. */
const isRuled = (outcome: Outcome): boolean => {
  if (outcome instanceof Response) return false
  return isCut(outcome) || (outcome.headers !== NO_HEADERS && FAULT_HEADER in outcome.headers)
}

/** What goes out, as text; undefined where nothing does, or what has no end. */
const sentOf = (outcome: Outcome): Sent | undefined => {
  if (outcome instanceof Response) return undefined
  return isCut(outcome) ? outcome.within : outcome
}

/** Adds headers where the answer has none of these names. */
const withHeaders = (outcome: Outcome, headers: Sent['headers']): Outcome => {
  if (outcome instanceof Response) return outcome
  if (!isCut(outcome)) return { ...outcome, headers: { ...headers, ...outcome.headers } }
  const { cutBy, within } = outcome
  return within
    ? { cutBy, within: { ...within, headers: { ...headers, ...within.headers } } }
    : outcome
}

const responseOf = (c: Context, outcome: Outcome, requestId: string, assumed: string): Response => {
  if (outcome instanceof Response) {
    outcome.headers.set('x-request-id', requestId)
    return outcome
  }
  if (isCut(outcome)) return cutConnection(c, outcome, requestId)
  const { status, text, headers } = outcome
  const hasBody = status !== 204 && status !== 205 && status !== 304
  return new Response(hasBody ? text : null, {
    status,
    headers: headersOf(requestId, headers, assumed),
  })
}

/** Begins to record an exchange, unless the sandbox keeps none. */
const record = (
  sandbox: Sandbox,
  c: Context,
  operation: Operation | undefined,
  id: string,
): Recording | undefined => {
  if (!sandbox.keepsRequests) return undefined
  const { method, path, url, raw } = c.req
  const { incoming } = wireOf(c)
  const headers = keepHeaders(incoming ? incoming.rawHeaders : [...raw.headers].flat())
  const started_at = sandbox.machineTime()
  return startRecording({ id, method, path, url, headers, operation, started_at })
}
