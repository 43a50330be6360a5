import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GATE_ERRORS, serviceDocument } from '../../src/api/service/document.js'
import { serviceOperations } from '../../src/api/service/index.js'
import { DECISIONS } from '../../src/assumptions/decided.js'
import { assumptionIds } from '../../src/assumptions/ids.js'
import { RISKS } from '../../src/assumptions/register/assumption.js'
import { assumptions } from '../../src/assumptions/register/index.js'
import { DEFAULTS } from '../../src/assumptions/use.js'
import { documentedErrors, type ErrorCode } from '../../src/contract/errors.js'
import { codesOfReadings } from '../../src/http/operation/document-errors.js'

const page = readFileSync(new URL('../../FIDELITY.md', import.meta.url), 'utf8')

/** The cells of the table under a heading. */
const tableUnder = (heading: string): string[][] => {
  const [, rest = ''] = page.split(`## ${heading}\n`)
  const lines = rest.split('\n## ')[0]?.split('\n') ?? []
  const rows = lines.filter((line) => line.startsWith('|')).slice(2)
  return rows.map((line) => line.slice(2, -2).split(' | '))
}

test('FIDELITY.md counts what the service document and the register have', () => {
  expect(tableUnder('In total')).toEqual(totals())
  const [high, medium, low] = RISKS.map(
    (risk) => assumptionIds.filter((id) => assumptions[id].risk === risk).length,
  )
  const sentence = page.replaceAll('\n', ' ')
  expect(sentence).toContain(
    `Of the ${assumptionIds.length} open questions ${high} are about money`,
  )
  expect(sentence).toContain(`${medium} about the branch that a client takes, and ${low} about`)
})

test('FIDELITY.md lists each decision', () => {
  const decisions = DECISIONS.map(({ about, behaviour }) => [about, behaviour])
  expect(tableUnder('Decided so')).toEqual(decisions)
})

const PROVENANCES = ['documented', 'observed', 'assumed'] as const
type Provenance = (typeof PROVENANCES)[number]

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly parameters?: readonly { readonly schema: Json }[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body & Json>>
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Json } }
}

const totals = (): string[][] => {
  const { paths, components } = serviceDocument()
  const schemas = (components?.schemas ?? {}) as Json
  const operations = Object.values(paths ?? {}).flatMap((it) => Object.values(it)) as Described[]
  const fields = (body: Body | undefined): Provenance[] =>
    body ? fieldsIn(body.content['application/json'].schema, schemas) : []
  const codes = new Set<ErrorCode>([
    ...GATE_ERRORS,
    '5000',
    ...serviceOperations.flatMap((it) => it.errors ?? []),
    ...serviceOperations.flatMap((it) => codesOfReadings(it.id, DEFAULTS)),
  ])
  return [
    row('fields of requests', [
      ...operations.flatMap(({ parameters = [] }) => parameters.map((it) => sourceOf(it.schema))),
      ...operations.flatMap(({ requestBody }) => fields(requestBody)),
    ]),
    row(
      'fields of answers',
      operations.flatMap(({ responses }) => fields(responses['200'] ?? responses['201'])),
    ),
    row('fields of the error body', fieldsIn(schemas.ApiError, schemas)),
    row(
      'answers, by status',
      operations.flatMap(({ responses }) => Object.values(responses).map(sourceOf)),
    ),
    row(
      'error codes',
      [...codes].map((code) => (code in documentedErrors ? 'documented' : 'assumed')),
    ),
    row(
      'behaviours in the register',
      assumptionIds.map(() => 'assumed'),
    ),
  ]
}

const row = (name: string, parts: readonly Provenance[]): string[] => [
  name,
  ...PROVENANCES.map((provenance) => String(parts.filter((it) => it === provenance).length)),
  String(parts.length),
]

const sourceOf = (node: Json): Provenance => node['x-provenance'] as Provenance

/** The sources of all fields of a schema, nested ones included. A bare value is one field. */
const fieldsIn = (schema: unknown, schemas: Json): Provenance[] => {
  const node = resolve(schema, schemas)
  const found = nestedFields(node, schemas)
  return found.length > 0 ? found : [sourceOf(node)]
}

/** A field of an assumed object is assumed too. */
const nestedFields = (node: Json, schemas: Json): Provenance[] => {
  const { properties = {}, items } = node
  const fields = Object.values(properties as Json).map((field) => resolve(field, schemas))
  const inner = items === undefined ? fields : [...fields, resolve(items, schemas)]
  const found = [...fields.map(sourceOf), ...inner.flatMap((it) => nestedFields(it, schemas))]
  return sourceOf(node) === 'assumed' ? found.map(() => 'assumed') : found
}

const resolve = (node: unknown, schemas: Json): Json => {
  const { $ref } = node as Json
  return (typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : node) as Json
}
