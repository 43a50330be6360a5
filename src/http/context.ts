import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A request on its way in. It is as much of Hono's context as the faces need, so that a request of Node's
 * own will do as well.
 */
export interface RequestContext {
  readonly req: RequestView
  /** Node's side of it, which Hono is handed as well; undefined in process. */
  readonly env: unknown
}

export interface RequestView {
  readonly method: string
  /** Decoded in part: routes are looked up by it. */
  readonly path: string
  readonly url: string
  /** Names are in lower case. */
  header(name: string): string | undefined
  header(): Record<string, string>
  param(): Record<string, string>
  queries(): Record<string, string[]>
  /** The request as a web object, where it is one. */
  readonly raw?: Request
  /** The whole body, where it came in process. */
  readonly bodyText?: string | undefined
}

/** Node's own side of a request; nothing of it is there in process. */
export interface NodeStreams {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

export const nodeStreams = ({ env }: RequestContext): NodeStreams => env ?? {}
