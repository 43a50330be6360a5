import * as z from 'zod'
import { serviceOperations } from '../api/service/index.js'
import { isAssumption } from '../assumptions/ids.js'
import type { RecordedAnswer, RecordedAnswers } from '../http/operation/document.js'
import type { Operation } from '../http/operation/operation.js'
import { createSandbox, type Sandbox } from '../index.js'

/** A request whose response becomes an example in the document. */
interface ExampleRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** With this seed and a manual clock, a fresh sandbox always returns the same responses. */
export const EXAMPLE_OPTIONS = { seed: 'openapi', clock: 'manual' } as const

export const recordAnswers = async (): Promise<RecordedAnswers> => {
  const recorded: Record<string, RecordedAnswer[]> = {}
  for (const request of exampleRequests()) {
    const sandbox = await createSandbox(EXAMPLE_OPTIONS)
    const answers = recorded[request.operation] ?? []
    recorded[request.operation] = [...answers, await record(sandbox, request)]
    await sandbox.close()
  }
  return recorded
}

/** One id replaces the random request ids. */
const REQUEST_ID = '0b9f6d2e-7a54-4f0e-9c1a-5d8e3b2f1a60'

export const record = async (
  sandbox: Pick<Sandbox, 'fetch'>,
  { method, path, headers, body }: ExampleRequest,
): Promise<RecordedAnswer> => {
  const response = await sandbox.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const answer: unknown = await response.json()
  const isError = response.status >= 400
  const value = isError ? { ...(answer as { code: string }), requestId: REQUEST_ID } : answer
  const told = response.headers.get('x-sandbox-assumed') ?? ''
  const ids = told.split(', ').map((it) => it.split('=', 1)[0] ?? '')
  return {
    status: response.status,
    name: isError ? (answer as { code: string }).code : 'example',
    value,
    assumptions: ids.filter(isAssumption),
  }
}

const FULL = 'SandrampFullAccessKey00000000001'
/** A body that breaks off: all versions of Node have the same message for it. */
const CUT = '{"user_id":'

/** Wrong keys, for the examples of authentication errors. */
const KEYS: readonly (string | undefined)[] = [
  undefined,
  'short',
  'SandrampUnknownKey00000000000001',
  'SandrampExpiredKey00000000000001',
  'SandrampSuspendedKey000000000001',
]
const READ_ONLY = 'SandrampReadOnlyKey0000000000001'
const NOBODY = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f'

/** The examples of each operation, with its refusals. */
export const exampleRequests = (): ExampleRequest[] => serviceOperations.flatMap(listRequests)

const listRequests = (operation: Operation): ExampleRequest[] => {
  const params = (operation.params && toExample(operation.params)) as Example | undefined
  const body = operation.body && (toExample(operation.body) as Example)
  const request = (
    key: string | undefined,
    values = params,
    sent = body && JSON.stringify(body),
  ) => ({
    operation: operation.id,
    method: operation.method.toUpperCase(),
    path: pathWith(operation.path, values),
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: sent,
  })
  const unknown = (values: Example) => ({ ...values, ...withSubject(values, NOBODY) })
  return [
    request(FULL),
    ...KEYS.map((key) => request(key)),
    ...(body ? [request(READ_ONLY), request(FULL, params, '{}'), request(FULL, params, CUT)] : []),
    ...(body && 'user_id' in body ? [request(FULL, params, JSON.stringify(unknown(body)))] : []),
    ...(params
      ? [request(FULL, unknown(params)), request(FULL, { ...params, ...withSubject(params, '1') })]
      : []),
  ]
}

type Example = Readonly<Record<string, unknown>>

/** Points a request at another user or transfer. */
const withSubject = (values: Example, id: string): Example =>
  'user_id' in values ? { user_id: id } : { transaction_id: id }

const pathWith = (path: string, params: Example | undefined): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params?.[name]))

const toExample = (schema: z.ZodType): unknown => {
  const example = schema.meta()?.example
  if (example !== undefined) return example
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return toExample(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodArray) return [toExample(schema.element as z.ZodType)]
  if (!(schema instanceof z.ZodObject)) return undefined
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  return Object.fromEntries(fields.map(([name, field]) => [name, toExample(field)]))
}
