import { GATE_ERRORS, serviceDocument } from '../api/service/document.js'
import { serviceOperations } from '../api/service/index.js'
import { DECISIONS } from '../assumptions/decided.js'
import { assumptionIds } from '../assumptions/ids.js'
import { RISKS } from '../assumptions/register/assumption.js'
import { assumptions } from '../assumptions/register/index.js'
import { DEFAULTS } from '../assumptions/use.js'
import { documentedErrors, type ErrorCode } from '../contract/errors.js'
import { codesOfReadings } from '../http/operation/document-errors.js'
import { table } from './reference-tables.js'

/** FIDELITY.md: how far users can trust the sandbox. */
export const fidelityPage = (): string =>
  `${[
    '# Fidelity',
    INTRODUCTION,
    '## In total',
    table(['', ...PROVENANCES, 'together'], totals()),
    COUNTED,
    openQuestions(),
    '## Decided so',
    DECIDED_SO,
    table(
      ['where the contract is silent', 'the sandbox'],
      DECISIONS.map(({ about, behaviour }) => [about, behaviour]),
    ),
  ].join('\n\n')}\n`

const INTRODUCTION = `See how far you can trust a response of the sandbox. Everything in it has one of three sources:

- **documented**: the contract states it. A client that works here works there.
- **observed**: the contract shows such a value and states no rule. It holds for that value.
- **assumed**: the contract is silent or contradicts itself, and the sandbox decides. The decision may be wrong. Each one
  has an id, other readings that you can select, and is named by the responses that rely on it.

This page counts them. The reference shows the source of each field, and the open questions of each operation. A
running sandbox serves it at \`/reference\`; [openapi/service.json](openapi/service.json) is its document.`

const DECIDED_SO =
  'These points have no other reading: no client sees one, or a client that works here works there too.'

const COUNTED = `- A field counts as documented if the contract names it, and as assumed if its enclosing object is assumed.
  Doubts about its value are counted as open questions.
- A response with an error counts as documented only if the contract gives its code, and no other status for it elsewhere.`

const openQuestions = (): string => {
  const [high, medium, low] = RISKS.map(
    (risk) => assumptionIds.filter((id) => assumptions[id].risk === risk).length,
  )
  return `Of the ${assumptionIds.length} open questions ${high} are about money that moves twice or is lost, ${medium} about the branch that a
client takes, and ${low} about the shape of something. [Assumptions](docs/reference/assumptions.md#all-of-them) lists them.
[Open questions](docs/reference/open-questions.md) shows how to find those that your integration relies on, send them to
the operator, run your tests under every reading, and reject all assumptions with \`--strict\`.

[Differences from the live service](docs/reference/limits.md#differences-from-the-live-service) lists the three points where the
contract is clear and the sandbox differs, and what only the sandbox has.`
}

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
