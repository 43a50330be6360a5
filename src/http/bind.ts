import { noting, type Sent } from '../exchanges/recording.js'
import type { AssumptionId } from '../world/reading-names.js'
import type { Readings } from '../world/readings.js'
import type { World } from '../world/world.js'
import { admit, type CameBody, NO_BODY, underRules } from './admit.js'
import { assertPasses, CutShort, parseJson, readText } from './body.js'
import type { Answering, Face, Outcome } from './face.js'
import { guarded } from './guarded.js'
import { withoutGuesses } from './guesses.js'
import type { Operation, Reply, TextBody } from './operation.js'
import { parserOf } from './parse.js'
import type { RequestReadings } from './request-readings.js'
import { isResponse, jsonAnswer } from './respond.js'
import { userCheck } from './user-first.js'
import { recordAborted } from './waiting.js'
import { WireError } from './wire-error.js'

/**
 * Serves an operation: door, rules, validation, handler, answer. Without a body it answers
 * synchronously, which spares the server a turn of its event loop. `also` is what it rests on besides
 * that the request came here.
 */
export const bind = (face: Face, operation: Operation, also?: AssumptionId): Answering => {
  const parse = parserOf(operation)
  const { sandbox } = face
  const assertUserFirst = userCheck(operation)
  return (c) => {
    return guarded(face, c, operation, ({ entered, recording, readings, requestId }) => {
      if (also) readings.of(also)
      const admitted = admit(face, c, operation, requestId, entered, recording, readings)
      const asked = face.kind === 'request' ? readings : undefined
      const finish = (world: World, { body, error }: CameBody, isDoubled?: boolean) => {
        const { cause } = admitted
        readings.enter(world.tables.readings)
        if (error !== undefined) throw asked ? asRead(error, asked) : error
        const read = () => {
          try {
            return parse(c, body, asked)
          } catch (error) {
            if (asked && error instanceof WireError) assertUserFirst?.(c, world.tables, body, asked)
            throw error
          }
        }
        const call = { sandbox, world, cause, readings, request: c.req, isDoubled, ...read() }
        const handle = () => operation.handle(call as Parameters<Operation['handle']>[0])
        const isStrict = asked !== undefined && sandbox.isStrict
        const act = isStrict ? () => withoutGuesses(world, readings, handle) : handle
        const reply = noting(recording, world, act)
        return reply instanceof Promise ? reply.then(outcomeOf) : outcomeOf(reply)
      }
      if (!operation.body) {
        return underRules(face, c, admitted, NO_BODY, (world) => finish(world, NO_BODY))
      }
      const go = (came: CameBody): Outcome | Promise<Outcome> => {
        if (recording) recording.value = came.body
        // A body takes its time: by its end the clock has moved on, and a reset may have come between.
        const now = { ...admitted, world: sandbox.current(admitted.world) }
        return underRules(face, c, now, came, (world, isDoubled) => finish(world, came, isDoubled))
      }
      const { types, limit = face.bodyLimit } = operation.text ?? {}
      const { bodyLimit, bodies: budget } = face
      return readText(c, { limit: Math.min(limit, bodyLimit), types, budget }).then(
        (text) => {
          if (recording) recording.body = text
          return operation.text ? textOf(operation.text, text).then(go) : go(bodyOf(text, asked))
        },
        (error: unknown) => {
          if (recording && error instanceof CutShort) recordAborted(sandbox, recording)
          return go({ body: undefined, error })
        },
      )
    })
  }
}

const bodyOf = (text: string | undefined, asked: RequestReadings | undefined): CameBody => {
  if (text === undefined) return NO_BODY
  try {
    if (asked) assertPasses(text, asked)
    return { body: parseJson(text) }
  } catch (error) {
    return { body: undefined, error }
  }
}

const textOf = (body: TextBody, text = ''): Promise<CameBody> =>
  body.read(text).then(
    (read) => ({ body: read }),
    (error: unknown) => ({ body: undefined, error }),
  )

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
  isResponse(reply) ? reply : jsonAnswer(reply.status, reply.body, reply.headers)
