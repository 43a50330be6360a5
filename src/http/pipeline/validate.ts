import * as z from 'zod'
import type { Readings } from '../../assumptions/use.js'
import { formatRepeated, formatUnknown, type Problem, toProblem } from '../../lib/app-error.js'
import { innermost, withLengthsFirst } from '../../lib/schema-fields.js'
import { didYouMean } from '../../lib/suggest.js'
import { issueProblems } from '../../lib/zod-errors.js'
import { badRequest } from '../operation/api-error.js'
import type { BodyText, RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { assertIgnored, createUnknownFieldSearch, findZeros } from './checks.js'
import { unknownNameHint } from './hint.js'
import { createNumberReader } from './written-numbers.js'

interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The context of a request. It gets a hint if an unknown field or parameter is probably misspelt. */
type HintedContext = RequestContext & {
  hint: string | undefined
  readonly bodyText: BodyText | undefined
}

/** Validates a request, or throws an ApiError. The control API has no readings. */
export type Validate = (c: HintedContext, body: unknown, readings: Readings | undefined) => Input

export const createValidator = (operation: Operation): Validate => {
  const { params, query, body, bodyOptional } = operation
  const fields = query ? queryFields(query) : []
  const findUnknownField = body && createUnknownFieldSearch(body)
  const parsedBody = body instanceof z.ZodObject ? withLengthsFirst(body) : body
  return (c, received, readings) => {
    const inBody = received === undefined && bodyOptional ? {} : received
    const problems: Problem[] = []
    const parsed = {
      params: params && checked(params, c.req.param(), problems),
      query: parseQuery(c, operation, fields, readings, problems),
      body: parsedBody && checked(parsedBody, inBody, problems, c.bodyText?.text),
    }
    const unknown = readings && findUnknownField?.(received)
    if (unknown) c.hint = unknownNameHint('field', unknown.name, [...unknown.allowed.keys()])
    if (!readings) problems.push(...findZeros(parsed.params, parsed.query, parsed.body))
    if (problems.length > 0) throw badRequest(problems)
    if (readings && unknown) assertIgnored(unknown, readings)
    return parsed
  }
}

const parseQuery = (
  c: HintedContext,
  { query, queryIf, queryOtherwise }: Operation,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  problems: Problem[],
): unknown => {
  let given = NONE
  if (c.req.url.includes('?')) {
    const hasFields = !queryIf || !readings || queryIf(readings)
    given = collectQuery(c, hasFields ? fields : [], readings, problems)
  }
  if (!query) return undefined
  const result = query.safeParse(given)
  if (result.success) return result.data
  return checked((readings && queryOtherwise?.(readings)) ?? query, given, problems)
}

/** Parses a part of the request; adds its issues to the problems. */
const checked = (
  schema: Pick<z.ZodType, 'safeParse'>,
  input: unknown,
  problems: Problem[],
  text?: string,
): unknown => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  if (input === undefined) problems.push(toProblem({ field: 'body', expected: 'a JSON object' }))
  else {
    const show = createNumberReader(text)
    problems.push(...issueProblems(result.error.issues, input, writePath, show))
  }
  return undefined
}

const writePath = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'body'

const NONE: Readonly<Record<string, unknown>> = {}

export const unknownParameter = (name: string, known: readonly string[]): string =>
  formatUnknown('query parameter', name, known.join(', ') || 'none', didYouMean(name, known))

interface QueryField {
  readonly name: string
  readonly isNumber: boolean
}

/**
 * The query parameters that an operation knows, numbers as numbers when they stay exact. Repeated ones are
 * refused, and unknown ones ignored, unless wire.strictness says otherwise.
 */
const collectQuery = (
  c: HintedContext,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  problems: Problem[],
): Readonly<Record<string, unknown>> => {
  const given = c.req.queries()
  const query: Record<string, unknown> = {}
  for (const { name, isNumber } of fields) {
    const [value, ...more] = (Object.hasOwn(given, name) ? given[name] : undefined) ?? []
    if (more.length > 0) {
      problems.push({ field: name, message: formatRepeated(name, more.length + 1) })
      continue
    }
    if (value === undefined) continue
    query[name] = isNumber && isExact(value) ? Number(value) : value
  }
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined && readings) {
    const known = fields.map(({ name }) => name)
    if (readings.wire.strictness === 'closed') {
      problems.push({ field: unknown, message: unknownParameter(unknown, known) })
    } else c.hint = unknownNameHint('query parameter', unknown, known)
  }
  return query
}

/** A number keeps any 15 digits and a point exactly. */
const MAX_FRACTION = 16

/** Whether a text is a number that JavaScript keeps exactly. */
const isExact = (text: string): boolean =>
  /^-?\d+$/.test(text)
    ? Number.isSafeInteger(Number(text))
    : text.length <= MAX_FRACTION && /^-?\d+\.\d+$/.test(text)

const queryFields = (query: z.ZodObject): QueryField[] =>
  Object.entries(query.shape).map(([name, field]) => ({
    name,
    isNumber: innermost(field as z.ZodType) instanceof z.ZodNumber,
  }))
