import type { DomainEvent, Entry } from '../kernel/entry.js'
import type { Timer } from '../kernel/timer-records.js'
import { buildLineage, goesBack } from './lineage.js'

export interface FiredRule {
  /** `<scenario>/<rule>` */
  readonly rule: string
  /** File and line. */
  readonly source: string
  readonly times: number
}

/** In the order of their first firing. */
export const firedRules = (entries: readonly Entry[]): FiredRule[] => {
  const fired = new Map<string, FiredRule>()
  const add = (rule: string, source: string) =>
    fired.set(rule, { rule, source, times: (fired.get(rule)?.times ?? 0) + 1 })
  const seen = new Set<string>()
  for (const { command, events, changes } of entries) {
    // A reset numbers timers from 0 again.
    if (command === 'world.begin') seen.clear()
    for (const { type, id, source } of events) {
      if (type === 'rule.fired') add(id, String(source ?? ''))
    }
    for (const { rule, source } of findFiredWithin(events)) add(rule, source)
    for (const { table, id, record } of changes) {
      if (table !== 'timers') continue
      // After an undo another timer may get the same id.
      if (!record) seen.delete(id)
      if (!record || seen.has(id)) continue
      seen.add(id)
      const { plan, done } = record as Timer
      if (done === 0 && !goesBack(command)) add(`${plan.scenario}/${plan.rule}`, plan.source)
    }
  }
  return [...fired.values()]
}

/** The rules whose first step ran within the command. A step can emit several events. */
const findFiredWithin = (events: readonly DomainEvent[]): Iterable<Omit<FiredRule, 'times'>> => {
  const steps = new Map<string, Omit<FiredRule, 'times'>>()
  for (const { cause } of events) {
    if (cause?.step !== 0) continue
    const rule = `${cause.scenario}/${cause.rule}`
    steps.set(`${rule} ${cause.subject}`, { rule, source: cause.source })
  }
  return steps.values()
}

/** The firings that led to the present state of a world. */
interface RuleActivity {
  readonly fired: readonly FiredRule[]
  /** The oldest counted entry; undefined if the counts cover the world's whole life. */
  readonly since: Entry | undefined
}

export const findRuleActivity = (entries: readonly Entry[]): RuleActivity => {
  const lineage = buildLineage(entries)
  // The journal of a fork lacks the entries of the world that it was forked from.
  const fork = lineage.find(({ command }) => command === 'world.fork')
  const isWhole = lineage.some(({ command }) => command === 'world.begin')
  const oldest = isWhole ? undefined : (lineage[0] ?? entries.at(-1))
  return { fired: firedRules(lineage), since: fork ?? oldest }
}
