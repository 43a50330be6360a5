import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** Node's own side of a request; nothing of it is there in process. */
export interface Wire {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

export const wireOf = (c: Context): Wire => (c.env ?? {}) as Wire
