import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'
import type { Catalogue } from '../language/catalogue.js'
import {
  MAX_DELAY_MS,
  REST,
  type RequestStep,
  type RespondStep,
} from '../language/request-steps.js'
import { parseMs } from './action-plans.js'
import { activeRules, type CompiledRequestRule, compiledRulesFor } from './compiled-rules.js'
import type { FieldReader } from './match.js'
import { applyQuota, isExhausted, random } from './rule-quota.js'
import { beginWindow, remainingMs } from './windows.js'

/** What a rule does to one request, with all dice thrown. */
export interface Fault {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly source: string
  readonly delay_ms: number
  /** How long the request is held before its command, in real milliseconds. */
  readonly hold_commit_ms: number
  /** How long it is held after its command, before the answer leaves. */
  readonly hold_answer_ms: number
  /** How long the body of the answer takes to go out; 0 sends it at once. */
  readonly trickle_ms: number
  /** How much earlier, in the world's time, the state is that is read; 0 for the present one. */
  readonly stale_ms: number
  readonly respond: RespondStep | undefined
  readonly drop: RequestStep['drop']
  readonly hang: RequestStep['hang']
  readonly reset: RequestStep['reset']
  readonly patch: RequestStep['patch']
  readonly malform: RequestStep['malform']
}

/** What rules make of a request: at most one of them fires; counts are kept for all that matched. */
export interface FaultDecision {
  readonly fault: Fault | undefined
  readonly counts: readonly RuleCount[]
}

/** The rules that can concern an operation, those of the scenarios that a request names first. */
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
 * The first rule that fires on a request, which `look` shows once a rule asks. Pure: what is counted is kept by
 * the command rule.fire.
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
    // A scenario that only a header names has had no start before.
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
      const { kept, wait_ms } = throttled(count, throttle.limit, parseMs(throttle.window), now)
      counts.push(kept)
      if (wait_ms === undefined) continue
      const instead = tooMany(wait_ms)
      return { fault: buildFault(quota.name, source, steps, instead, wait_ms, () => 0), counts }
    }
    if (count) counts.push(count)
    if (!fires) continue
    // By what is counted, as chance is: each value of `per` has dice of its own.
    const dice = (nth: number) =>
      random(seed, count?.id ?? quota.name, count?.matched ?? 0, nth + 1)
    return { fault: buildFault(quota.name, source, steps, undefined, rest_ms, dice), counts }
  }
  return { fault: undefined, counts }
}

/** Lets so many pass in each window, which begins with the first of them. */
const throttled = (
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
  hold_commit_ms: heldBefore('commit', steps),
  hold_answer_ms: heldBefore('answer', steps),
  trickle_ms: parseMs(steps.find(({ trickle }) => trickle)?.trickle?.over),
  stale_ms: parseMs(steps.find(({ stale }) => stale)?.stale),
  respond: withRest(steps.find((step) => step.respond)?.respond, rest_ms) ?? instead,
  drop: steps.find((step) => step.drop)?.drop,
  hang: steps.find((step) => step.hang)?.hang,
  reset: steps.find((step) => step.reset)?.reset,
  patch: steps.find((step) => step.patch)?.patch,
  malform: steps.find((step) => step.malform)?.malform,
})

/** Says in milliseconds what is left of the rule's window. */
const withRest = (
  respond: RespondStep | undefined,
  rest_ms: number | undefined,
): RespondStep | undefined =>
  respond?.retry_after === REST ? { ...respond, retry_after: `${rest_ms ?? 0}ms` } : respond

const heldBefore = (before: 'commit' | 'answer', steps: readonly RequestStep[]): number =>
  parseMs(steps.find(({ hold }) => hold?.before === before)?.hold?.for)

const drawDelay = (delay: RequestStep['delay_ms'], drawn: () => number): number => {
  if (delay === undefined) return 0
  if (typeof delay === 'number') return delay
  const [least, most] = delay
  return least + Math.floor(drawn() * (most - least + 1))
}
