import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'
import { type AssumptionId, assumptionIds, DEFAULT_READINGS } from '../../assumptions/ids.js'
import { type Assumption, compareByRisk } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import { DEFAULTS, type Readings } from '../../assumptions/use.js'
import { documentedStatuses, type ErrorCode } from '../../contract/errors.js'
import { REQUEST_ID_HEADER, RETRY_AFTER_HEADER } from '../../contract/header-names.js'
import { anyReading, chosenBy, type ReadingSource } from '../../contract/schema-variants.js'
import {
  type ApiErrors,
  codesByStatus,
  describeCode,
  provenanceOfErrors,
} from './document-errors.js'
import { type OpenApiDocument, withReadings } from './document-notes.js'
import type { DocumentedResponse, Operation, TextBody } from './operation.js'

/** The document's content besides its operations. */
interface ApiDocument extends ApiErrors {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly security: readonly Readonly<Record<string, string[]>>[]
  readonly errorSchema: z.ZodType
}

type SecurityScheme = Parameters<OpenAPIHono['openAPIRegistry']['registerComponent']>[2]

/** The response of a sandbox to the example of a request, and the assumptions that it relied on. */
export interface RecordedAnswer {
  readonly status: number
  readonly name: string
  readonly value: unknown
  readonly assumptions: readonly AssumptionId[]
}

export type RecordedAnswers = Readonly<Record<string, readonly RecordedAnswer[]>>

export type { OpenApiDocument }

export const OPENAPI_VERSIONS = ['3.1', '3.0'] as const

export interface DocumentView {
  readonly openapi: (typeof OPENAPI_VERSIONS)[number]
  /** The address that serves it. */
  readonly server: string
  readonly readings: Readings
  /** Whether it contains only the documented part of the contract. */
  readonly isContract: boolean
  readonly recorded: RecordedAnswers
}

export const DEFAULT_SERVER = 'http://127.0.0.1:4020'

export const DEFAULT_VIEW: DocumentView = {
  openapi: '3.1',
  server: DEFAULT_SERVER,
  readings: DEFAULTS,
  isContract: false,
  recorded: {},
}

/**
 * Generates the OpenAPI document of an API from the definitions that serve it. That of the contract still has
 * the notes by which `npm run documents` takes the assumed parts out.
 */
export const buildDocument = (
  operations: readonly Operation[],
  face: ApiDocument,
  view: DocumentView = DEFAULT_VIEW,
): OpenApiDocument => {
  const app = new OpenAPIHono()
  for (const [name, scheme] of Object.entries(face.securitySchemes)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const operation of operations) {
    app.openAPIRegistry.registerPath(createRoute(describeRoute(operation, face, view)))
  }
  const document = generate(app, face, view)
  titleSchemas(document)
  return view.isContract
    ? document
    : withReadings(document, face.hasReadings ? describeReadings(view.readings) : () => [])
}

/** Sentences about the chosen readings. */
const describeReadings =
  (readings: Readings) =>
  (open: readonly AssumptionId[]): readonly string[] =>
    open.map((id) => describeReading(id, readings.of(id)))

const describeReading = (id: AssumptionId, chosen: string): string => {
  const { question, readings }: Assumption = assumptions[id]
  const means = readings.find(({ name }) => name === chosen)?.means
  return `${question} Assumed (\`${id}=${chosen}\`): ${means}.`
}

const generate = (app: OpenAPIHono, face: ApiDocument, view: DocumentView): OpenApiDocument => {
  const { title, version, description } = face
  const parts = {
    info: {
      title,
      version,
      description,
      contact: { name: 'Sandramp', url: `${view.server}/reference` },
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'This sandbox. Set base_url to reach the service at another address',
        // The published JSON schema of OpenAPI 3.1 misspells a variable's description, so validators reject it.
        variables: { base_url: { default: view.server } },
      },
    ],
    tags: [...face.tags],
    security: face.security.map((scheme) => ({ ...scheme })),
  }
  return view.openapi === '3.1'
    ? app.getOpenAPI31Document({ openapi: '3.1.0', ...parts })
    : (app.getOpenAPIDocument({ openapi: '3.0.3', ...parts }) as OpenApiDocument)
}

const titleSchemas = ({ components }: OpenApiDocument): void => {
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    Object.assign(schema, { title: name })
  }
}

const describeRoute = (
  operation: Operation,
  face: ApiDocument,
  view: DocumentView,
): RouteConfig => {
  const { id, method, path, tag, summary, params, body } = operation
  const assumed = findAssumptions(id)
  const query = (operation.queryIf?.(view.readings) ?? true) ? operation.query : undefined
  return {
    operationId: id,
    method,
    path,
    tags: [tag],
    ...(operation.isOpen && { security: [] }),
    summary,
    description: operation.description + highestRisks(assumed, view),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(operation.headers && { headers: operation.headers }),
      ...(body && {
        body: {
          required: !operation.bodyOptional,
          content: operation.text
            ? describeContent(operation.text)
            : { 'application/json': { schema: body } },
        },
      }),
    },
    responses: { ...describeAnswers(operation, view), ...errorAnswers(operation, face, view) },
    ...(assumed.length > 0 && { 'x-assumptions': assumed }),
  } as RouteConfig
}

