import type { Row } from './row.js'
import { layout } from './table.js'
import { clampInstant, type Instant } from './time.js'

/** One command, and the delay after the step before it. */
export interface ActionStep {
  readonly after_ms: number
  /** Waits for this many status requests of the subject, instead of for time. */
  readonly after_reads?: number
  readonly command: string
  readonly input: object
}

export interface ActionPlan {
  readonly subject: string
  readonly scenario: string
  readonly rule: number
  readonly source: string
  readonly steps: readonly ActionStep[]
  /** Active scenarios of the subject, which apply to its steps too. */
  readonly scenarios?: readonly string[]
  readonly key?: string
}

export interface Timer extends Row {
  /** Null while it waits for status requests. */
  readonly due: Instant | null
  readonly reads?: number
  readonly plan: ActionPlan
  /** Completed steps, and so the index of the next one. */
  readonly done: number
  /** Cascade depth: steps in a row without a delay; 0 after a delay. */
  readonly chain: number
  /** Rules in a row that led here, this one included. Old data files lack it. */
  readonly generation?: number
  /** The rule whose timer set this one, in words, if it is another rule. */
  readonly set_by?: string
}

export const timersLayout = layout<Timer>()({
  subject: ({ plan }) => plan.subject,
  reads: ({ due, plan }) => (due === null ? plan.subject : undefined),
})

/** Orders timers by due time. Timers that wait for status requests come last. */
export const compareByDue = (a: Timer, b: Timer): number => toDue(a) - toDue(b) || a.n - b.n

const toDue = ({ due }: Timer): number => due ?? Number.POSITIVE_INFINITY

/** Numbers the timers within an entry, so that their order survives a restart. */
export const TIMERS_PER_ENTRY = 65_536

/** The point in the world's history at which a timer is set. */
interface ScheduleContext {
  readonly now: Instant
  readonly count: number
  /** Cascade depth of a timer without delay. */
  readonly cascadeDepth: number
  /** The timer whose step sets it. */
  readonly setter: Timer | undefined
}

export const timerAt = (plan: ActionPlan, done: number, set: ScheduleContext, k: number): Timer => {
  const { after_ms = 0, after_reads } = plan.steps[done] ?? {}
  const id = `${set.count}.${k}`
  const n = set.count * TIMERS_PER_ENTRY + k
  const lineage = continueLineage(plan, done, set.setter)
  if (after_reads) return { id, n, due: null, reads: after_reads, plan, done, chain: 0, ...lineage }
  const due = clampInstant(set.now + after_ms)
  return { id, n, due, plan, done, chain: due === set.now ? set.cascadeDepth : 0, ...lineage }
}

/** The steps of one plan are one generation. */
const continueLineage = (
  plan: ActionPlan,
  done: number,
  setter: Timer | undefined,
): Pick<Timer, 'generation' | 'set_by'> => {
  if (!setter) return { generation: 1 }
  const { generation = 1, set_by } = setter
  if (done > 0) return set_by === undefined ? { generation } : { generation, set_by }
  const isOther = plan.source !== setter.plan.source
  return { generation: generation + 1, ...(isOther && { set_by: formatRule(setter.plan) }) }
}

const formatRule = ({ rule, scenario, source }: ActionPlan): string =>
  `rule ${rule} of scenario ${scenario} (${source})`

/** Due now after the last status request that it waited for. */
export const afterPoll = (timer: Timer, now: Instant): Timer => {
  const { reads = 1, ...rest } = timer
  return reads > 1 ? { ...timer, reads: reads - 1 } : { ...rest, due: now }
}

export const isDueAtOnce = ({ steps }: ActionPlan, n = 0): boolean =>
  steps[n]?.after_ms === 0 && !steps[n].after_reads

/** Undefined if the plan has no step left. */
export const nextStep = ({
  plan,
  done,
}: Pick<Timer, 'plan' | 'done'>): { command: string; input: object } | undefined => {
  const step = plan.steps[done]
  return step && { command: step.command, input: { id: plan.subject, ...step.input } }
}

/** Timers kept setting off timers. Earlier changes stay; the message names the rules of the next timer. */
export class TimerLoopError extends Error {
  override readonly name = 'TimerLoopError'
  /** `<scenario>/<rule>` */
  readonly rule: string

  constructor({ plan, set_by }: Pick<Timer, 'plan' | 'set_by'>, limit: string) {
    const rules = [formatRule(plan), ...(set_by === undefined ? [] : [set_by])].join(' and ')
    super(
      `Timers still start timers after ${limit}: ${rules}. The changes stay; the next timer is dropped.`,
    )
    this.rule = `${plan.scenario}/${plan.rule}`
  }
}
