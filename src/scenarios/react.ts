import type { Occasion, Reaction, RuleCount } from '../world/kernel/rules.js'
import type { Row } from '../world/kernel/table.js'
import type { Plan } from '../world/kernel/timers.js'
import type { Tables } from '../world/world.js'
import type { Catalogue } from './catalogue.js'
import { doseOf } from './dosage.js'
import { isEvent, subjectOf } from './events.js'
import {
  activePlaybook,
  type Origin,
  type Playbook,
  playbooks,
  type ReadyEventRule,
} from './playbook.js'
import { recordView } from './views.js'
import { beginWindow, restOf } from './windows.js'

/**
 * How rules take part in a world: the scenarios that the request behind a fact named, then those that the
 * record was made under, then the active ones, then happy-path. The first rule that fires wins.
 */
export const reactWith =
  (catalogue: Catalogue) =>
  (occasion: Occasion, tables: Tables): Reaction | undefined => {
    const { type, id } = occasion.fact
    if (STARTS.has(type)) return started(activePlaybook(catalogue, tables), occasion, tables)
    if (!isEvent(type)) return undefined
    const subject: Row | undefined = tables[subjectOf(type).table].get(id)
    if (!subject) return undefined
    const names = mergedNames(occasion.scenarios, subject.scenarios)
    const active = activePlaybook(catalogue, tables)
    if (names.length === 0 && !concerns(active, type)) return undefined
    const origin = originOf(names, occasion.key)
    const counts: RuleCount[] = []
    const all = names.length === 0 ? [active] : [...playbooks(catalogue, tables, names), active]
    for (const { begins } of all) {
      for (const window of begins.get(type) ?? []) beginWindow(window, tables, counts, occasion.now)
    }
    let plan: Plan | undefined
    for (const { onEvent } of all) {
      plan ??= firstPlan(onEvent.get(type), subject, origin, occasion, tables, counts)
    }
    return plan || counts.length > 0 ? { plan, counts } : undefined
  }

/** With these a world plays scenarios that it did not play before. */
const STARTS: ReadonlySet<string> = new Set([
  'world.begun',
  'scenarios.activated',
  'scenario.posted',
])

/** Begins the windows that count from the start of their scenario. */
const started = ({ begins }: Playbook, { now }: Occasion, tables: Tables): Reaction | undefined => {
  const counts: RuleCount[] = []
  for (const window of begins.get('start') ?? []) beginWindow(window, tables, counts, now)
  return counts.length > 0 ? { plan: undefined, counts } : undefined
}

const concerns = ({ onEvent, begins }: Playbook, type: string): boolean =>
  onEvent.has(type) || begins.has(type)

const NO_NAMES: readonly string[] = []

const mergedNames = (
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] => {
  if (!first || first === second) return second ?? NO_NAMES
  return second ? [...new Set([...first, ...second])] : first
}

const originOf = (scenarios: readonly string[], key: string | undefined): Origin => {
  if (scenarios.length === 0) return key === undefined ? {} : { key }
  return key === undefined ? { scenarios } : { scenarios, key }
}

const firstPlan = (
  rules: readonly ReadyEventRule[] = [],
  subject: Row,
  origin: Origin,
  { seed, now }: Occasion,
  tables: Tables,
  counts: RuleCount[],
): Plan | undefined => {
  const view = recordView(tables, subject)
  for (const rule of rules) {
    if (!rule.matches(view)) continue
    if (rule.window) {
      if (rule.window.after === 'start') beginWindow(rule.window, tables, counts, now)
      if (restOf(rule.window, tables, counts, now) === undefined) continue
    }
    const { fires, count } = doseOf(rule.dosage, view, tables, seed)
    if (count) counts.push(count)
    if (fires) return rule.planFor(subject, origin)
  }
  return undefined
}
