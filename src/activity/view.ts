import type { Tables } from '../domain/schema.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { LiveWorld } from '../worlds/live-world.js'

/** The world that is looked at. Its due timers have fired. */
export interface View {
  readonly sandbox: Sandbox
  readonly live: LiveWorld
  readonly tables: Tables
}
