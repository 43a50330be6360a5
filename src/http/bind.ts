import type { IncomingMessage } from 'node:http'
import type { Context, Handler } from 'hono'
import * as z from 'zod'
import { explain } from '../explain.js'
import { keepHeaders } from '../journal/headers.js'
import { headersOf, type Recording, type Sent, startRecording } from '../journal/recording.js'
import type { Sandbox } from '../sandbox.js'
import type { Cause } from '../world/kernel/journal.js'
import type { World } from '../world/world.js'
import { parseJson, readText } from './body.js'
import type { Operation, Reply } from './operation.js'
import { newRequestId } from './request-id.js'
import { errorAnswer, jsonAnswer } from './respond.js'
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

/** What a face is made of: its sandbox, its door, and who hears of its requests. */
export interface Face {
  readonly sandbox: Sandbox
  readonly kind: 'request' | 'control'
  /** Lets a request in to a world, or throws. `operation` is undefined on an unknown path. */
  readonly enter: (c: Context, operation: Operation | undefined) => World
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
    return guarded(face, c, operation, requestId, (entered, recording) => {
      const finish = (world: World, body: unknown) => {
        const parsed = parse(c, body)
        const reply = handle(face, operation, world, requestId, parsed, recording)
        return jsonAnswer(reply.status, reply.body, reply.headers)
      }
      if (!operation.body) return finish(entered, undefined)
      return readText(c, face.bodyLimit).then((text) => {
        if (recording) recording.body = text
        const body = text === undefined ? undefined : parseJson(text)
        if (recording) recording.value = body
        // A body takes its time: by its end the clock has moved on, and a reset may have come between.
        return finish(face.sandbox.current(), body)
      })
    })
  }
}

/**
 * Lets a request in, runs its steps, turns what is thrown into an error body, logs the exchange and, on
 * the service face, records it.
 */
export const guarded = (
  face: Face,
  c: Context,
  operation: Operation | undefined,
  requestId: string,
  steps: (entered: World, recording: Recording | undefined) => Sent | Promise<Sent>,
): Response | Promise<Response> => {
  const recording =
    face.kind === 'request' ? record(face.sandbox, c, operation, requestId) : undefined
  const start = face.log || recording ? performance.now() : 0
  let entered: World | undefined
  const done = (sent: Sent) => {
    const { status, text, headers } = sent
    const duration_ms = face.log || recording ? performance.now() - start : 0
    if (recording) {
      recording.duration_us = Math.round(duration_ms * 1_000)
      face.sandbox.keep(recording, sent, entered)
    }
    face.log?.({
      method: c.req.method,
      path: c.req.path,
      status,
      duration_ms,
      request_id: requestId,
      operation: operation?.id,
    })
    return new Response(text, { status, headers: headersOf(requestId, headers) })
  }
  const failed = (error: unknown) => done(errorAnswer(c, error, requestId, face.report))
  try {
    entered = face.enter(c, operation)
    const sent = steps(entered, recording)
    return sent instanceof Promise ? sent.then(done, failed) : done(sent)
  } catch (error) {
    return failed(error)
  }
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
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  const headers = incoming ? keepHeaders(incoming.rawHeaders) : raw.headers
  const started_at = sandbox.machineTime()
  return startRecording({ id, method, path, url, headers, operation, started_at })
}

interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const handle = (
  face: Face,
  operation: Operation,
  world: World,
  requestId: string,
  parsed: Parsed,
  recording: Recording | undefined,
): Reply => {
  const cause: Cause = { kind: face.kind, request: requestId, operation: operation.id }
  const before = world.seq
  try {
    return operation.handle({ sandbox: face.sandbox, world, cause, ...parsed } as Parameters<
      Operation['handle']
    >[0])
  } finally {
    // A refusal is an entry too.
    if (recording) {
      recording.at = world.now
      recording.from = before + 1
      recording.to = world.seq
    }
  }
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
