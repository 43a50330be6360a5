import type { Row } from './row.js'

/** The origin of a command, as plain JSON. */
export type Cause =
  | { kind: 'boot' }
  | { kind: 'fixtures' }
  | { kind: 'library' }
  | ({ kind: 'request' | 'read' | 'control' } & RequestCause)
  | ({ kind: 'timer'; timer: string } & RuleStep)

export interface RuleStep {
  readonly scenario: string
  readonly rule: number
  readonly step: number
  /** File and line of the rule. */
  readonly source: string
}

/** Cause of an event whose step ran in the command that set it off. */
export type RuleCause = { readonly kind: 'rule'; readonly subject: string } & RuleStep

interface RequestCause {
  readonly request: string
  readonly operation: string
  /** Undefined for a client of the API. */
  readonly by?: 'console'
  readonly key?: string
  /** Scenarios of the request's header. */
  readonly scenarios?: readonly string[]
  /** Readings of the request's header, by id. */
  readonly readings?: Readonly<Record<string, string>>
}

export interface DomainEvent {
  readonly type: string
  readonly id: string
  /** Only if it differs from the cause of the entry. */
  readonly cause?: RuleCause
  readonly [detail: string]: unknown
}

/** The record after a command; null if it was removed. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly record: Row | null
}

export interface RefusalNote {
  readonly code: string
  readonly message: string
}

/** The unit of journal, replay and undo. */
export interface Entry {
  readonly seq: number
  readonly at: string
  readonly cause: Cause
  readonly command: string
  readonly input: unknown
  readonly events: readonly DomainEvent[]
  readonly changes: readonly Change[]
  readonly refused?: RefusalNote | undefined
}
