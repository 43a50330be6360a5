import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readings } from '../assumptions/use.js'
import type { World } from '../domain/world.js'
import type { JsonResponse } from '../request-log/log-record.js'
import type { Redact } from '../request-log/redact.js'
import type { Exchange } from '../request-log/views.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { BodyBudget } from './body.js'
import type { RequestContext } from './context.js'
import type { DroppedConnection } from './dropped-connection.js'
import type { Operation } from './operation.js'

/** Where a request was let in, and the id of the key that opened it. */
export interface AuthenticatedRequest {
  readonly world: World
  readonly key: string | undefined
  /** What every answer to it has besides its own headers. */
  readonly headers?: JsonResponse['headers'] | undefined
  /** Lets go of the world: while a request is at it, it stays open. */
  readonly release?: (() => void) | undefined
}

/** What a face is made of: its sandbox, its door, and who hears of its requests. */
export interface Api {
  readonly sandbox: Sandbox
  readonly kind: 'request' | 'control'
  /**
   * Throws when a request may not come from where it comes, and answers a preflight. Neither is traffic of
   * any world.
   */
  readonly receive?: (c: RequestContext) => JsonResponse | undefined
  /** The likely mistake in a request that was refused. */
  readonly hintFor?: (c: RequestContext) => string | undefined
  /** Headers of all answers to a request. */
  readonly headersFor?: (c: RequestContext) => JsonResponse['headers']
  /** Lets a request in to a world, or throws. `operation` is undefined on an unknown path. */
  readonly authenticate: (
    c: RequestContext,
    operation: Operation | undefined,
    readings: Readings,
  ) => AuthenticatedRequest
  readonly bodyLimit: number
  readonly bodies: BodyBudget
  /** What is told of requests has no secrets. */
  readonly redact: Redact
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/** What a request comes to: an answer, a response that is ready, or a connection that is cut. */
export type HandlerResult = JsonResponse | Response | DroppedConnection

/** An outcome that may go out, and what its headers tell besides. */
export interface ApiResponse {
  readonly outcome: HandlerResult
  readonly requestId: string
  /** The assumptions that it relied on, as their header has them; empty for none. */
  readonly assumed: string
}

/** Answers one request, at once where nothing has to be waited for. */
export type RequestHandler = (c: RequestContext) => ApiResponse | Promise<ApiResponse>

/** Answers a request of Node's own if it is plain; tells whether it is. */
export type FastPath = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** All faces of a sandbox, as a server takes them. */
export interface App {
  /** Answers any request. `env` is Node's side of it, where it came over a connection. */
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
  /** Answers plain requests, which nearly all to the service are, in a shorter way. */
  readonly fastPath: FastPath
}
