import * as z from 'zod'
import { DEFAULT_READINGS } from '../../assumptions/ids.js'
import type { Readings } from '../../assumptions/use.js'
import type { SchemaVariants } from '../../contract/schema-variants.js'
import type { Tables } from '../../domain/schema.js'
import { formatInvalid, formatRepeated, formatUnknown } from '../../lib/app-error.js'
import { getAt } from '../../lib/json.js'
import { innermost, withLengthsFirst } from '../../lib/schema-fields.js'
import { didYouMean } from '../../lib/suggest.js'
import { issueMessages, joinMessages } from '../../lib/zod-errors.js'
import { ApiError, badRequest } from '../operation/api-error.js'
import type { BodyText, RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import {
  assertIgnored,
  assertTextCharacters,
  createUnknownFieldSearch,
  createUserCheck,
  createUuidCheck,
} from './checks.js'
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
export type Validate = (
  c: HintedContext,
  tables: Tables,
  body: unknown,
  readings: Readings | undefined,
) => Input

export const createValidator = (operation: Operation): Validate => {
  const parse = createParser(operation)
  const assertUserFirst = createUserCheck(operation)
  const validate: Validate = (c, tables, body, readings) => {
    try {
      return parse(c, body, readings)
    } catch (error) {
      if (readings && error instanceof ApiError) assertUserFirst?.(c, tables, body, readings)
      throw error
    }
  }
  return validate
}

const createParser = (operation: Operation) => {
  const { params, query, body, bodyOptional, bodyVariants } = operation
  const fields = query ? queryFields(query) : []
  const bodyCheck = body instanceof z.ZodObject ? createUuidCheck(body) : undefined
  const paramCheck = params && createUuidCheck(params)
  const findUnknownField = body && createUnknownFieldSearch(body)
  const findFlaw = bodyVariants?.extraCheck
  const parsedBody = body instanceof z.ZodObject ? withLengthsFirst(body) : body
  return (c: HintedContext, received: unknown, readings: Readings | undefined): Input => {
    const inPath = params && c.req.param()
    const inBody = received === undefined && bodyOptional ? {} : received
    const faults: string[] = []
    const parsed = {
      params: params && checked(params, inPath, undefined, readings, faults),
      query: parseQuery(c, operation, fields, readings, faults),
      body:
        parsedBody && checked(parsedBody, inBody, bodyVariants, readings, faults, c.bodyText?.text),
    }
    const unknown = readings && findUnknownField?.(received)
    if (unknown) c.hint = unknownNameHint('field', unknown.name, [...unknown.allowed.keys()])
    if (faults.length > 0) throw badRequest(joinMessages(faults))
    if (!readings) return parsed
    paramCheck?.(inPath, parsed.params, readings)
    bodyCheck?.(received, parsed.body, readings)
    if (unknown) assertIgnored(unknown, readings)
    if (body) assertTextCharacters(parsed.body)
    const flaw = findFlaw?.(parsed.body, readings.asReader)
    if (flaw !== undefined) throw badRequest(flaw)
    return parsed
  }
}

const parseQuery = (
  c: HintedContext,
  { query, queryIf, queryVariants }: Operation,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  faults: string[],
): unknown => {
  let given = NONE
  if (c.req.url.includes('?')) {
    const hasFields = !queryIf || !readings || queryIf(readings.asReader)
    given = collectQuery(c, hasFields ? fields : [], readings, faults)
  }
  return query && checked(query, given, queryVariants, readings, faults)
}

/** Parses a part of the request; adds its issues to the faults. */
const checked = (
  schema: Pick<z.ZodType, 'safeParse'>,
  input: unknown,
  variants: SchemaVariants | undefined,
  readings: Readings | undefined,
  faults: string[],
  text?: string,
): unknown => {
  let result = schema.safeParse(input)
  if (result.success) return result.data
  if (variants && readings) {
    const isDoubtful = usesNonDefaultReading(variants, result.error.issues, input, readings)
    if (isDoubtful || hasVariant(variants, readings)) {
      const read = variant(variants, readings).safeParse(input)
      if (isDoubtful && read.success) return read.data
      // The message states what these readings accept, not what the default ones do.
      if (!read.success) result = read
    }
  }
  if (input === undefined) faults.push(formatInvalid('body', undefined, 'a JSON object'))
  else {
    const show = createNumberReader(text)
    faults.push(...issueMessages(result.error.issues, input, writePath, show))
  }
  return undefined
}

const writePath = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'body'

/**
 * Uses all readings that decide whether the invalid parts are valid. Returns whether one of them differs
 * from the default.
 */
const usesNonDefaultReading = (
  { assumptionFor }: SchemaVariants,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  readings: Readings,
): boolean => {
  let otherwise = false
  for (const issue of issues) {
    const ids = assumptionFor(issue, getAt(input, issue.path), (it) => readings.peek(it)) ?? []
    for (const id of [ids].flat()) {
      if (readings.use(id) !== DEFAULT_READINGS[id]) otherwise = true
    }
  }
  return otherwise
}

/** Whether the schema differs from the default one. */
const hasVariant = ({ ids }: SchemaVariants, readings: Readings): boolean =>
  ids.some((id) => readings.peek(id) !== DEFAULT_READINGS[id])

/** Schemas in other readings, each created on first use. */
const variantCache = new WeakMap<SchemaVariants, Map<string, z.ZodType>>()

const variant = (variants: SchemaVariants, readings: Readings): z.ZodType => {
  const key = variants.ids.map((id) => readings.peek(id)).join()
  const known = variantCache.get(variants) ?? new Map<string, z.ZodType>()
  variantCache.set(variants, known)
  const schema = known.get(key) ?? variants.schema((id) => readings.peek(id))
  known.set(key, schema)
  return schema
}

const NONE: Readonly<Record<string, unknown>> = {}

export const unknownParameter = (name: string, known: readonly string[]): string =>
  formatUnknown('query parameter', name, known.join(', ') || 'none', didYouMean(name, known))

interface QueryField {
  readonly name: string
  readonly isNumber: boolean
}

/**
 * The query parameters that an operation knows, numbers as numbers when they stay exact. Unknown ones are
 * ignored, and repeated ones refused, unless wire.strictness says otherwise.
 */
const collectQuery = (
  c: HintedContext,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  faults: string[],
): Readonly<Record<string, unknown>> => {
  const given = c.req.queries()
  const query: Record<string, unknown> = {}
  for (const { name, isNumber } of fields) {
    const [value, ...more] = (Object.hasOwn(given, name) ? given[name] : undefined) ?? []
    if (more.length > 0 && readings?.use('wire.strictness') !== 'lenient') {
      faults.push(formatRepeated(name, more.length + 1))
      continue
    }
    if (value === undefined) continue
    query[name] = isNumber && isExact(value) ? Number(value) : value
  }
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined && readings) {
    const known = fields.map(({ name }) => name)
    if (readings.use('wire.strictness') === 'closed') {
      faults.push(unknownParameter(unknown, known))
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
