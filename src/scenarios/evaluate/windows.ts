import { windowId } from '../../domain/scenario-state.js'
import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import { type Instant, parseDuration } from '../../kernel/time.js'
import type { During } from '../language/rules.js'

/** When a rule is in force, in the world's time. */
export interface Window {
  /** The id of the count that keeps when it began. */
  readonly id: string
  readonly after: During['after']
  readonly from_ms: number
  /** Infinite for a window that never closes. */
  readonly for_ms: number
}

export const createWindow = (rule: string, during: During): Window => ({
  id: windowId(rule),
  after: during.after,
  from_ms: parseDuration(during.from ?? '0s') ?? 0,
  for_ms: during.for === undefined ? Number.POSITIVE_INFINITY : (parseDuration(during.for) ?? 0),
})

/** How much is left of an open window; undefined while it is closed. */
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

/**
 * Notes in `counts` that a window begins to count now. An event begins it again once it is over, never
 * before: what happens during an outage does not make it longer.
 */
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

/** What the rules have noted in this turn goes before what the world has kept. */
const findStart = (
  id: string,
  tables: Tables,
  counts: readonly RuleCount[],
): Instant | undefined => {
  const noted = counts.findLast((count) => count.id === id) ?? tables.rule_counts.get(id)
  return noted?.window_from ?? undefined
}
