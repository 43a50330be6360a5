import type { Row } from '../world/kernel/table.js'
import type { Plan } from '../world/kernel/timers.js'
import type { Playlist } from '../world/steering.js'
import type { Tables } from '../world/world.js'
import { type Catalogue, findScenario, LAST } from './catalogue.js'
import type { Dosage } from './dosage.js'
import { subjectOf } from './events.js'
import { requestFields, subjectFields } from './fields.js'
import type { EventRule, RequestRule } from './language.js'
import { type Matcher, matcherOf, pathIn } from './match.js'
import { operationIds } from './operations.js'
import { plannerOf } from './plans.js'
import type { Placed, PlacedRule, Scenario } from './read.js'
import type { RequestStep } from './request-steps.js'
import { type Window, windowOf } from './windows.js'

interface Ready {
  readonly matches: Matcher
  readonly dosage: Dosage
  readonly window: Window | undefined
  readonly source: string
}
/** What a plan's steps go by: the scenarios in force, the key of the request behind it. */
export interface Origin {
  readonly scenarios?: readonly string[]
  readonly key?: string
}
export interface ReadyEventRule extends Ready {
  readonly planFor: (subject: Row, origin: Origin) => Plan
}
export interface ReadyRequestRule extends Ready {
  readonly steps: readonly RequestStep[]
}

/** Rules made ready, in order of precedence, by what they wait for. */
export interface Playbook {
  readonly onEvent: ReadonlyMap<string, readonly ReadyEventRule[]>
  /** By operation; under the empty name those for requests that are none. */
  readonly onRequest: ReadonlyMap<string, readonly ReadyRequestRule[]>
  /** The windows of rules, by the event that begins them, or `start`. */
  readonly begins: ReadonlyMap<string, readonly Window[]>
}

const ofScenario = new WeakMap<Scenario, Playbook>()
const ofPlaylist = new WeakMap<Playlist, Playbook>()

/** The names of the scenarios that a world plays, in order of precedence. */
export const activeNames = (tables: Tables): string[] => {
  const names = tables.playlist.get('active')?.names ?? []
  return [...names.filter((name) => name !== LAST), LAST]
}

/** What a world plays: its active scenarios in order, then happy-path. */
export const activePlaybook = (catalogue: Catalogue, tables: Tables): Playbook => {
  const playlist = tables.playlist.get('active') ?? NOTHING
  const known = ofPlaylist.get(playlist)
  if (known) return known
  const playbook = joined(playbooks(catalogue, tables, activeNames(tables)))
  ofPlaylist.set(playlist, playbook)
  return playbook
}

const NOTHING: Playlist = { id: 'active', n: 0, names: [] }

/** The playbooks of single scenarios, in this order; names that are gone are passed over. */
export const playbooks = (
  catalogue: Catalogue,
  tables: Tables,
  names: readonly string[],
): Playbook[] =>
  names.flatMap((name) => {
    const scenario = findScenario(catalogue, tables, name)
    return scenario ? [playbookOf(scenario)] : []
  })

export const playbookOf = (scenario: Scenario): Playbook => {
  const known = ofScenario.get(scenario)
  if (known) return known
  const made = makePlaybook(scenario)
  ofScenario.set(scenario, made)
  return made
}

const makePlaybook = ({ name, rules }: Scenario): Playbook => {
  const onEvent = new Map<string, ReadyEventRule[]>()
  const onRequest = new Map<string, ReadyRequestRule[]>()
  const begins = new Map<string, Window[]>()
  const add = <T>(map: Map<string, T[]>, key: string, ready: T) =>
    map.set(key, [...(map.get(key) ?? []), ready])
  rules.forEach((rule, index) => {
    const { during } = rule
    if (during) add(begins, during.after, windowOf(`${name}/${index}`, during))
    if (rule.when === 'request') {
      // The operation is what the rule is found by.
      const { operation: _found, ...others } = rule.if ?? {}
      const asked = isListed(rule) ? { ...rule, if: others } : rule
      const ready = { ...readyOf(name, index, asked), steps: rule.then }
      for (const operation of operationsOf(rule)) add(onRequest, operation, ready)
    } else add(onEvent, rule.when, readyEventRule(name, index, rule))
  })
  return { onEvent, onRequest, begins }
}

/** The operations that a rule can match: all, and what is none, unless it names some. */
const operationsOf = (rule: RequestRule): readonly string[] =>
  isListed(rule) ? [rule.if?.operation].flat().map(String) : ['', ...operationIds]

const isListed = ({ if: conditions }: RequestRule): boolean =>
  typeof conditions?.operation === 'string' || Array.isArray(conditions?.operation)

const readyOf = (scenario: string, index: number, rule: PlacedRule): Ready => {
  const { skip = 0, limit = Number.POSITIVE_INFINITY, chance = 1 } = rule
  const fields = rule.when === 'request' ? requestFields : subjectFields[subjectOf(rule.when).table]
  const per = rule.per === undefined ? undefined : pathIn(fields, rule.per)
  const isCounted =
    skip > 0 || limit < Number.POSITIVE_INFINITY || chance < 1 || hasCountedSteps(rule)
  return {
    matches: matcherOf(rule.if, fields),
    dosage: { name: `${scenario}/${index}`, skip, limit, per, chance, isCounted },
    window: rule.during && windowOf(`${scenario}/${index}`, rule.during),
    source: rule.source,
  }
}

const hasCountedSteps = (rule: PlacedRule): boolean =>
  rule.when === 'request' && rule.then.some((it) => it.throttle || Array.isArray(it.delay_ms))

const readyEventRule = (
  scenario: string,
  index: number,
  rule: EventRule & Placed,
): ReadyEventRule => {
  const planner = plannerOf(rule.then, subjectOf(rule.when))
  const { source } = rule
  return {
    ...readyOf(scenario, index, rule),
    planFor: (subject, origin) => {
      const { key } = origin
      const steps = planner(subject, key)
      const plan = { subject: subject.id, scenario, rule: index, source, steps }
      if (origin.scenarios) return { ...plan, ...origin }
      // Written out, not spread: one is kept for every record that a rule moves.
      return key === undefined
        ? plan
        : { subject: subject.id, scenario, rule: index, source, steps, key }
    },
  }
}

/** Several playbooks as one: what comes first goes first. */
const joined = (all: readonly Playbook[]): Playbook => ({
  onEvent: joinedMaps(all.map(({ onEvent }) => onEvent)),
  onRequest: joinedMaps(all.map(({ onRequest }) => onRequest)),
  begins: joinedMaps(all.map(({ begins }) => begins)),
})

const joinedMaps = <T>(maps: readonly ReadonlyMap<string, readonly T[]>[]): Map<string, T[]> => {
  const all = new Map<string, T[]>()
  for (const map of maps) {
    for (const [key, rules] of map) all.set(key, [...(all.get(key) ?? []), ...rules])
  }
  return all
}
