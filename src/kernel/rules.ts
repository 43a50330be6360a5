import type { DomainEvent } from './entry.js'
import type { Row } from './row.js'
import { layout } from './table.js'
import type { Instant } from './time.js'
import type { ActionPlan } from './timer-records.js'

/** How often a rule has matched and fired. Only rules with a quota have one. */
export interface RuleCount extends Row {
  readonly matched: number
  readonly fired: number
  /** Start of a throttle's window, and the requests that passed since. */
  readonly window_from: Instant | null
  readonly passed: number
}

export const ruleCountsLayout = layout<RuleCount>()({})

export interface RuleContext {
  readonly event: DomainEvent
  readonly now: Instant
  readonly seed: string
  /** Active scenarios of the request or timer. */
  readonly scenarios: readonly string[] | undefined
  readonly key: string | undefined
}

/** At most one rule fires; all that matched may count. */
export interface RuleEffects {
  readonly plan: ActionPlan | undefined
  readonly counts: readonly RuleCount[]
}
