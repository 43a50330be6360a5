/** Limits of a connection; the server closes a connection that exceeds one. */
export interface ConnectionLimits {
  /** Bytes of the request line and headers together. */
  readonly headers: number
  /** How long headers may take to arrive. */
  readonly headers_ms: number
  /** How long a whole request may take to arrive. */
  readonly request_ms: number
  /** How long a connection stays open between two requests. */
  readonly idle_ms: number
  /** How long a response may wait for its reader without any progress. */
  readonly stall_ms: number
  /** How often the server looks for requests that take too long. */
  readonly check_ms: number
  /** The server closes further connections at once. */
  readonly connections: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headers: 16 * 1024,
  headers_ms: 15_000,
  request_ms: 60_000,
  idle_ms: 5_000,
  stall_ms: 30_000,
  check_ms: 1_000,
  connections: 2_000,
}

/** How long a refused client may continue to send, so that it can read the error. */
export const LINGER_MS = 1_000
