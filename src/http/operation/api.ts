import type { ServerResponse } from 'node:http'
import type { World } from '../../domain/world.js'
import type { JsonResponse } from '../../history/log-record.js'
import type { Redactor } from '../../history/redact.js'
import type { Exchange } from '../../history/views.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { WorldName } from '../../worlds/world-keys.js'
import type { ApiError } from './api-error.js'
import type { BodyBudget } from './body-limits.js'
import type { NameClient } from './clients.js'
import type { NodeStreams, RequestContext } from './context.js'
import type { Operation } from './operation.js'
import type { CountStream } from './stream-limits.js'

/** A request whose key is valid in its world. */
export interface Authenticated {
  readonly key: string | undefined
  /** Headers of every response to it, such as those of the rate limit. */
  readonly headers?: JsonResponse['headers'] | undefined
}

/** All APIs of a sandbox have them. */
export interface ApiParts {
  readonly sandbox: Sandbox
  readonly bodyLimit: number
  readonly bodies: BodyBudget
  readonly countStream: CountStream
  readonly nameClient: NameClient
  /** Removes secrets from texts for logs. */
  readonly redact: Redactor
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/** An API of the sandbox: the service, or the control API. */
export interface Api extends ApiParts {
  readonly kind: 'request' | 'control'
  /** Refuses requests of other origins and answers a preflight. Neither is recorded. */
  readonly guard?: (c: RequestContext) => JsonResponse | undefined
  /** Delays a request that would keep others waiting. */
  readonly inTurn:
    | ((
        c: RequestContext,
        operation: Operation | undefined,
        answer: () => Promise<HandlerResult>,
      ) => Promise<HandlerResult>)
    | undefined
  /** Names the world of a request, by its key or its query. It opens no world and fires no timer. */
  readonly nameWorld: (c: RequestContext, operation: Operation | undefined) => WorldName
  /** Finds the world whose log gets a request that enters none. */
  readonly findLog?: (c: RequestContext) => Promise<LiveWorld | undefined>
  /** Checks the key in its world, its permission and its rate limit. */
  readonly authenticate: (
    c: RequestContext,
    operation: Operation | undefined,
    world: World,
    name: WorldName,
  ) => Authenticated
  /** The likely mistake in a refused request. */
  readonly hintFor?: (c: RequestContext) => string | undefined
  /** Headers of all responses to a request. */
  readonly headersFor: (c: RequestContext) => JsonResponse['headers']
}

/** A connection that a rule cuts: without a response, or within its body. */
export interface DroppedConnection {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly partial: JsonResponse | undefined
  /** The peer sees a reset instead of an end. */
  readonly isReset?: boolean
}

/** The result of a handler: a JSON response, a response of the fetch API, or a connection to cut. */
export type HandlerResult = JsonResponse | Response | DroppedConnection

/** Answers a request, with all headers of the response. */
export type RequestHandler = (c: RequestContext) => Promise<HandlerResult>

/** Answers a plain Node request; false for other requests. */
export type FastPath = (streams: Required<NodeStreams>) => boolean

/** Answers a plain request in process; undefined for other requests. */
export type FastFetch = (
  input: unknown,
  init?: RequestInit,
) => HandlerResult | undefined | Promise<HandlerResult | undefined>

/** All APIs of a sandbox, for a server. */
export interface App {
  /** `env` is Node's side of the request, if it came over a connection. */
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
  readonly fastPath: FastPath
  readonly fastFetch: FastFetch
  readonly nameClient: NameClient
  /** Masks the token of a listener in all logs. */
  readonly redactToken: (token: string) => void
  /** Answers a request that reaches no route with an error, and closes its connection. */
  readonly refuse: (outgoing: ServerResponse, error: ApiError) => void
  /** Answers plain HTTP on an HTTPS port. */
  readonly refusePlainHttp: (outgoing: ServerResponse) => void
}
