import type * as z from 'zod'
import type { AssumptionId } from '../../assumptions/register/index.js'
import type { Readings } from '../../assumptions/use.js'
import type { ErrorCode } from '../../contract/errors.js'
import type { ReadingSource } from '../../contract/schema-variants.js'
import type { World } from '../../domain/world.js'
import type { Cause } from '../../kernel/entry.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { Scope } from '../../worlds/tenants.js'
import type { RequestView } from './context.js'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A schema that is the same in every reading, or a function of the readings. */
type SchemaAs = z.ZodType | ((mayRead: ReadingSource) => z.ZodType)

/** One response of an operation, for the document. */
export interface DocumentedResponse {
  readonly description: string
  readonly schema: SchemaAs
  /** Whether these readings use this status; without it, all do. */
  readonly answeredIf?: (mayRead: ReadingSource) => boolean
  /** The schema of a body that is no JSON. */
  readonly type?: string
  /** Content types other than JSON that it may have. */
  readonly also?: readonly string[]
  readonly provenance?: 'documented' | 'observed' | 'assumed'
  readonly assumption?: AssumptionId
}

/** The arguments of a handler: the validated request, and its world, brought up to its time. */
export interface Call<P, Q, B> {
  readonly sandbox: Sandbox
  readonly live: LiveWorld
  /** The worlds that the caller sees. */
  readonly scope: Scope
  /** The state that the request sees; a copy of an earlier state under a rule with stale_ms. */
  readonly world: World
  /** The cause of its commands, for the journal. */
  readonly cause: Cause
  /** The readings of the request. The response names those that the handler uses. */
  readonly readings: Readings
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The request itself, for its method and headers. */
  readonly request: RequestView
  /** Makes something once per request, such as a secret: a repeated attempt gets the same. */
  readonly once: <T>(make: () => T) => T
}

interface JsonReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The result of a handler: JSON, or a response that lacks only its request id. */
export type Reply = JsonReply | Response

export interface TextBody {
  readonly types: readonly string[]
  /** Largest accepted body in bytes; the limit of the API holds as well. */
  readonly limit: number
  /** The schema of the same content as JSON, for the document. */
  readonly schema: z.ZodType
  /** Parses it, or throws an ApiError. */
  readonly read: (text: string, sandbox: Sandbox) => Promise<unknown>
}

export type ShapeOf<S> = S extends z.ZodType ? z.output<S> : undefined

interface Definition<P, Q, B> {
  /** OpenAPI operation id; scenarios and the journal use it too. */
  readonly id: string
  readonly method: Method
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly params?: P
  readonly query?: Q
  /** Whether these readings have the parameters. Unknown parameters are not in the document. */
  readonly queryIf?: (readings: Readings) => boolean
  /** For the document; the handler reads them from the request itself. */
  readonly headers?: z.ZodObject
  readonly body?: B
  /** Parses a body that may be other than JSON. `body` checks the result of `read`. */
  readonly text?: TextBody
  /** Whether a missing body means `{}`. */
  readonly bodyOptional?: boolean
  readonly answers: Readonly<Record<number, DocumentedResponse>>
  /** Parses a query that `query` refuses, where these readings do not refuse it. */
  readonly queryOtherwise?: (readings: Readings) => z.ZodType | undefined
  /** Whether it needs neither key nor token, under any host name. */
  readonly isOpen?: boolean
  /** Whether it can be called without a world where no default world exists. */
  readonly needsNoWorld?: boolean
  /** Whether its response shows other worlds than that of its key. */
  readonly spansWorlds?: boolean
  /** Whether `?world=all` shows all worlds that the caller sees. */
  readonly acceptsAll?: boolean
  /** Whether its response stays open, so that their number is limited. */
  readonly isStream?: boolean
  /** Error codes besides those of the pipeline. */
  readonly errors?: readonly ErrorCode[]
  /** A status that another page of the contract contradicts. */
  readonly contradictedStatus?: number
  /** Operations of the service answer at once; an operation of the control API may load code first. */
  readonly handle: (call: Call<ShapeOf<P>, ShapeOf<Q>, ShapeOf<B>>) => Reply | Promise<Reply>
}

/** An operation without the types of its request, for lists of operations. */
export type Operation = Definition<
  z.ZodObject | undefined,
  z.ZodObject | undefined,
  z.ZodType | undefined
>

/** Declares an operation; the handler sees the parsed types of its own schemas. */
export const operation = <
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  definition: Definition<P, Q, B>,
): Operation => definition as unknown as Operation

export const ok = (body: unknown): JsonReply => ({ status: 200, body })
export const created = (body: unknown): JsonReply => ({ status: 201, body })

/** Whether some reading of created.status uses this status for a new record. `usual` is the default. */
const isAnswered = (usual: 200 | 201, status: 200 | 201) => (mayRead: ReadingSource) =>
  mayRead('created.status', status === 201 ? 'created' : 'ok') ||
  (status === usual && mayRead('created.status', 'mixed'))

export const createdAnswers = (
  usual: 200 | 201,
  description: string,
  schema: SchemaAs,
): Readonly<Record<200 | 201, DocumentedResponse>> => {
  const answer = {
    description,
    schema,
    provenance: 'assumed',
    assumption: 'created.status',
  } as const
  return {
    200: { ...answer, answeredIf: isAnswered(usual, 200) },
    201: { ...answer, answeredIf: isAnswered(usual, 201) },
  }
}

/** The response for a created record. `usual` is its status unless a reading makes all alike. */
export const createdOrOk = (readings: Readings, usual: 200 | 201, body: unknown): JsonReply => {
  const reading = readings.created.status
  return { status: reading === 'mixed' ? usual : reading === 'created' ? 201 : 200, body }
}
