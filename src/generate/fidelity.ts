import { defaultReading } from '../assumptions/ids.js'
import { assumptionsForOperation } from '../assumptions/register/by-operation.js'
import type { AssumptionId } from '../assumptions/register/index.js'
import { documentedErrors, type ErrorCode } from '../contract/errors.js'
import type { OpenApiDocument } from '../http/openapi/contract-only.js'
import { codesOfReadings } from '../http/openapi/document-errors.js'
import type { Operation } from '../http/operation.js'

/** Counts what is documented, observed and assumed in the OpenAPI document. */

export const PROVENANCES = ['documented', 'observed', 'assumed'] as const
export type Provenance = (typeof PROVENANCES)[number]

/** A field by its dotted path, an answer by its status, or an error code. */
export interface Part {
  readonly name: string
  readonly provenance: Provenance
}

export interface OperationFidelity {
  readonly id: string
  readonly title: string
  readonly method: string
  readonly path: string
  readonly requestFields: readonly Part[]
  readonly answerFields: readonly Part[]
  readonly answers: readonly Part[]
  readonly codes: readonly Part[]
  /** Open questions about the part, without those about every operation. */
  readonly open: readonly AssumptionId[]
}

type Json = Readonly<Record<string, unknown>>

export const measureFidelity = (
  operation: Operation,
  document: OpenApiDocument,
  gateErrors: readonly ErrorCode[],
): OperationFidelity => {
  const { id, summary, method, path } = operation
  const described = (document.paths?.[path] as Json | undefined)?.[method] as Described
  const schemas = (document.components?.schemas ?? {}) as Json
  const fields = (schema: unknown) => listFields(schema, '', schemas, new Set())
  const responses = Object.entries(described.responses)
  return {
    id,
    title: summary,
    method: method.toUpperCase(),
    path,
    requestFields: [
      ...(described.parameters ?? []).map(({ name, schema }) => toPart(name, schema)),
      ...fields(described.requestBody?.content['application/json']?.schema),
    ],
    answerFields: unique(
      responses
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => fields(content?.['application/json']?.schema)),
    ),
    answers: responses.map(([status, response]) => toPart(status, response)),
    codes: [
      ...new Set<ErrorCode>([
        ...gateErrors,
        ...operation.errors,
        ...codesOfReadings(id, defaultReading),
        '5000',
      ]),
    ]
      .sort()
      .map((code) => ({
        name: code,
        provenance: code in documentedErrors ? 'documented' : 'assumed',
      })),
    open: assumptionsForOperation(id),
  }
}

/** The fields of the error body. */
export const errorFields = (document: OpenApiDocument): Part[] => {
  const schemas = (document.components?.schemas ?? {}) as Json
  return listFields(schemas.ApiError, '', schemas, new Set())
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly schema: Json }[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Partial<Body> & Json>>
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: unknown } | undefined>>
}

const toPart = (name: string, node: Json): Part => ({
  name,
  provenance: node['x-provenance'] as Provenance,
})

/** Includes fields of nested objects and items. A bare value is a field without a name. */
const listFields = (
  schema: unknown,
  path: string,
  schemas: Json,
  seen: ReadonlySet<string>,
): Part[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Json
  const inner = (next: unknown, at: string, known = seen) => listFields(next, at, schemas, known)
  const reference = resolveReference(node)
  if (reference !== undefined) {
    return seen.has(reference) ? [] : inner(schemas[reference], path, new Set([...seen, reference]))
  }
  const choices = [node.anyOf, node.oneOf, node.allOf].flatMap((it) =>
    Array.isArray(it) ? it : [],
  )
  const properties = Object.entries((node.properties ?? {}) as Json).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [
      toPart(at, (schemas[resolveReference(field) ?? ''] ?? field) as Json),
      ...inner(field, at),
    ]
  })
  const found = [
    ...properties,
    ...(node.items === undefined ? [] : inner(node.items, path === '' ? '' : `${path}[]`)),
    ...choices.flatMap((choice) => inner(choice, path)),
  ]
  const isBare = path === '' && found.length === 0 && node['x-provenance'] !== undefined
  if (isBare) return [toPart('the value itself', node)]
  return node['x-provenance'] === 'assumed' ? found.map((part) => asAssumed(node, part)) : found
}

/** A field of an assumed object is assumed too. */
const asAssumed = (shape: Json, part: Part): Part =>
  part.provenance === 'assumed' ? part : toPart(part.name, shape)

/** The name of the schema that a node refers to. */
const resolveReference = (node: unknown): string | undefined => {
  const { $ref } = node as Json
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}

const unique = (parts: readonly Part[]): Part[] => [
  ...new Map(parts.map((part) => [part.name, part])).values(),
]
