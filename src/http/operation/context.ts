import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * An incoming request: the part of Hono's context that the APIs need, so that Node's own request fits too.
 */
export interface RequestContext {
  readonly req: RequestView
  /** Node's side of the request; undefined in process. */
  readonly env: unknown
}

/** Methods that change nothing, so that a second attempt is safe. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface RequestView {
  readonly method: string
  /** Partly decoded; the router matches it. */
  readonly path: string
  readonly url: string
  /** Names are in lower case. */
  header(name: string): string | undefined
  header(): Record<string, string>
  param(): Record<string, string>
  queries(): Record<string, string[]>
  /** The fetch Request, if there is one. */
  readonly raw?: Request
  /** The whole body of a request in process. */
  readonly bodyText?: string | undefined
}

export interface NodeStreams {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
  /** The token that its listener generated. */
  readonly controlToken?: string | undefined
}

export const nodeStreams = ({ env }: RequestContext): NodeStreams => env ?? {}

/** The text of a body, or the error of reading it. The key is checked before that error counts. */
export interface BodyText {
  readonly text?: string | undefined
  readonly error?: unknown
}

/** A body as JSON, or the error of parsing it. Rules of scenarios match before that error counts. */
export interface ParsedBody {
  readonly body: unknown
  readonly error?: unknown
}
export const NO_BODY: ParsedBody = { body: undefined }
