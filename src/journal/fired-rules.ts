import type { Entry } from '../kernel/entry.js'
import type { Timer } from '../kernel/timers.js'
import { goesBack } from './lineage.js'

/** A rule, and how often it has fired. */
export interface FiredRule {
  /** `<scenario>/<rule>` */
  readonly rule: string
  /** File and line. */
  readonly source: string
  readonly times: number
}

/** The rules that have fired, in the order in which they first did. */
export const firedRules = (entries: readonly Entry[]): FiredRule[] => {
  const fired = new Map<string, FiredRule>()
  const add = (rule: string, source: string) =>
    fired.set(rule, { rule, source, times: (fired.get(rule)?.times ?? 0) + 1 })
  const seen = new Set<string>()
  for (const { command, events, changes } of entries) {
    // A world that begins anew numbers its timers anew.
    if (command === 'world.begin') seen.clear()
    for (const { type, id, source } of events) {
      if (type === 'rule.fired') add(id, String(source ?? ''))
    }
    for (const { table, id, record } of changes) {
      if (table !== 'timers') continue
      // What is taken back may come again under its number.
      if (!record) seen.delete(id)
      if (!record || seen.has(id)) continue
      seen.add(id)
      const { plan, done } = record as Timer
      if (done === 0 && !goesBack(command)) add(`${plan.scenario}/${plan.rule}`, plan.source)
    }
  }
  return [...fired.values()]
}
