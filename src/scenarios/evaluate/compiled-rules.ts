import type { ActiveScenarios, Tables } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import type { ActionPlan } from '../../kernel/timer-records.js'
import type { Quota } from '../faults/define.js'
import { hasCountedStep, quotaOf, type RequestStep } from '../faults/fault.js'
import { type Catalogue, findScenario, HAPPY_PATH } from '../language/catalogue.js'
import { findSubject } from '../language/events.js'
import { requestFields, subjectFields } from '../language/fields.js'
import { createMatcher, type Matcher, pathIn } from '../language/match.js'
import { operationIds } from '../language/operations.js'
import type { Placed, PlacedRule, Scenario } from '../language/parse-scenario.js'
import { isBare } from '../language/patches.js'
import type { EventRule, RequestRule } from '../language/rules.js'
import { createPlanBuilder } from './action-plans.js'
import type { RuleQuota } from './rule-quota.js'
import { createWindow, type Window } from './windows.js'

interface CompiledRule {
  readonly matches: Matcher
  readonly quota: RuleQuota
  readonly window: Window | undefined
  readonly source: string
}
/** The scenarios and the API key that apply to a plan's steps. */
export interface Origin {
  readonly scenarios?: readonly string[]
  readonly key?: string
}
export interface CompiledEventRule extends CompiledRule {
  readonly planFor: (subject: Row, origin: Origin) => ActionPlan
}
export interface CompiledRequestRule extends CompiledRule {
  /** Empty if an armed call is about the record that the request creates. */
  readonly steps: readonly RequestStep[]
  readonly throttle: Quota | undefined
  /** The armed call that a request takes with it. */
  readonly call?: string
}

/** Compiled rules in order of precedence. */
export interface CompiledRules {
  readonly onEvent: ReadonlyMap<string, readonly CompiledEventRule[]>
  /** By operation; the empty name holds rules for unknown operations. */
  readonly onRequest: ReadonlyMap<string, readonly CompiledRequestRule[]>
  /** Windows by the event that starts them, or `start`. */
  readonly begins: ReadonlyMap<string, readonly Window[]>
}

const ofScenario = new WeakMap<Scenario, CompiledRules>()
const rulesByActive = new WeakMap<Catalogue['edition'], WeakMap<ActiveScenarios, CompiledRules>>()

/** In order of precedence. */
export const activeNames = (tables: Tables): string[] => {
  const names = tables.playlist.get('active')?.names ?? []
  return [...names.filter((name) => name !== HAPPY_PATH), HAPPY_PATH]
}

/** The active scenarios in order, then happy-path. */
export const activeRules = (catalogue: Catalogue, tables: Tables): CompiledRules => {
  const playlist = tables.playlist.get('active') ?? NOTHING
  const byPlaylist =
    rulesByActive.get(catalogue.edition) ?? new WeakMap<ActiveScenarios, CompiledRules>()
  rulesByActive.set(catalogue.edition, byPlaylist)
  const known = byPlaylist.get(playlist)
  if (known) return known
  const rules = mergeRules(compiledRulesFor(catalogue, tables, activeNames(tables)))
  byPlaylist.set(playlist, rules)
  return rules
}

const NOTHING: ActiveScenarios = { id: 'active', n: 0, names: [] }

/** The rules of these scenarios and, by its id, of an armed call; unknown names are skipped. */
export const compiledRulesFor = (
  catalogue: Catalogue,
  tables: Tables,
  names: readonly string[],
): CompiledRules[] =>
  names.flatMap((name) => {
    const armed = tables.next_calls.get(name)?.scenario as Scenario | undefined
    const scenario = armed ?? findScenario(catalogue, tables, name)
    return scenario ? [getCompiledRules(scenario)] : []
  })

const getCompiledRules = (scenario: Scenario): CompiledRules => {
  const known = ofScenario.get(scenario)
  if (known) return known
  const made = compileRules(scenario)
  ofScenario.set(scenario, made)
  return made
}

