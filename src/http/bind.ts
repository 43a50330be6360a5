import type { Context, Handler } from 'hono'
import { keepHeaders } from '../journal/headers.js'
import {
  forgetEntries,
  headersOf,
  noting,
  type Recording,
  type Sent,
  startRecording,
} from '../journal/recording.js'
import type { Sandbox } from '../sandbox.js'
import type { World } from '../world/world.js'
import { admit, type CameBody, NO_BODY, underRules } from './admit.js'
import { parseJson, readText } from './body.js'
import { cutConnection, isCut } from './cut.js'
import type { Entered, Face, Outcome } from './face.js'
import type { Operation, Reply, TextBody } from './operation.js'
import { parserOf } from './parse.js'
import { newRequestId } from './request-id.js'
import { errorAnswer, jsonAnswer } from './respond.js'
import { wireOf } from './wire.js'

/**
 * Serves an operation: door, rules, validation, handler, answer. Without a body it answers
 * synchronously, which spares the server a turn of its event loop.
 */
export const bind = (face: Face, operation: Operation): Handler => {
  const parse = parserOf(operation)
  const { sandbox } = face
  return (c) => {
    const requestId = newRequestId()
    return guarded(face, c, operation, requestId, (entered, recording) => {
      const admitted = admit(face, c, operation, requestId, entered, recording)
      const finish = (world: World, body: unknown) => {
        const { cause } = admitted
        const call = { sandbox, world, cause, request: c.req, ...parse(c, body) }
        const handle = () => operation.handle(call as Parameters<Operation['handle']>[0])
        const reply = noting(recording, world, handle)
        return reply instanceof Promise ? reply.then(outcomeOf) : outcomeOf(reply)
      }
      if (!operation.body) {
        return underRules(face, c, admitted, NO_BODY, (world) => finish(world, undefined))
      }
      const go = (came: CameBody): Outcome | Promise<Outcome> => {
        if (recording) recording.value = came.body
        // A body takes its time: by its end the clock has moved on, and a reset may have come between.
        const now = { ...admitted, world: sandbox.current(admitted.world) }
        return underRules(face, c, now, came, (world) => {
          if (came.error !== undefined) throw came.error
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
  steps: (entered: Entered, recording: Recording | undefined) => Outcome | Promise<Outcome>,
): Response | Promise<Response> => {
  const recording =
    face.kind === 'request' ? record(face.sandbox, c, operation, requestId) : undefined
  const start = face.log || recording ? performance.now() : 0
  let entered: Entered | undefined
  const done = (bare: Outcome) => {
    const outcome = entered?.headers ? withHeaders(bare, entered.headers) : bare
    const duration_ms = face.log || recording ? performance.now() - start : 0
    if (recording) {
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
    return responseOf(c, outcome, requestId)
  }
  const refusal = (error: unknown) => errorAnswer(c, error, requestId, face.report)
  // Nobody is told of what a crash could still take back.
  const settled = (outcome: Outcome): Response | Promise<Response> => {
    const pending = face.sandbox.flushed()
    return pending
      ? pending.then(
          () => done(outcome),
          (error) => unkept(outcome, error),
        )
      : done(outcome)
  }
  const failed = (error: unknown) => settled(refusal(error))
  const unkept = (outcome: Outcome, error: unknown): Response | Promise<Response> => {
    if (recording) forgetEntries(recording)
    if (!entered || !READING.has(c.req.method)) return done(refusal(error))
    if (outcome instanceof Response) void outcome.body?.cancel()
    // What it has seen was taken back, so it looks again.
    entered = { ...entered, world: face.sandbox.current(entered.world) }
    return play(entered)
  }
  const play = (at: Entered): Response | Promise<Response> => {
    try {
      const outcome = steps(at, recording)
      return outcome instanceof Promise ? outcome.then(settled, failed) : settled(outcome)
    } catch (error) {
      return failed(error)
    }
  }
  try {
    entered = face.enter(c, operation)
  } catch (error) {
    return failed(error)
  }
  return play(entered)
}

/** Methods that change nothing, so that they can be tried once more. */
const READING = new Set(['GET', 'HEAD'])

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

const responseOf = (c: Context, outcome: Outcome, requestId: string): Response => {
  if (outcome instanceof Response) {
    outcome.headers.set('x-request-id', requestId)
    return outcome
  }
  if (isCut(outcome)) return cutConnection(c, outcome, requestId)
  const { status, text, headers } = outcome
  const hasBody = status !== 204 && status !== 205 && status !== 304
  return new Response(hasBody ? text : null, { status, headers: headersOf(requestId, headers) })
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
