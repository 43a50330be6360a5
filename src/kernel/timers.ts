import type { Row } from './row.js'
import { layout } from './table.js'
import { clampInstant, type Instant } from './time.js'

/** One command to run, and what to wait for once the step before is done. */
export interface ActionStep {
  readonly after_ms: number
  /** Waits for this many reads of the subject instead of for time. */
  readonly after_reads?: number
  readonly command: string
  /** The command's input, but for `id`: that is the plan's subject. */
  readonly input: object
}

/** What a rule asks for when it fires: steps, one after another, about one record. */
export interface ActionPlan {
  readonly subject: string
  readonly scenario: string
  readonly rule: number
  /** File and line of the rule. */
  readonly source: string
  readonly steps: readonly ActionStep[]
  /** Scenarios that the subject goes by: what its steps set off goes by them too. */
  readonly scenarios?: readonly string[]
  /** The API key of the request that led to it. */
  readonly key?: string
}

/** A plan under way: how far it is, and when its next step is due. */
export interface Timer extends Row {
  /** Null while it waits for reads. */
  readonly due: Instant | null
  /** How many reads of the subject it still waits for. */
  readonly reads?: number
  readonly plan: ActionPlan
  /** How many steps of the plan are done: the place of the next one. */
  readonly done: number
  /** How many timers in a row led to it without time passing: 0 when it waits. */
  readonly chain: number
}

export const timersLayout = layout<Timer>()({
  subject: ({ plan }) => plan.subject,
  /** By subject: those that wait for reads of it. */
  reads: ({ due, plan }) => (due === null ? plan.subject : undefined),
})

/** Timers set by one entry are numbered within it, so their order survives a reload. */
export const TIMERS_PER_ENTRY = 65_536

/** Where in the world's history a timer is set. */
export interface ScheduleContext {
  readonly now: Instant
  readonly count: number
  /** The chain that it would continue if it does not wait. */
  readonly cascadeDepth: number
}

export const timerAt = (plan: ActionPlan, done: number, set: ScheduleContext, k: number): Timer => {
  const { after_ms = 0, after_reads } = plan.steps[done] ?? {}
  const id = `${set.count}.${k}`
  const n = set.count * TIMERS_PER_ENTRY + k
  if (after_reads) return { id, n, due: null, reads: after_reads, plan, done, chain: 0 }
  const due = clampInstant(set.now + after_ms)
  return { id, n, due, plan, done, chain: due === set.now ? set.cascadeDepth : 0 }
}

/** The same timer after one more read: due now when it was the last that it waited for. */
export const afterPoll = (timer: Timer, now: Instant): Timer => {
  const { reads = 1, ...rest } = timer
  return reads > 1 ? { ...timer, reads: reads - 1 } : { ...rest, due: now }
}

/** The command and input that a timer stands for; undefined when its plan has no step left. */
export const nextStep = ({ plan, done }: Timer): { command: string; input: object } | undefined => {
  const step = plan.steps[done]
  return step && { command: step.command, input: { id: plan.subject, ...step.input } }
}
