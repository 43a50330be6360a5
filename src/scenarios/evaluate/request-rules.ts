import type { Tables } from '../../domain/schema.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'
import { effectOf, type Fault, type RequestStep } from '../faults/fault.js'
import { TOO_MANY } from '../faults/throttle.js'
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

/** One evaluation of rules: the state, the request, and the counts so far. */
interface Round {
  readonly tables: Tables
  readonly now: Instant
  readonly seed: string
  readonly look: () => FieldReader
  readonly counts: RuleCount[]
}

/** A rule on its way to fire. Each stage returns undefined if the rule does not get further. */
interface Candidate {
  readonly rule: CompiledRequestRule
  readonly rest_ms?: number
  readonly count?: RuleCount | undefined
  readonly steps: readonly RequestStep[]
}

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
  let seen: FieldReader | undefined
  const lookOnce = () => {
    seen ??= look()
    return seen
  }
  const round: Round = { tables, now, seed, look: lookOnce, counts: [] }
  for (const rule of rules) beginWindows(rule, round)
  for (const rule of rules) {
    const matched = match(rule, round)
    const open = matched && enterWindow(matched, round)
    const fired = open && takeQuota(open, round)
    if (fired) return applyEffect(fired, round)
  }
  return { fault: undefined, counts: round.counts }
}

/** A scenario that only a header names starts now. */
const beginWindows = ({ matches, window }: CompiledRequestRule, round: Round): void => {
  if (window?.after !== 'start' && window?.after !== 'request') return
  const { look, tables, counts, now } = round
  if (window.after === 'start' || matches(look())) beginWindow(window, tables, counts, now)
}

const match = (rule: CompiledRequestRule, { look, tables }: Round): Candidate | undefined =>
  !isExhausted(rule.quota, tables) && rule.matches(look()) ? { rule, steps: rule.steps } : undefined

const enterWindow = (candidate: Candidate, round: Round): Candidate | undefined => {
  const { window } = candidate.rule
  if (!window) return candidate
  const rest_ms = remainingMs(window, round.tables, round.counts, round.now)
  return rest_ms === undefined ? undefined : { ...candidate, rest_ms }
}

const takeQuota = (candidate: Candidate, round: Round): Candidate | undefined => {
  const { quota, throttle, steps } = candidate.rule
  const { fires, count } = applyQuota(quota, round.look(), round.tables, round.seed)
  if (fires && count && throttle) {
    const { kept, rest_ms } = throttle(count, round.now)
    round.counts.push(kept)
    return rest_ms === undefined
      ? undefined
      : { ...candidate, rest_ms, count: kept, steps: [TOO_MANY, ...steps] }
  }
  if (count) round.counts.push(count)
  return fires ? { ...candidate, count } : undefined
}

const applyEffect = (
  { rule, steps, count, rest_ms = 0 }: Candidate,
  round: Round,
): FaultDecision => {
  const { quota, source, call } = rule
  const { seed, counts } = round
  if (steps.length === 0) return { fault: undefined, counts, call }
  // Random numbers derive from the count, so each value of `per` has its own.
  const draw = (nth: number) => random(seed, count?.id ?? quota.name, count?.matched ?? 0, nth + 1)
  const fault = { rule: quota.name, source, effect: effectOf(steps, rest_ms, draw) }
  return { fault, counts, call, limited: Number.isFinite(quota.limit) ? count : undefined }
}
