import fc from 'fast-check'
import { addresses, payoutId, transferId, userId } from './fixture-ids.js'
import {
  type DocumentedOperation,
  type DocumentName,
  documents,
  type Json,
} from './openapi-documents.js'

/** Arbitrary values for property tests, made from what the documents say of requests. */

type Schema = Readonly<Record<string, Json>>
type Arbitrary = fc.Arbitrary<unknown>

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts that programs stumble over. */
const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
    '-0',
    '1e309',
    '../../etc/passwd',
    "'; --",
    '{{7*7}}',
    '%00',
    '%s%n',
    '💥'.repeat(50),
    'x'.repeat(20_000),
  ),
)

const oddNumber = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, -1, 0.1, 1e21, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER + 2),
)

/** Any JSON value. */
export const oddValue: Arbitrary = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(1, 200).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))),
)

/** Values that a schema describes: often its example, which makes ids meet what is there. */
const arbitraryOf = (schema: Json, document: DocumentName): Arbitrary => {
  if (!isSchema(schema)) return oddValue
  const { $ref, example, anyOf, type } = schema
  if (typeof $ref === 'string') {
    const name = $ref.replace('#/components/schemas/', '')
    return arbitraryOf(documents[document].components.schemas[name] ?? null, document)
  }
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((it) => arbitraryOf(it, document)))
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((it) => arbitraryOf({ ...schema, type: it }, document)))
  }
  const shaped = shapedBy(schema, document)
  const isFilled = typeof example === 'object' && example !== null
  return example === undefined || isFilled
    ? shaped
    : fc.oneof({ weight: 12, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: shaped })
}

const shapedBy = (schema: Schema, document: DocumentName): Arbitrary => {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return objectBy(schema, document)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? null, document), { maxLength: 3 })
    case 'string':
      return stringBy(schema)
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 200 }), oddNumber)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return oddValue
  }
}

const objectBy = (schema: Schema, document: DocumentName): Arbitrary => {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const examples = isSchema(schema.example) ? schema.example : {}
  const fields = Object.entries(properties).map(([name, field]): [string, Arbitrary] => {
    const example = name in examples ? { example: examples[name] ?? null } : {}
    const described = isSchema(field) ? { ...example, ...field } : field
    return [name, name === 'address' ? address(described) : arbitraryOf(described, document)]
  })
  const requiredKeys = Array.isArray(schema.required) ? schema.required.map(String) : []
  return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
}

/** Where crypto can arrive; in the service an address is where somebody lives. */
const address = (field: Json): Arbitrary =>
  isSchema(field) && field.type === 'string'
    ? fc.constantFrom(...Object.values(addresses), 'nowhere')
    : arbitraryOf(field, 'service.json')

const stringBy = ({ format, pattern }: Schema): fc.Arbitrary<string> => {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time' || format === 'date') {
    const length = format === 'date' ? 10 : 24
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, length))
  }
  // fast-check makes no text for a lookahead, which durations alone have.
  if (String(pattern).includes('(?=')) return fc.constantFrom('0s', '500ms', '2s', '1h', 'P1D')
  return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : oddText
}

/** A value with one of its parts replaced, taken away, or given company. */
const broken = (valid: Arbitrary): Arbitrary =>
  fc
    .tuple(valid, fc.array(fc.nat(), { maxLength: 4 }), oddValue, oddText, fc.nat(2))
    .map(([value, path, odd, name, how]) => breakAt(value, path, odd, name, how))

const breakAt = (
  value: unknown,
  [turn, ...path]: readonly number[],
  odd: unknown,
  name: string,
  how: number,
): unknown => {
  if (turn === undefined || typeof value !== 'object' || value === null) return odd
  const entries = Object.entries(value)
  const at = entries.length === 0 ? 0 : turn % entries.length
  const [key, inner] = entries[at] ?? [name, odd]
  if (path.length > 0) entries[at] = [key, breakAt(inner, path, odd, name, how)]
  else if (how === 0) entries[at] = [key, odd]
  else if (how === 1) entries.splice(at, 1)
  else entries.push([name, odd])
  return Array.isArray(value) ? entries.map(([, it]) => it) : Object.fromEntries(entries)
}

export interface ArbitraryRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface Placed {
  readonly document: DocumentName
  readonly template: string
  readonly method: string
  readonly operation: DocumentedOperation
}

const operationsOf = (document: DocumentName): Placed[] =>
  Object.entries(documents[document].paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      document,
      template,
      method: method.toUpperCase(),
      operation,
    })),
  )

/** A request of one of a document's operations, in good order or with one thing broken. */
export const requestOf = (document: DocumentName): fc.Arbitrary<ArbitraryRequest> =>
  fc.oneof(...operationsOf(document).map(requestBy))

const requestBy = ({ document, template, method, operation }: Placed) => {
  const { parameters = [], requestBody } = operation
  const values = parameters.map(({ name, schema }) => {
    const valid = name === 'id' ? idBy(template) : arbitraryOf(schema, document)
    return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: oddText })
  })
  const valid = requestBody && arbitraryOf(requestBody.content['application/json'].schema, document)
  const body = valid ? fc.oneof(valid, broken(valid)) : fc.constant(undefined)
  return fc.tuple(fc.tuple(...values), body, fc.boolean()).map(([given, sent, asked]) => {
    let path = template
    const query: string[] = []
    parameters.forEach(({ name, in: where }, i) => {
      const text = encoded(String(given[i]))
      if (where === 'path') path = path.replace(`{${name}}`, () => text || 'empty')
      else if (asked) query.push(`${name}=${text}`)
    })
    const search = query.length > 0 ? `?${query.join('&')}` : ''
    return { method, path: path + search, ...(sent === undefined ? {} : { body: sent }) }
  })
}

/** Ids of records that are there; the control document shows no example of one. */
const idBy = (template: string): fc.Arbitrary<string> => {
  const number = fc.integer({ min: 1, max: 12 })
  if (template.includes('/transfers/')) return number.map(transferId)
  if (template.includes('/payouts/')) return number.map((n) => payoutId(1 + (n % 3)))
  return number.map((n) => userId(1 + (n % 8)))
}

/** As a client would write it; lone surrogates have no such spelling. Dots alone would move the path. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/^\.+$/, 'dots')
