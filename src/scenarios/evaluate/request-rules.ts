import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'
import type { Catalogue } from '../language/catalogue.js'
import type { FieldReader } from '../language/match.js'
import {
  MAX_DELAY_MS,
  REST,
  type RequestStep,
  type RespondStep,
} from '../language/request-steps.js'
import { parseMs } from './action-plans.js'
import { activeRules, type CompiledRequestRule, compiledRulesFor } from './compiled-rules.js'
import { applyQuota, isExhausted, random } from './rule-quota.js'
import { beginWindow, remainingMs } from './windows.js'

/** The effects of a rule on one request, after all random decisions. */
export interface Fault {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly source: string
  readonly delay_ms: number
  /** Real milliseconds before the command. */
  readonly hold_commit_ms: number
  /** Real milliseconds between the command and the response. */
  readonly hold_answer_ms: number
  /** Real milliseconds for the body of the response; 0 sends it at once. */
  readonly trickle_ms: number
  /** Age of the state that is read, in world time; 0 for the present state. */
  readonly stale_ms: number
  readonly respond: RespondStep | undefined
  readonly drop: RequestStep['drop']
  readonly hang: RequestStep['hang']
  readonly reset: RequestStep['reset']
  readonly patch: RequestStep['patch']
  readonly malform: RequestStep['malform']
}

/** At most one rule fires; all that matched may count. */
export interface FaultDecision {
  readonly fault: Fault | undefined
  readonly counts: readonly RuleCount[]
}

/** The rules for an operation; scenarios of the header come first. */
export const requestRules = (
  catalogue: Catalogue,
  tables: Tables,
  names: readonly string[] | undefined,
  operation = '',
): readonly CompiledRequestRule[] => {
  const active = activeRules(catalogue, tables).onRequest.get(operation) ?? NONE
  if (!names) return active
  const named = compiledRulesFor(catalogue, tables, names)
  return [...named.flatMap(({ onRequest }) => onRequest.get(operation) ?? NONE), ...active]
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
  for (const { matches, quota, window, steps, source } of rules) {
    if (isExhausted(quota, tables)) continue
    const reader = seen ?? look()
    seen = reader
    if (!matches(reader)) continue
    const rest_ms = window && remainingMs(window, tables, counts, now)
    if (window && rest_ms === undefined) continue
    const { fires, count } = applyQuota(quota, reader, tables, seed)
    const throttle = fires ? steps.find((step) => step.throttle)?.throttle : undefined
    if (count && throttle) {
      const { kept, wait_ms } = applyThrottle(count, throttle.limit, parseMs(throttle.window), now)
      counts.push(kept)
      if (wait_ms === undefined) continue
      const instead = tooMany(wait_ms)
      return { fault: buildFault(quota.name, source, steps, instead, wait_ms, () => 0), counts }
    }
    if (count) counts.push(count)
    if (!fires) continue
    // Random numbers derive from the count, so each value of `per` has its own.
    const dice = (nth: number) =>
      random(seed, count?.id ?? quota.name, count?.matched ?? 0, nth + 1)
    return { fault: buildFault(quota.name, source, steps, undefined, rest_ms, dice), counts }
  }
  return { fault: undefined, counts }
}

/** Lets a number of requests pass per window. The first of them starts the window. */
const applyThrottle = (
  count: RuleCount,
  limit: number,
  window_ms: number,
  now: Instant,
): { kept: RuleCount; wait_ms: number | undefined } => {
  const { window_from, passed, fired } = count
  const isOver = window_from === null || now >= window_from + window_ms
  const allowed = { ...count, fired: fired - 1 }
  if (isOver) return { kept: { ...allowed, window_from: now, passed: 1 }, wait_ms: undefined }
  if (passed < limit) return { kept: { ...allowed, passed: passed + 1 }, wait_ms: undefined }
  return { kept: count, wait_ms: window_from + window_ms - now }
}

const tooMany = (wait_ms: number): RespondStep => ({ status: 429, retry_after: `${wait_ms}ms` })

const buildFault = (
  rule: string,
  source: string,
  steps: readonly RequestStep[],
  instead: RespondStep | undefined,
  rest_ms: number | undefined,
  dice: (nth: number) => number,
): Fault => ({
  rule,
  source,
  delay_ms: Math.min(
    steps.reduce((sum, { delay_ms }, i) => sum + drawDelay(delay_ms, () => dice(i)), 0),
    MAX_DELAY_MS,
  ),
  hold_commit_ms: holdTimeBefore('commit', steps),
  hold_answer_ms: holdTimeBefore('answer', steps),
  trickle_ms: parseMs(steps.find(({ trickle }) => trickle)?.trickle?.over),
  stale_ms: parseMs(steps.find(({ stale }) => stale)?.stale),
  respond: withRest(steps.find((step) => step.respond)?.respond, rest_ms) ?? instead,
  drop: steps.find((step) => step.drop)?.drop,
  hang: steps.find((step) => step.hang)?.hang,
  reset: steps.find((step) => step.reset)?.reset,
  patch: steps.find((step) => step.patch)?.patch,
  malform: steps.find((step) => step.malform)?.malform,
})

/** Replaces `rest` by what is left of the rule's window, in milliseconds. */
const withRest = (
  respond: RespondStep | undefined,
  rest_ms: number | undefined,
): RespondStep | undefined =>
  respond?.retry_after === REST ? { ...respond, retry_after: `${rest_ms ?? 0}ms` } : respond

const holdTimeBefore = (before: 'commit' | 'answer', steps: readonly RequestStep[]): number =>
  parseMs(steps.find(({ hold }) => hold?.before === before)?.hold?.for)

const drawDelay = (delay: RequestStep['delay_ms'], drawn: () => number): number => {
  if (delay === undefined) return 0
  if (typeof delay === 'number') return delay
  const [least, most] = delay
  return least + Math.floor(drawn() * (most - least + 1))
}
