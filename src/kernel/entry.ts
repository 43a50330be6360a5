import type { Row } from './row.js'

/** Who asked for a command. Any plain JSON that tells a reader where to look. */
export type Cause =
  | { kind: 'boot' }
  | { kind: 'fixtures' }
  | { kind: 'library' }
  | ({ kind: 'request' | 'read' | 'control' } & Asked)
  | { kind: 'timer'; timer: string; scenario: string; rule: number; step: number; source: string }

/** A request, as the cause of a command. */
export interface Asked {
  readonly request: string
  readonly operation: string
  /** Id of the API key that came with it. */
  readonly key?: string
  /** Scenarios that it named. */
  readonly scenarios?: readonly string[]
  /** Readings that it chose for itself, by the id of the assumption. */
  readonly readings?: Readonly<Record<string, string>>
}

/** A fact that a command recorded about one record. */
export interface DomainEvent {
  readonly type: string
  readonly id: string
  readonly [detail: string]: unknown
}

/** One record as a command left it; null where it removed the record. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly record: Row | null
}

/** What one command did, or why it was refused: the unit of log, replay and redo. */
export interface Entry {
  readonly seq: number
  readonly at: string
  readonly cause: Cause
  readonly command: string
  readonly input: unknown
  readonly events: readonly DomainEvent[]
  readonly changes: readonly Change[]
  readonly refused?: { readonly code: string; readonly message: string }
}
