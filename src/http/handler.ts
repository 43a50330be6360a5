import type { AssumptionId } from '../assumptions/ids.js'
import type { Readings } from '../assumptions/use.js'
import type { World } from '../domain/world.js'
import { type JsonResponse, trackEntries } from '../request-log/log-record.js'
import type { Api, HandlerResult, RequestHandler } from './api.js'
import { ApiError } from './api-error.js'
import { assertPasses, CutShort, parseJson, readText } from './body.js'
import { NO_BODY, prepareRequest, type ReadBody, withFaults } from './fault-injection.js'
import type { Operation, Reply, TextBody } from './operation.js'
import { recordAborted } from './pending-record.js'
import { handleRequest } from './pipeline.js'
import type { RequestReadings } from './request-readings.js'
import { isResponse, jsonResponse } from './respond.js'
import { rejectUnconfirmed } from './strict-mode.js'
import { createUserCheck } from './user-check.js'
import { createParser } from './validate.js'

/**
 * Serves an operation: door, rules, validation, handler, answer. Without a body it answers
 * synchronously, which spares the server a turn of its event loop. `also` is what it rests on besides
 * that the request came here.
 */
export const createHandler = (
  api: Api,
  operation: Operation,
  also?: AssumptionId,
): RequestHandler => {
  const parse = createParser(operation)
  const { sandbox } = api
  const assertUserFirst = createUserCheck(operation)
  return (c) => {
    return handleRequest(api, c, operation, ({ entered, logRecord, readings, requestId }) => {
      if (also) readings.use(also)
      const admitted = prepareRequest(api, c, operation, requestId, entered, logRecord, readings)
      const asked = api.kind === 'request' ? readings : undefined
      const finish = (world: World, { body, error }: ReadBody, isDoubled?: boolean) => {
        const { cause } = admitted
        readings.setWorld(world.tables.readings)
        if (error !== undefined) throw asked ? applySizeReadings(error, asked) : error
        const read = () => {
          try {
            return parse(c, body, asked)
          } catch (error) {
            if (asked && error instanceof ApiError) assertUserFirst?.(c, world.tables, body, asked)
            throw error
          }
        }
        const call = { sandbox, world, cause, readings, request: c.req, isDoubled, ...read() }
        const handle = () => operation.handle(call as Parameters<Operation['handle']>[0])
        const isStrict = asked !== undefined && sandbox.isStrict
        const act = isStrict ? () => rejectUnconfirmed(world, readings, handle) : handle
        const reply = trackEntries(logRecord, world, act)
        return reply instanceof Promise ? reply.then(toResult) : toResult(reply)
      }
      if (!operation.body) {
        return withFaults(api, c, admitted, NO_BODY, (world) => finish(world, NO_BODY))
      }
      const go = (body: ReadBody): HandlerResult | Promise<HandlerResult> => {
        if (logRecord) logRecord.value = body.body
        // A body takes its time: by its end the clock has moved on, and a reset may have come between.
        const now = { ...admitted, world: sandbox.current(admitted.world) }
        return withFaults(api, c, now, body, (world, isDoubled) => finish(world, body, isDoubled))
      }
      const { types, limit = api.bodyLimit } = operation.text ?? {}
      const { bodyLimit, bodies: budget } = api
      return readText(c, { limit: Math.min(limit, bodyLimit), types, budget }).then(
        (text) => {
          if (logRecord) logRecord.body = text
          return operation.text
            ? parseText(operation.text, text).then(go)
            : go(parseBody(text, asked))
        },
        (error: unknown) => {
          if (logRecord && error instanceof CutShort) recordAborted(sandbox, logRecord)
          return go({ body: undefined, error })
        },
      )
    })
  }
}

const parseBody = (text: string | undefined, asked: RequestReadings | undefined): ReadBody => {
  if (text === undefined) return NO_BODY
  try {
    if (asked) assertPasses(text, asked)
    return { body: parseJson(text) }
  } catch (error) {
    return { body: undefined, error }
  }
}

const parseText = (body: TextBody, text = ''): Promise<ReadBody> =>
  body.read(text).then(
    (read) => ({ body: read }),
    (error: unknown) => ({ body: undefined, error }),
  )

/** A body that could not be read, as the readings have it. */
const applySizeReadings = (error: unknown, readings: Readings): unknown => {
  const doubt = error instanceof ApiError ? READING_BY_CODE[error.code] : undefined
  if (!doubt || readings.use(doubt) !== 'invalid') return error
  const { message, headers } = error as ApiError
  return new ApiError('4000', message, headers)
}

const READING_BY_CODE: Readonly<Record<string, 'body.type' | 'body.size'>> = {
  '4130': 'body.size',
  '4150': 'body.type',
}

const toResult = (reply: Reply): JsonResponse | Response =>
  isResponse(reply) ? reply : jsonResponse(reply.status, reply.body, reply.headers)
