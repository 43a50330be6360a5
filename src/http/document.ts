import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'
import { type AssumptionId, assumptions } from '../contract/assumptions/index.js'
import {
  type AssumedCode,
  assumedErrors,
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusOf,
} from '../contract/errors.js'
import { assumptionsOf, assumptionsOfAll } from './assumptions.js'
import type { Answer, Operation, TextBody } from './operation.js'
import { tellProvenance } from './provenance-words.js'
import { errorBody } from './respond.js'

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** What the document of a face says besides its operations. */
export interface FaceDocument {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly security: readonly Readonly<Record<string, string[]>>[]
  /** Codes of the door that every operation stands behind. */
  readonly gateErrors: readonly ErrorCode[]
  readonly errorSchema: Answer['schema']
  /** By status, what is open about errors that the contract does not know; of others their code alone is. */
  readonly errorDoubts?: Readonly<Record<number, AssumptionId>>
  /** Whether its answers tell what they relied on. */
  readonly tellsAssumed?: boolean
}

type SecurityScheme = Parameters<OpenAPIHono['openAPIRegistry']['registerComponent']>[2]

/** Generates the document of a face from the definitions that it is served by. */
export const buildDocument = (
  operations: readonly Operation[],
  face: FaceDocument,
): OpenApiDocument => {
  const { registry, document } = emptyDocument(face)
  for (const [name, scheme] of Object.entries(face.securitySchemes)) {
    registry.registerComponent('securitySchemes', name, scheme)
  }
  for (const operation of operations) registry.registerPath(createRoute(routeOf(operation, face)))
  return tellProvenance(document())
}

const emptyDocument = (face: FaceDocument) => {
  const app = new OpenAPIHono()
  const document = () =>
    app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: face.title,
        version: face.version,
        description: face.description,
        license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      },
      servers: [{ url: '/', description: 'This sandbox' }],
      tags: [...face.tags],
      security: face.security.map((scheme) => ({ ...scheme })),
    })
  return { registry: app.openAPIRegistry, document }
}

const routeOf = (operation: Operation, face: FaceDocument): RouteConfig => {
  const { id, method, path, tag, summary, description, params, query, queryIf, body } = operation
  const assumed = assumptionsOf(id)
  const headers = face.tellsAssumed ? { ...usualHeaders, ...assumedHeader } : usualHeaders
  return {
    operationId: id,
    method,
    path,
    tags: [tag],
    ...(operation.isOpen && { security: [] }),
    summary,
    description: description + openQuestions(assumed),
    request: {
      ...(params && { params }),
      ...(query && !queryIf && { query }),
      ...(operation.headers && { headers: operation.headers }),
      ...(body && {
        body: {
          required: !operation.bodyOptional,
          content: operation.text
            ? contentOf(operation.text)
            : { 'application/json': { schema: body } },
        },
      }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [
          status,
          answerOf(answer, headers),
        ]),
      ),
      ...errorAnswers(face, headers, operation),
    },
    ...(assumed.length > 0 && { 'x-assumptions': assumed }),
  } as RouteConfig
}

const contentOf = ({ types, schema }: TextBody) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: type === 'application/json' ? schema : z.string() }]),
  )

/** The questions of every operation, for the description of the whole. */
export const questionsOfAll = (): string => openQuestions(assumptionsOfAll())

/** What the contract leaves open, in words a reader of the reference sees. */
const openQuestions = (ids: readonly AssumptionId[]): string => {
  if (ids.length === 0) return ''
  const lines = ids.map((id) => {
    const { question, readings } = assumptions[id]
    return `- ${question} Assumed: ${readings[0].means} (\`${id}\`).`
  })
  return `\n\n**Where the contract is silent**\n\n${lines.join('\n')}`
}

type AnswerHeaders = Readonly<Record<string, object>>

const usualHeaders = {
  'x-request-id': {
    description: 'Identifies the request; error bodies repeat it as requestId',
    schema: { type: 'string' as const, format: 'uuid' },
  },
}

const assumedHeader = {
  'x-sandbox-assumed': {
    description:
      'What the answer relied on that the contract leaves open, as `<id>=<reading>, …`. The live ' +
      'service does not send it',
    schema: { type: 'string' as const },
  },
}

const waiting = {
  'retry-after': {
    description: 'Whole seconds to wait',
    schema: { type: 'integer' as const, minimum: 1 },
  },
}

/** Statuses by which a gate keeps somebody out. */
const KEEPS_OUT = new Set([401, 403, 503])

const errorCodesOf = ({ isOpen, errors }: Operation, face: FaceDocument): Set<ErrorCode> => {
  const { gateErrors } = face
  const gate = isOpen ? gateErrors.filter((code) => !KEEPS_OUT.has(statusOf(code))) : gateErrors
  return new Set([...gate, ...errors, '5000'])
}

/** Of these the contract says to wait and to try again. */
const MAY_TELL_WHEN = new Set([429, 503])

const answerOf = (
  { description, schema, type, also = [], provenance, assumption }: Answer,
  headers: AnswerHeaders,
) => ({
  description,
  headers,
  content: {
    [type ?? 'application/json']: { schema },
    ...Object.fromEntries(also.map((other) => [other, { schema: z.string() }])),
  },
  ...(provenance && { 'x-provenance': provenance }),
  ...(assumption && { 'x-assumption': assumption }),
})

const errorAnswers = (face: FaceDocument, headers: AnswerHeaders, operation: Operation) => {
  const path = examplePath(operation)
  const doubts = { ...face.errorDoubts, ...operation.errorDoubts }
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(operation, face)) {
    const status = statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    answers.map(([status, group]) => {
      const isKnown = group.every((code) => code in documentedErrors)
      const doubt = doubts[status] ?? (isKnown ? undefined : 'error.codes')
      return [
        status,
        {
          description: group.map((code) => `\`${code}\` ${meaningOf(code)}`).join('. '),
          headers: MAY_TELL_WHEN.has(status) ? { ...headers, ...waiting } : headers,
          content: {
            'application/json': {
              schema: face.errorSchema,
              examples: Object.fromEntries(
                group.map((code) => [code, exampleOf(code, operation.method, path)]),
              ),
            },
          },
          'x-provenance': doubt ? 'assumed' : 'documented',
          ...(doubt && { 'x-assumption': doubt }),
        },
      ]
    }),
  )
}

const meaningOf = (code: ErrorCode): string =>
  code in documentedErrors
    ? documentedErrors[code as DocumentedCode].message
    : assumedErrors[code as AssumedCode].means

/** The path with the examples of its parameters in their places. */
const examplePath = ({ path, params }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const field = params?.shape[name] as z.ZodType | undefined
    return String(field?.meta()?.example ?? placeholder)
  })

const exampleOf = (code: ErrorCode, method: string, path: string) => ({
  summary: `${code}: ${meaningOf(code)}`,
  value: errorBody(
    { code, message: meaningOf(code) },
    method.toUpperCase(),
    path,
    '0b9f6d2e-7a54-4f0e-9c1a-5d8e3b2f1a60',
  ),
})
