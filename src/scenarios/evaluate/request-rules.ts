import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'
import { createFault, type Fault } from '../faults/fault.js'
import { REST } from '../faults/respond.js'
import { applyThrottle } from '../faults/throttle.js'
import type { Catalogue } from '../language/catalogue.js'
import type { FieldReader } from '../language/match.js'
import {
  activeRules,
  armedRules,
  type CompiledRequestRule,
  compiledRulesFor,
} from './compiled-rules.js'
import { applyQuota, isExhausted, random } from './rule-quota.js'
import { beginWindow, remainingMs } from './windows.js'

/** At most one rule fires; all that matched may count. */
interface FaultDecision {
  readonly fault: Fault | undefined
  readonly counts: readonly RuleCount[]
  /** The armed call that the request takes. */
  readonly call?: string | undefined
  /** The count of a rule with a limit. */
  readonly limited?: RuleCount | undefined
}

/** The rules for an operation: armed calls first, then the scenarios of the header. */
export const requestRules = (
  catalogue: Catalogue,
  tables: Tables,
  names: readonly string[] | undefined,
  operation = '',
): readonly CompiledRequestRule[] => {
  const active = activeRules(catalogue, tables).onRequest.get(operation) ?? NONE
  const armed = armedRules(tables, operation)
  if (!names && armed.length === 0) return active
  const named = compiledRulesFor(catalogue, tables, names ?? [])
  const rules = named.flatMap(({ onRequest }) => onRequest.get(operation) ?? NONE)
  return [...armed, ...rules, ...active]
}

const NONE: readonly CompiledRequestRule[] = []

/**
 * Returns the first rule that fires. Calls `look` only if a rule needs the request. Pure: the
 * command rule.fire stores the counts.
 */
export const evaluateRequestRules = (
  rules: readonly CompiledRequestRule[],
  look: () => FieldReader,
  tables: Tables,
  now: Instant,
  seed: string,
): FaultDecision => {
  const counts: RuleCount[] = []
  let seen: FieldReader | undefined
  for (const { matches, window } of rules) {
    if (!window || (window.after !== 'start' && window.after !== 'request')) continue
    // A scenario that only a header names starts now.
    seen ??= look()
    if (window.after === 'start' || matches(seen)) beginWindow(window, tables, counts, now)
  }
  for (const { matches, quota, window, steps, source, call } of rules) {
    if (isExhausted(quota, tables)) continue
    const reader = seen ?? look()
    seen = reader
    if (!matches(reader)) continue
    const rest_ms = window && remainingMs(window, tables, counts, now)
    if (window && rest_ms === undefined) continue
    const { fires, count } = applyQuota(quota, reader, tables, seed)
    const throttle = fires ? steps.find((step) => step.throttle)?.throttle : undefined
    if (count && throttle) {
      const { kept, wait_ms } = applyThrottle(count, throttle, now)
      counts.push(kept)
      if (wait_ms === undefined) continue
      const tooMany = { respond: { status: 429, retry_after: REST } }
      return {
        fault: createFault(quota.name, source, [tooMany, ...steps], wait_ms, () => 0),
        counts,
        call,
      }
    }
    if (count) counts.push(count)
    if (!fires) continue
    if (steps.length === 0) return { fault: undefined, counts, call }
    // Random numbers derive from the count, so each value of `per` has its own.
    const draw = (nth: number) =>
      random(seed, count?.id ?? quota.name, count?.matched ?? 0, nth + 1)
    const limited = Number.isFinite(quota.limit) ? count : undefined
    return { fault: createFault(quota.name, source, steps, rest_ms, draw), counts, call, limited }
  }
  return { fault: undefined, counts }
}
