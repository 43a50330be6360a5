import { buildLineage } from '../journal/lineage.js'
import type { Entry } from '../kernel/entry.js'
import type { Timer } from '../kernel/timers.js'
import type { PageContext } from './page-context.js'

/** How often each rule of a scenario has fired in what made the world what it is now. */
export interface Fired {
  readonly rules: ReadonlyMap<number, number>
  /** The entry from which on that is known; undefined when it is known from the world's beginning. */
  readonly since: Entry | undefined
}

export const firedRules = ({ live }: PageContext, scenario: string): Fired => {
  const entries = live.journal.after(0)
  const lineage = buildLineage(entries)
  // A fork goes on from what another world has lived through, and this journal does not tell of that.
  const fork = lineage.find(({ command }) => command === 'world.fork')
  const isWhole = lineage.some(({ command }) => command === 'world.begin')
  const rules = new Map<number, number>()
  const known = new Set<string>()
  const count = (rule: number) => rules.set(rule, (rules.get(rule) ?? 0) + 1)
  for (const entry of lineage) {
    for (const rule of statedIn(entry, scenario)) count(rule)
    for (const { plan, id, done } of plansIn(entry)) {
      // A plan is written anew when it waits for reads: only its beginning counts.
      if (plan.scenario !== scenario || done > 0 || known.has(id)) continue
      known.add(id)
      count(plan.rule)
    }
  }
  return { rules, since: fork ?? (isWhole ? undefined : (lineage[0] ?? entries.at(-1))) }
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
