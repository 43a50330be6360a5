import { windowId } from '../../domain/scenario-state.js'
import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import { type Instant, parseDuration } from '../../kernel/time.js'
import type { During } from '../language/rules.js'

/** World time in which a rule applies. */
export interface Window {
  /** Id of the count that stores the start. */
  readonly id: string
  readonly after: During['after']
  readonly from_ms: number
  /** Infinite for a window without end. */
  readonly for_ms: number
}

export const createWindow = (rule: string, during: During): Window => ({
  id: windowId(rule),
  after: during.after,
  from_ms: parseDuration(during.from ?? '0s') ?? 0,
  for_ms: during.for === undefined ? Number.POSITIVE_INFINITY : (parseDuration(during.for) ?? 0),
})

/** Undefined while the window is closed. */
export const remainingMs = (
  { id, from_ms, for_ms }: Window,
  tables: Tables,
  counts: readonly RuleCount[],
  now: Instant,
): number | undefined => {
  const since = findStart(id, tables, counts)
  if (since === undefined || now < since + from_ms) return undefined
  const rest = since + from_ms + for_ms - now
  return rest > 0 ? rest : undefined
}

/** Starts a window, unless it is open: an event during an outage does not prolong it. */
export const beginWindow = (
  { id, after, from_ms, for_ms }: Window,
  tables: Tables,
  counts: RuleCount[],
  now: Instant,
): void => {
  const since = findStart(id, tables, counts)
  const isOnce = after === 'start' || after === 'request'
  if (since !== undefined && (isOnce || now < since + from_ms + for_ms)) return
  counts.push({ id, n: 0, matched: 0, fired: 0, window_from: now, passed: 0 })
}

/** Counts of this evaluation take precedence over stored counts. */
const findStart = (
  id: string,
  tables: Tables,
  counts: readonly RuleCount[],
): Instant | undefined => {
  const noted = counts.findLast((count) => count.id === id) ?? tables.rule_counts.get(id)
  return noted?.window_from ?? undefined
}
