import type { Fact } from '../world/kernel/journal.js'
import type { Row } from '../world/kernel/table.js'
import { parseDuration } from '../world/kernel/time.js'
import type { Plan, PlannedStep } from '../world/kernel/timers.js'
import type { Tables } from '../world/world.js'
import { type EventName, events, subjectOf } from './events.js'
import { matches } from './match.js'
import type { PlacedRule, Scenario } from './read.js'

/** How rules take part in a world: of the scenarios in order, the first rule that matches a fact. */
export const reactWith =
  (scenarios: readonly Scenario[]) =>
  (fact: Fact, tables: Tables): readonly Plan[] => {
    if (!(fact.type in events)) return []
    const event = fact.type as EventName
    const subject = tables[subjectOf(event).table].get(fact.id)
    if (!subject) return []
    for (const { name, rules } of scenarios) {
      const index = rules.findIndex((rule) => rule.when === event && matches(rule.if, subject))
      const rule = rules[index]
      if (rule) return [planOf(name, index, rule, subject)]
    }
    return []
  }

const planOf = (scenario: string, rule: number, placed: PlacedRule, subject: Row): Plan => ({
  subject: subject.id,
  scenario,
  rule,
  source: placed.source,
  steps: placed.then.map((step) => plannedStep(placed.when, step, subject)),
})

const plannedStep = (
  event: EventName,
  step: PlacedRule['then'][number],
  subject: Row,
): PlannedStep => {
  const { move } = subjectOf(event)
  if (!move) throw new Error(`${event} has no subject that moves`)
  return {
    after_ms: parseDuration(step.after ?? '0s') ?? 0,
    command: move,
    input: { id: subject.id, to: step.move, ...(step.reason ? { reason: step.reason } : {}) },
  }
}
