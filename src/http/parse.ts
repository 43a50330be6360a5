import type { Context } from 'hono'
import * as z from 'zod'
import { explain } from '../explain.js'
import type { Operation } from './operation.js'
import { invalid } from './wire-error.js'

/** What an operation's schemas made of a request. */
export interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Makes the parser of an operation's requests: it throws what is wrong as a WireError. */
export const parserOf = ({ params, query, body, bodyOptional }: Operation) => {
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