const describeContent = ({ types, schema }: TextBody) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: type === 'application/json' ? schema : z.string() }]),
  )

/** Assumptions about this operation by default, without those about all; the highest risk first. */
const findAssumptions = (operation: string): AssumptionId[] =>
  assumptionIds
    .filter((id) => {
      const { operations, otherwise = [] }: Assumption = assumptions[id]
      return operations.includes(operation) && !otherwise.includes(operation)
    })
    .sort((a, b) => compareByRisk(assumptions[a], assumptions[b]))

const MAX_LINKS = 3

/** Links to the questions with the highest cost of a wrong guess. */
const highestRisks = (ids: readonly AssumptionId[], view: DocumentView): string => {
  const high = ids.filter((id) => assumptions[id].risk === 'high').slice(0, MAX_LINKS)
  if (high.length === 0 || view.isContract) return ''
  const links = high.map((id) => `[${id}](${view.server}/assumptions/${id})`)
  return `\n\nOpen questions of high risk: ${links.join(', ')}`
}

const describeAnswers = (operation: Operation, view: DocumentView) => {
  const mayRead = chosenBy(view.readings)
  const answered = Object.entries(operation.answers).filter(
    ([, { answeredIf }]) => answeredIf?.(view.isContract ? anyReading : mayRead) ?? true,
  )
  return Object.fromEntries(
    answered.map(([status, answer]) => [
      status,
      describeAnswer(answer, mayRead, view, describeExamples(operation.id, Number(status), view)),
    ]),
  )
}

const requestId = {
  [REQUEST_ID_HEADER]: {
    description: 'Identifies the request; error bodies repeat it as requestId',
    schema: { type: 'string' as const, format: 'uuid' },
  },
}

const retryAfter = {
  [RETRY_AFTER_HEADER]: {
    description: 'Whole seconds to wait',
    schema: { type: 'integer' as const, minimum: 1 },
  },
}

/** The contract says to retry these after a wait. */
const WAIT_AND_RETRY = new Set([429, 503])

/** The contract names no header of an answer. */
const describeHeaders = (status: number, { isContract }: DocumentView) =>
  isContract
    ? {}
    : { headers: WAIT_AND_RETRY.has(status) ? { ...requestId, ...retryAfter } : requestId }

const describeAnswer = (
  { description, schema, type, also = [], provenance, assumption }: DocumentedResponse,
  mayRead: ReadingSource,
  view: DocumentView,
  examples: object,
) => ({
  description,
  ...describeHeaders(200, view),
  content: {
    [type ?? 'application/json']: {
      schema: typeof schema === 'function' ? schema(mayRead) : schema,
      ...examples,
    },
    ...Object.fromEntries(also.map((other) => [other, { schema: z.string() }])),
  },
  ...(provenance && !view.isContract && { 'x-provenance': provenance }),
  ...(assumption && !view.isContract && { 'x-assumption': assumption }),
})

/**
 * The contract's table of statuses concerns every operation; the document says which statuses one returns,
 * and why.
 */
const errorAnswers = (operation: Operation, face: ApiDocument, view: DocumentView) => {
  const answers = view.isContract
    ? Object.entries(documentedStatuses).map(
        ([status, description]) => [Number(status), { description }] as const,
      )
    : codesByStatus(operation, face, view.readings).map(
        ([status, codes]) =>
          [
            status,
            {
              description: describeSource(codes),
              ...provenanceOfErrors(operation, status, codes),
            },
          ] as const,
      )
  return Object.fromEntries(
    answers.map(([status, parts]) => [
      status,
      {
        ...parts,
        ...describeHeaders(status, view),
        content: {
          'application/json': {
            schema: face.errorSchema,
            ...describeExamples(operation.id, status, view),
          },
        },
      },
    ]),
  )
}

const describeSource = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\` ${describeCode(code)}`).join('. ')

/**
 * The recorded responses that rely on no reading that is not chosen here. The contract has no
 * readings, and shows errors but no response of success.
 */
const describeExamples = (
  operation: string,
  answered: number,
  { recorded, readings, isContract }: DocumentView,
): object => {
  const isSame = (id: AssumptionId) => !isContract && readings.of(id) === DEFAULT_READINGS[id]
  const isShown = !isContract || answered >= 400
  const kept = (recorded[operation] ?? []).filter(
    ({ status, assumptions }) => isShown && status === answered && assumptions.every(isSame),
  )
  if (kept.length === 0) return {}
  const shown = kept.map(({ name, value, assumptions }) => [
    name,
    { value, ...(assumptions.length > 0 && { 'x-assumptions': assumptions }) },
  ])
  return { examples: Object.fromEntries(shown) }
}
