import type { Context, Handler } from 'hono'
import * as z from 'zod'
import { explain } from '../explain.js'
import type { Sandbox } from '../sandbox.js'
import type { World } from '../world/world.js'
import { admit, type CameBody, NO_BODY, underRules } from './admit.js'
import { readJson, readText } from './body.js'
import type { Operation, Reply } from './operation.js'
import { newRequestId } from './request-id.js'
import { errorResponse, jsonResponse } from './respond.js'
import { invalid } from './wire-error.js'

/** One finished exchange, for the log. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  readonly operation: string | undefined
}

/** Where a request was let in, and the id of the key that opened it. */
export interface Entered {
  readonly world: World
  readonly key: string | undefined
}

/** What a face is made of: its sandbox, its door, and who hears of its requests. */
export interface Face {
  readonly sandbox: Sandbox
  readonly kind: 'request' | 'control'
  /** Lets a request in to a world, or throws. `operation` is undefined on an unknown path. */
  readonly enter: (c: Context, operation: Operation | undefined) => Entered
  readonly bodyLimit: number
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/**
 * Serves an operation: door, validation, handler, answer. Without a body it answers synchronously,
 * which spares the server a turn of its event loop.
 */
export const bind = (face: Face, operation: Operation): Handler => {
  const parse = parserOf(operation)
  return (c) => {
    const requestId = newRequestId()
    return guarded(face, c, operation, requestId, () => {
      const admitted = admit(face, c, operation, requestId)
      const { sandbox } = face
      const finish = (world: World, body: unknown) => {
        const parsed = parse(c, body)
        const call = { sandbox, world, cause: admitted.cause, ...parsed }
        const reply = operation.handle(call as Parameters<Operation['handle']>[0])
        const answer = ({ status, body }: Reply) => jsonResponse(status, body, requestId)
        return reply instanceof Promise ? reply.then(answer) : answer(reply)
      }
      if (!operation.body) {
        return underRules(face, c, admitted, NO_BODY, () => finish(admitted.world, undefined))
      }
      // A body takes its time: by its end the clock has moved on, and a reset may have come between.
      const go = (came: CameBody) => {
        const world = sandbox.current()
        return underRules(face, c, { ...admitted, world }, came, () => {
          if (came.error !== undefined) throw came.error
          return finish(sandbox.current(), came.body)
        })
      }
      return readBody(c, face, operation).then(
        (body) => go({ body }),
        (error: unknown) => go({ body: undefined, error }),
      )
    })
  }
}

const readBody = async (c: Context, face: Face, { text }: Operation): Promise<unknown> => {
  if (!text) return readJson(c, face.bodyLimit)
  return text.read(await readText(c, Math.min(face.bodyLimit, text.limit), text.types))
}

/** Runs the steps of one request, turns what they throw into an error body, and logs the exchange. */
export const guarded = (
  face: Face,
  c: Context,
  operation: Operation | undefined,
  requestId: string,
  steps: () => Response | Promise<Response>,
): Response | Promise<Response> => {
  const start = face.log ? performance.now() : 0
  const done = (response: Response) => {
    face.log?.({
      method: c.req.method,
      path: c.req.path,
      status: response.status,
      duration_ms: performance.now() - start,
      request_id: requestId,
      operation: operation?.id,
    })
    return response
  }
  const failed = (error: unknown) => done(errorResponse(c, error, requestId, face.report))
  try {
    const response = steps()
    return response instanceof Promise ? response.then(done, failed) : done(response)
  } catch (error) {
    return failed(error)
  }
}

interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const parserOf = ({ params, query, body, bodyOptional }: Operation) => {
  const fields = query ? queryFields(query) : []
  return (c: Context, given: unknown): Parsed => ({
    params: params && checked(params, c.req.param()),
    query: query && checked(query, readQuery(c, fields)),
    body: body && checked(body, given === undefined && bodyOptional ? {} : given),
  })
}

const checked = (schema: z.ZodType, input: unknown): unknown => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(
    input === undefined
      ? 'no body came; accepted: a JSON object'
      : explain(result.error.issues, input),
  )
}

const NONE: Readonly<Record<string, unknown>> = {}

interface QueryField {
  readonly name: string
  readonly isNumber: boolean
}

/**
 * The query parameters that an operation knows, numbers as numbers when they look like one; others are
 * ignored (readings query.repeated, query.unknown).
 */
const readQuery = (
  c: Context,
  fields: readonly QueryField[],
): Readonly<Record<string, unknown>> => {
  if (!c.req.url.includes('?')) return NONE
  const query: Record<string, unknown> = {}
  for (const { name, isNumber } of fields) {
    const [value, ...more] = c.req.queries(name) ?? []
    if (more.length > 0) throw invalid(`${name}: it came ${more.length + 1} times; accepted: once`)
    if (value === undefined) continue
    query[name] = isNumber && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value
  }
  return query
}

const queryFields = (query: z.ZodObject): QueryField[] =>
  Object.entries(query.shape).map(([name, field]) => ({
    name,
    isNumber: innermost(field as z.ZodType) instanceof z.ZodNumber,
  }))

const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? innermost(schema.unwrap() as z.ZodType)
    : schema
