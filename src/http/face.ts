import type { Context } from 'hono'
import type { Sent } from '../journal/recording.js'
import type { Sandbox } from '../sandbox.js'
import type { Readings } from '../world/readings.js'
import type { World } from '../world/world.js'
import type { Cut } from './cut.js'
import type { Operation } from './operation.js'

/** One finished exchange, for the log. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Null when the connection was cut without an answer. */
  readonly status: number | null
  readonly duration_ms: number
  readonly request_id: string
  readonly operation: string | undefined
  /** The id of the world that it was about, when that is not the default one. */
  readonly world?: string
}

/** Where a request was let in, and the id of the key that opened it. */
export interface Entered {
  readonly world: World
  readonly key: string | undefined
  /** What every answer to it has besides its own headers. */
  readonly headers?: Sent['headers'] | undefined
  /** Lets go of the world: while a request is at it, it stays open. */
  readonly release?: (() => void) | undefined
}

/** What a face is made of: its sandbox, its door, and who hears of its requests. */
export interface Face {
  readonly sandbox: Sandbox
  readonly kind: 'request' | 'control'
  /** Lets a request in to a world, or throws. `operation` is undefined on an unknown path. */
  readonly enter: (c: Context, operation: Operation | undefined, readings: Readings) => Entered
  readonly bodyLimit: number
  readonly log: ((exchange: Exchange) => void) | undefined
  readonly report: (bug: unknown) => void
}

/** What a request comes to: an answer, a response that is ready, or a connection that is cut. */
export type Outcome = Sent | Response | Cut
