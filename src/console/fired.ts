import type { Entry } from '../world/kernel/journal.js'
import type { Timer } from '../world/kernel/timers.js'
import type { View } from './view.js'

/** How often each rule of a scenario has fired since the world began, as far as the journal goes back. */
export const firedRules = ({ line }: View, scenario: string): ReadonlyMap<number, number> => {
  const entries = line.journal.after(0)
  const start = entries.findLastIndex(({ command }) => command === 'world.begin')
  const fired = new Map<number, number>()
  const known = new Set<string>()
  const count = (rule: number) => fired.set(rule, (fired.get(rule) ?? 0) + 1)
  for (const entry of entries.slice(Math.max(start, 0))) {
    for (const rule of statedIn(entry, scenario)) count(rule)
    for (const { plan, id, done } of plansIn(entry)) {
      // A plan is written anew when it waits for reads: only its beginning counts.
      if (plan.scenario !== scenario || done > 0 || known.has(id)) continue
      known.add(id)
      count(plan.rule)
    }
  }
  return fired
}

const plansIn = ({ changes }: Entry): Timer[] =>
  changes.flatMap(({ table, record }) =>
    table === 'timers' && record ? [record as unknown as Timer] : [],
  )

const statedIn = ({ events }: Entry, scenario: string): number[] =>
  events.flatMap(({ type, id }) => {
    if (type !== 'rule.fired' || !id.startsWith(`${scenario}/`)) return []
    return [Number(id.slice(scenario.length + 1))]
  })
