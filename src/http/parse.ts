import * as z from 'zod'
import type { Doubts } from '../contract/doubts.js'
import { faultsIn, joined } from '../explain.js'
import { valueAt } from '../values.js'
import { DEFAULTS } from '../world/reading-names.js'
import type { Readings } from '../world/readings.js'
import { assertCharacters } from './characters.js'
import type { Inbound } from './inbound.js'
import type { Operation } from './operation.js'
import { innermost } from './schema-fields.js'
import { fieldCheck } from './unknown-fields.js'
import { uuidCheck } from './uuids.js'
import { invalid } from './wire-error.js'

/** What an operation's schemas made of a request. */
export interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/**
 * Makes the parser of an operation's requests: it throws what is wrong as a WireError. Only requests of
 * the service have readings; those of the control face are the sandbox's own, and leave nothing open.
 */
export const parserOf = (operation: Operation) => {
  const { params, query, body, bodyOptional, bodyDoubts } = operation
  const fields = query ? queryFields(query) : []
  const bodyCheck = body instanceof z.ZodObject ? uuidCheck(body) : undefined
  const paramCheck = params && uuidCheck(params)
  const strangers = body && fieldCheck(body)
  const flaw = bodyDoubts?.flaw
  return (c: Inbound, given: unknown, readings: Readings | undefined): Parsed => {
    const inPath = params && c.req.param()
    const inBody = given === undefined && bodyOptional ? {} : given
    const faults: string[] = []
    const parsed = {
      params: params && checked(params, inPath, undefined, readings, faults),
      query: readQueryOf(c, operation, fields, readings, faults),
      body: body && checked(body, inBody, bodyDoubts, readings, faults),
    }
    if (faults.length > 0) throw invalid(joined(faults))
    if (!readings) return parsed
    paramCheck?.(inPath, parsed.params, readings)
    bodyCheck?.(given, parsed.body, readings)
    strangers?.(given, readings)
    if (body) assertCharacters(parsed.body)
    if (flaw) assertNoFlaw(flaw(parsed.body, readings.read))
    return parsed
  }
}

const assertNoFlaw = (flaw: string | undefined): void => {
  if (flaw !== undefined) throw invalid(flaw)
}

const readQueryOf = (
  c: Inbound,
  { query, queryIf, queryDoubts }: Operation,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  faults: string[],
): unknown => {
  let given = NONE
  if (c.req.url.includes('?')) {
    const hasFields = !queryIf || !readings || queryIf(readings.read)
    given = readQuery(c, hasFields ? fields : [], readings, faults)
  }
  return query && checked(query, given, queryDoubts, readings, faults)
}

/** What the schema makes of it; where it does not fit, what is wrong joins the faults. */
const checked = (
  schema: z.ZodType,
  input: unknown,
  doubts: Doubts | undefined,
  readings: Readings | undefined,
  faults: string[],
): unknown => {
  let result = schema.safeParse(input)
  if (result.success) return result.data
  if (doubts && readings) {
    const isDoubtful = isReadOtherwise(doubts, result.error.issues, input, readings)
    if (isDoubtful || hasVariant(doubts, readings)) {
      const read = variant(doubts, readings).safeParse(input)
      if (isDoubtful && read.success) return read.data
      // Refused all the same, it is told what these readings accept, not what the default ones do.
      if (!read.success) result = read
    }
  }
  if (input === undefined) faults.push('no body came; accepted: a JSON object')
  else faults.push(...faultsIn(result.error.issues, input))
  return undefined
}

/** Asks how all is read that what does not fit rests on: whether some of it is not by default. */
const isReadOtherwise = (
  { about }: Doubts,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  readings: Readings,
): boolean => {
  let otherwise = false
  for (const issue of issues) {
    const ids = about(issue, valueAt(input, issue.path), (it) => readings.peek(it)) ?? []
    for (const id of [ids].flat()) {
      if (readings.of(id) !== DEFAULTS[id]) otherwise = true
    }
  }
  return otherwise
}

/** Whether the schema is another one than by default. */
const hasVariant = ({ ids }: Doubts, readings: Readings): boolean =>
  ids.some((id) => readings.peek(id) !== DEFAULTS[id])

/** Schemas under other readings, each made when it is first needed. */
const variants = new WeakMap<Doubts, Map<string, z.ZodType>>()

const variant = (doubts: Doubts, readings: Readings): z.ZodType => {
  const key = doubts.ids.map((id) => readings.peek(id)).join()
  const known = variants.get(doubts) ?? new Map<string, z.ZodType>()
  variants.set(doubts, known)
  const schema = known.get(key) ?? doubts.schema((id) => readings.peek(id))
  known.set(key, schema)
  return schema
}

const NONE: Readonly<Record<string, unknown>> = {}

/** Says of a query parameter that the operation does not have it. */
export const strangeParameter = (name: string, known: readonly string[]): string =>
  `${name}: it came as a query parameter; accepted: ${known.join(', ') || 'no query parameter'}`

interface QueryField {
  readonly name: string
  readonly isNumber: boolean
}

/**
 * The query parameters that an operation knows, numbers as numbers when they stay exact. Unknown ones are
 * ignored, and repeated ones refused, unless wire.strictness says otherwise.
 */
const readQuery = (
  c: Inbound,
  fields: readonly QueryField[],
  readings: Readings | undefined,
  faults: string[],
): Readonly<Record<string, unknown>> => {
  const given = c.req.queries()
  const query: Record<string, unknown> = {}
  for (const { name, isNumber } of fields) {
    const [value, ...more] = (Object.hasOwn(given, name) ? given[name] : undefined) ?? []
    if (more.length > 0 && readings?.of('wire.strictness') !== 'lenient') {
      faults.push(`${name}: it came ${more.length + 1} times; accepted: once`)
      continue
    }
    if (value === undefined) continue
    query[name] = isNumber && isExact(value) ? Number(value) : value
  }
  const stranger = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (stranger !== undefined && readings?.of('wire.strictness') === 'closed') {
    const known = fields.map(({ name }) => name)
    faults.push(strangeParameter(stranger, known))
  }
  return query
}

/** With its point, and 15 digits, which a number holds whatever they are. */
const LONGEST_FRACTION = 16

/** Whether a text is a number, and nothing of it is lost when it is read as one. */
const isExact = (text: string): boolean =>
  /^-?\d+$/.test(text)
    ? Number.isSafeInteger(Number(text))
    : text.length <= LONGEST_FRACTION && /^-?\d+\.\d+$/.test(text)

const queryFields = (query: z.ZodObject): QueryField[] =>
  Object.entries(query.shape).map(([name, field]) => ({
    name,
    isNumber: innermost(field as z.ZodType) instanceof z.ZodNumber,
  }))
