import { clampInstant, type Instant } from '../kernel/time.js'
import type { Timer } from '../kernel/timers.js'
import type { PageContext } from './page-context.js'

/** The pending timers of a record, next one first. */
export const findTimers = ({ tables }: PageContext, id: string): Timer[] =>
  tables.timers.list('subject', id).sort((a, b) => getDueTime(a) - getDueTime(b))

const getDueTime = ({ due }: Timer): number => due ?? Number.POSITIVE_INFINITY

/** A move that a rule is going to make. */
export interface Planned {
  readonly to: string
  /** Undefined when it waits for reads, or comes after something that does. */
  readonly at: Instant | undefined
  /** Reads that it waits for. */
  readonly reads: number | undefined
  readonly scenario: string
  /** Its place in the scenario. */
  readonly rule: number
}

/** The planned moves of a record, with times as far as they are known. */
export const plannedMoves = (timers: readonly Timer[]): Planned[] =>
  timers.flatMap((timer) => {
    const { scenario, rule, steps } = timer.plan
    let at = timer.due ?? undefined
    return steps.slice(timer.done).flatMap(({ after_ms, after_reads, input }, i) => {
      if (i > 0) at = at === undefined || after_reads ? undefined : clampInstant(at + after_ms)
      const reads = i === 0 ? timer.reads : after_reads
      const to = (input as { to?: unknown }).to
      return typeof to === 'string' ? [{ to, at, reads, scenario, rule }] : []
    })
  })
