import type * as z from 'zod'
import type { ReadingLookup } from '../assumptions/ids.js'
import type { AssumptionId } from '../assumptions/register/index.js'
import type { Readings } from '../assumptions/use.js'
import type { ErrorCode } from '../contract/errors.js'
import type { ReadingSource, SchemaVariants } from '../contract/schema-variants.js'
import type { World } from '../domain/world.js'
import type { Cause } from '../kernel/entry.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { RequestView } from './context.js'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A schema that is the same in every reading, or made for the readings that may be. */
type SchemaAs = z.ZodType | ((mayRead: ReadingSource) => z.ZodType)

/** One answer of an operation, for the document. */
export interface Answer {
  readonly description: string
  readonly schema: SchemaAs
  /** Whether this status is answered at all; always without. */
  readonly answeredIf?: (mayRead: ReadingSource) => boolean
  /** What it is instead of JSON. */
  readonly type?: string
  /** Texts of other content types that it may be in place of JSON. */
  readonly also?: readonly string[]
  readonly provenance?: 'documented' | 'observed' | 'assumed'
  readonly assumption?: AssumptionId
}

/** What a handler gets: the validated request, and its world, brought up to its time. */
export interface Call<P, Q, B> {
  readonly sandbox: Sandbox
  readonly live: LiveWorld
  /** The state that the request sees; a copy of an earlier state under a rule with stale_ms. */
  readonly world: World
  /** Who asks, for the journal. */
  readonly cause: Cause
  /** How to read what the contract leaves open; what is asked is told with the answer. */
  readonly readings: Readings
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The request itself, for its method and headers. */
  readonly request: RequestView
  /** Another request with the same idempotent id runs meanwhile, and each makes a record. */
  readonly isDoubled?: boolean | undefined
}

/** A status, a body that becomes JSON, and headers besides the usual ones. */
export interface JsonReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler gives: JSON, or a response that is ready but for its request id. */
export type Reply = JsonReply | Response

/** A body that comes as text of some content type. */
export interface TextBody {
  readonly types: readonly string[]
  /** Largest accepted body in bytes; the face's own limit holds besides. */
  readonly limit: number
  /** What it holds when it comes as JSON, for the document. */
  readonly schema: z.ZodType
  /** Reads it, or throws an ApiError. */
  readonly read: (text: string) => Promise<unknown>
}

type ShapeOf<S> = S extends z.ZodType ? z.output<S> : undefined

interface Definition<P, Q, B> {
  /** OpenAPI operation id; scenarios and the journal use it too. */
  readonly id: string
  readonly method: Method
  /** With parameters in braces, as OpenAPI writes it. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly params?: P
  readonly query?: Q
  /** Whether it has these parameters. By default it has none: they are not in the document, and unknown. */
  readonly queryIf?: (read: ReadingLookup) => boolean
  /** For the document; the handler reads them from the request. */
  readonly headers?: z.ZodObject
  readonly body?: B
  /** A body that is not JSON alone: how it is read. What `read` gives is what `body` checks. */
  readonly text?: TextBody
  /** Whether no body at all stands for `{}`. */
  readonly bodyOptional?: boolean
  readonly answers: Readonly<Record<number, Answer>>
  /** What the contract leaves open about the shape of its body, and of its query. */
  readonly bodyVariants?: SchemaVariants
  readonly queryVariants?: SchemaVariants
  /** Whether it answers anybody: without key or token, by whatever name. */
  readonly isOpen?: boolean
  /** Codes that it may answer besides those of the gate. */
  readonly errors: readonly ErrorCode[]
  /** What is open about its answers with an error, by status, although the contract gives their codes. */
  readonly errorDoubts?: Readonly<Record<number, AssumptionId>>
  /** Operations of the service answer at once; one of the control face may have to load something. */
  readonly handle: (call: Call<ShapeOf<P>, ShapeOf<Q>, ShapeOf<B>>) => Reply | Promise<Reply>
}

/** An operation with the types of its request forgotten: what lists of operations hold. */
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
/** Which statuses answer something created, as created.status is read. `usual` is that of no other reading. */
const isAnswered = (usual: 200 | 201, status: 200 | 201) => (mayRead: ReadingSource) =>
  mayRead('created.status', status === 201 ? 'created' : 'ok') ||
  (status === usual && mayRead('created.status', 'mixed'))

/** The answers about something created. */
export const createdAnswers = (
  usual: 200 | 201,
  description: string,
  schema: SchemaAs,
): Readonly<Record<200 | 201, Answer>> => {
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

/** The answer about something created. `usual` is its status where no reading makes all alike. */
export const createdOrOk = (readings: Readings, usual: 200 | 201, body: unknown): JsonReply => {
  const reading = readings.use('created.status')
  return { status: reading === 'mixed' ? usual : reading === 'created' ? 201 : 200, body }
}
export const created = (body: unknown): JsonReply => ({ status: 201, body })
