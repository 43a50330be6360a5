import type { Fact } from '../world/kernel/journal.js'
import type { Row } from '../world/kernel/table.js'
import { parseDuration } from '../world/kernel/time.js'
import type { Plan } from '../world/kernel/timers.js'
import type { CommandName, Tables } from '../world/world.js'
import { type EventName, events, subjectOf } from './events.js'
import { type Matcher, matcherOf } from './match.js'
import type { PlacedRule, Scenario } from './read.js'

/** How rules take part in a world: of the scenarios in order, the first rule that matches a fact. */
export const reactWith = (scenarios: readonly Scenario[]) => {
  const ready = readyRules(scenarios)
  return (fact: Fact, tables: Tables): readonly Plan[] => {
    const rules = ready.get(fact.type)
    const subject = rules && tables[subjectOf(fact.type as EventName).table].get(fact.id)
    const rule = subject && rules.find(({ matches }) => matches(subject))
    return rule ? [rule.planFor(subject)] : NOTHING
  }
}

const NOTHING: readonly Plan[] = []

/** A rule made ready: durations read, conditions split, so that a fact costs next to nothing. */
interface ReadyRule {
  readonly matches: Matcher
  readonly planFor: (subject: Row) => Plan
}

const readyRules = (scenarios: readonly Scenario[]): ReadonlyMap<string, readonly ReadyRule[]> => {
  const ready = new Map<string, ReadyRule[]>()
  for (const { name, rules } of scenarios) {
    rules.forEach((rule, index) => {
      const others = ready.get(rule.when) ?? []
      ready.set(rule.when, [...others, readyRule(name, index, rule)])
    })
  }
  return ready
}

const readyRule = (scenario: string, rule: number, placed: PlacedRule): ReadyRule => {
  const { move } = events[placed.when] as { move?: CommandName }
  if (!move) throw new Error(`${placed.when} has no subject that moves`)
  const steps = placed.then.map(({ after, move: to, reason }) => ({
    after_ms: parseDuration(after ?? '0s') ?? 0,
    command: move,
    input: reason === undefined ? { to } : { to, reason },
  }))
  return {
    matches: matcherOf(placed.if),
    planFor: ({ id }) => ({
      subject: id,
      scenario,
      rule,
      source: placed.source,
      steps,
    }),
  }
}
