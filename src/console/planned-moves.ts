import { clampInstant, type Instant } from '../kernel/time.js'
import { compareByDue, type Timer } from '../kernel/timers.js'
import type { PageContext } from './page-context.js'

/** The pending timers of a record, next one first. */
export const findTimers = ({ tables }: PageContext, id: string): Timer[] =>
  tables.timers.list('subject', id).sort(compareByDue)

export interface Planned {
  readonly to: string
  /** Undefined if this move or an earlier one waits for reads. */
  readonly at: Instant | undefined
  /** The number of reads that the move waits for. */
  readonly reads: number | undefined
  readonly scenario: string
  /** The index of the rule in the scenario. */
  readonly rule: number
}

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
