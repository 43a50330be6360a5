import type { Tables } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import type { RuleContext, RuleCount, RuleEffects } from '../../kernel/rules.js'
import type { ActionPlan } from '../../kernel/timer-records.js'
import { type Catalogue, HAPPY_PATH } from '../language/catalogue.js'
import { findSubject, isEvent } from '../language/events.js'
import {
  activeRules,
  type CompiledEventRule,
  type CompiledRules,
  compiledRulesFor,
  type Origin,
} from './compiled-rules.js'
import { readRecord } from './field-access.js'
import { applyQuota } from './rule-quota.js'
import { beginWindow, remainingMs } from './windows.js'

/**
 * Evaluates scenarios in this order: those of the request's header, those of the record, the active
 * ones, happy-path. The first rule that fires wins.
 */
export const createRuleEvaluator =
  (catalogue: Catalogue) =>
  (occasion: RuleContext, tables: Tables): RuleEffects | undefined => {
    const { type, id } = occasion.event
    if (STARTS.has(type)) return startWindows(activeRules(catalogue, tables), occasion, tables)
    if (type === 'transfer.resumed') return planRest(catalogue, tables, id)
    if (!isEvent(type)) return undefined
    const subject: Row | undefined = tables[findSubject(type).table].get(id)
    if (!subject) return undefined
    const names = mergedNames(occasion.scenarios, subject.scenarios)
    const active = activeRules(catalogue, tables)
    if (names.length === 0 && !concerns(active, type)) return undefined
    const origin = createOrigin(names, occasion.key)
    const counts: RuleCount[] = []
    const all =
      names.length === 0 ? [active] : [...compiledRulesFor(catalogue, tables, names), active]
    for (const { begins } of all) {
      for (const window of begins.get(type) ?? []) beginWindow(window, tables, counts, occasion.now)
    }
    let plan: ActionPlan | undefined
    for (const { onEvent } of all) {
      plan ??= firstPlan(onEvent.get(type), subject, origin, occasion, tables, counts)
    }
    return plan || counts.length > 0 ? { plan, counts } : undefined
  }

/** Events that can activate a scenario. */
const STARTS: ReadonlySet<string> = new Set([
  'world.begun',
  'scenarios.activated',
  'scenario.posted',
])

const startWindows = (
  { begins }: CompiledRules,
  { now }: RuleContext,
  tables: Tables,
): RuleEffects | undefined => {
  const counts: RuleCount[] = []
  for (const window of begins.get('start') ?? []) beginWindow(window, tables, counts, now)
  return counts.length > 0 ? { plan: undefined, counts } : undefined
}

/** The steps of happy-path from the status of a transfer on. */
const planRest = (catalogue: Catalogue, tables: Tables, id: string): RuleEffects | undefined => {
  const transfer = tables.transfers.get(id)
  const [usual] = compiledRulesFor(catalogue, tables, [HAPPY_PATH])
  const plan = transfer && usual?.onEvent.get('transfer.created')?.[0]?.planFor(transfer, {})
  if (!plan) return undefined
  const done = plan.steps.findIndex(({ input }) => Object(input).to === transfer.status)
  return { plan: { ...plan, steps: plan.steps.slice(done + 1) }, counts: [] }
}

const concerns = ({ onEvent, begins }: CompiledRules, type: string): boolean =>
  onEvent.has(type) || begins.has(type)

const NO_NAMES: readonly string[] = []

const mergedNames = (
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] => {
  if (!first || first === second) return second ?? NO_NAMES
  return second ? [...new Set([...first, ...second])] : first
}

const createOrigin = (scenarios: readonly string[], key: string | undefined): Origin => {
  if (scenarios.length === 0) return key === undefined ? {} : { key }
  return key === undefined ? { scenarios } : { scenarios, key }
}

const firstPlan = (
  rules: readonly CompiledEventRule[] = [],
  subject: Row,
  origin: Origin,
  { seed, now }: RuleContext,
  tables: Tables,
  counts: RuleCount[],
): ActionPlan | undefined => {
  const reader = readRecord(tables, subject)
  for (const rule of rules) {
    if (!rule.matches(reader)) continue
    if (rule.window) {
      if (rule.window.after === 'start') beginWindow(rule.window, tables, counts, now)
      if (remainingMs(rule.window, tables, counts, now) === undefined) continue
    }
    const { fires, count } = applyQuota(rule.quota, reader, tables, seed)
    if (count) counts.push(count)
    if (fires) return rule.planFor(subject, origin)
  }
  return undefined
}