const compileRules = ({ name, rules }: Scenario): CompiledRules => {
  const onEvent = new Map<string, CompiledEventRule[]>()
  const onRequest = new Map<string, CompiledRequestRule[]>()
  const begins = new Map<string, Window[]>()
  const add = <T>(map: Map<string, T[]>, key: string, ready: T) =>
    map.set(key, [...(map.get(key) ?? []), ready])
  rules.forEach((rule, index) => {
    const { during } = rule
    if (during) add(begins, during.after, createWindow(`${name}/${index}`, during))
    if (rule.when === 'request') {
      // Rules are indexed by operation already.
      const { operation: _found, ...others } = rule.if ?? {}
      const asked = isListed(rule) ? { ...rule, if: others } : rule
      const steps = rule.then
      const ready = { ...compileRule(name, index, asked), steps, throttle: quotaOf(steps) }
      for (const operation of listOperations(rule)) add(onRequest, operation, ready)
    } else add(onEvent, rule.when, compileEventRule(name, index, rule))
  })
  return { onEvent, onRequest, begins }
}

/** All operations, and unknown ones, unless the rule names some. A patch needs a response with fields. */
const listOperations = (rule: RequestRule): readonly string[] => {
  const ids = isListed(rule) ? [rule.if?.operation].flat().map(String) : ['', ...operationIds]
  return rule.then.some(({ patch }) => patch) ? ids.filter((id) => !isBare(id)) : ids
}

const isListed = ({ if: conditions }: RequestRule): boolean =>
  typeof conditions?.operation === 'string' || Array.isArray(conditions?.operation)

const compileRule = (scenario: string, index: number, rule: PlacedRule): CompiledRule => {
  const { skip = 0, limit = Number.POSITIVE_INFINITY, chance = 1 } = rule
  const fields =
    rule.when === 'request' ? requestFields : subjectFields[findSubject(rule.when).table]
  const per = rule.per === undefined ? undefined : pathIn(fields, rule.per)
  const steps = rule.when === 'request' ? rule.then : []
  const isCounted =
    skip > 0 || limit < Number.POSITIVE_INFINITY || chance < 1 || hasCountedStep(steps)
  return {
    matches: createMatcher(rule.if, fields),
    quota: { name: `${scenario}/${index}`, skip, limit, per, chance, isCounted },
    window: rule.during && createWindow(`${scenario}/${index}`, rule.during),
    source: rule.source,
  }
}

const compileEventRule = (
  scenario: string,
  index: number,
  rule: EventRule & Placed,
): CompiledEventRule => {
  const planner = createPlanBuilder(rule.then, findSubject(rule.when))
  const { source } = rule
  return {
    ...compileRule(scenario, index, rule),
    planFor: (subject, origin) => {
      const { key } = origin
      const steps = planner(subject, key)
      const plan = { subject: subject.id, scenario, rule: index, source, steps }
      if (origin.scenarios) return { ...plan, ...origin }
      // Written out, not spread: there is one for every record that a rule moves.
      return key === undefined
        ? plan
        : { subject: subject.id, scenario, rule: index, source, steps, key }
    },
  }
}

/** The rules of armed calls that an operation may take, oldest first. */
export const armedRules = ({ next_calls }: Tables, operation: string): CompiledRequestRule[] =>
  next_calls.list('armed', '').flatMap(({ id, scenario }) => {
    const rules = getCompiledRules(scenario as Scenario).onRequest.get(operation) ?? []
    return rules.map((rule) => ({ ...rule, call: id }))
  })

/** Earlier rules take precedence. */
const mergeRules = (all: readonly CompiledRules[]): CompiledRules => ({
  onEvent: mergeMaps(all.map(({ onEvent }) => onEvent)),
  onRequest: mergeMaps(all.map(({ onRequest }) => onRequest)),
  begins: mergeMaps(all.map(({ begins }) => begins)),
})

const mergeMaps = <T>(maps: readonly ReadonlyMap<string, readonly T[]>[]): Map<string, T[]> => {
  const all = new Map<string, T[]>()
  for (const map of maps) {
    for (const [key, rules] of map) all.set(key, [...(all.get(key) ?? []), ...rules])
  }
  return all
}
