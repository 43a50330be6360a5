import { layout, type Row } from './table.js'
import type { Instant } from './time.js'

/** One command to run, and how long to wait for it once the step before is done. */
export interface PlannedStep {
  readonly after_ms: number
  readonly command: string
  /** The command's input, but for `id`: that is the plan's subject. */
  readonly input: object
}

/** What a rule asks for when it fires: steps, one after another, about one record. */
export interface Plan {
  readonly subject: string
  readonly scenario: string
  readonly rule: number
  /** File and line of the rule. */
  readonly source: string
  readonly steps: readonly PlannedStep[]
}

/** A plan under way: how far it is, and when its next step is due. */
export interface Timer extends Row {
  readonly due: Instant
  readonly plan: Plan
  /** How many steps of the plan are done: the place of the next one. */
  readonly done: number
  /** How many timers in a row led to it without time passing: 0 when it waits. */
  readonly chain: number
}

export const timersLayout = layout<Timer>()({})

/** Timers set by one entry are numbered within it, so their order survives a reload. */
const TIMERS_PER_ENTRY = 65_536

/** Where in the world's history a timer is set. */
export interface Setting {
  readonly now: Instant
  readonly count: number
  /** The chain that it would continue if it does not wait. */
  readonly chain: number
}

export const timerAt = (plan: Plan, done: number, set: Setting, k: number): Timer => {
  const after_ms = plan.steps[done]?.after_ms ?? 0
  return {
    id: `${set.count}.${k}`,
    n: set.count * TIMERS_PER_ENTRY + k,
    due: set.now + after_ms,
    plan,
    done,
    chain: after_ms === 0 ? set.chain : 0,
  }
}

/** The command and input that a timer stands for; undefined when its plan has no step left. */
export const stepOf = ({ plan, done }: Timer): { command: string; input: object } | undefined => {
  const step = plan.steps[done]
  return step && { command: step.command, input: { id: plan.subject, ...step.input } }
}
