import type { DomainEvent } from './entry.js'
import type { Row } from './row.js'
import { layout } from './table.js'
import type { Instant } from './time.js'
import type { ActionPlan } from './timers.js'

/** How often a rule has matched and fired in a world; kept only for rules that ask. */
export interface RuleCount extends Row {
  readonly matched: number
  readonly fired: number
  /** Since when a throttle counts, and how many it has let through since. */
  readonly window_from: Instant | null
  readonly passed: number
}

export const ruleCountsLayout = layout<RuleCount>()({})

/** What rules see of a fact, besides the tables. */
export interface RuleContext {
  readonly event: DomainEvent
  readonly now: Instant
  readonly seed: string
  /** Names of the scenarios that the request or the timer behind the fact goes by. */
  readonly scenarios: readonly string[] | undefined
  /** The API key of the request that set it off. */
  readonly key: string | undefined
}

/** What rules make of a fact: at most one of them fires; counts are kept for all that matched. */
export interface RuleEffects {
  readonly plan: ActionPlan | undefined
  readonly counts: readonly RuleCount[]
}
