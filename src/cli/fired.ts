import { goesBack, lineageOf } from '../journal/lineage.js'
import type { Entry } from '../world/kernel/entry.js'
import type { Timer } from '../world/kernel/timers.js'

/** A rule, and how often it has fired. */
export interface FiredRule {
  /** `<scenario>/<rule>` */
  readonly rule: string
  /** File and line. */
  readonly source: string
  readonly times: number
}

/** A rule with steps that could not be done when their turn came, and why the first could not. */
export interface RefusedRule extends FiredRule {
  readonly why: string
}

/** The rules of which steps were refused, and passed over. */
export const refusedRules = (entries: readonly Entry[]): RefusedRule[] => {
  const refused = new Map<string, RefusedRule>()
  for (const { cause, refused: refusal } of entries) {
    if (!refusal || cause.kind !== 'timer') continue
    const rule = `${cause.scenario}/${cause.rule}`
    const { why = refusal.message, times = 0 } = refused.get(rule) ?? {}
    refused.set(rule, { rule, source: cause.source, times: times + 1, why })
  }
  return [...refused.values()]
}

/** How often a world was reset that still stands where a reset has led it. */
export const resetsIn = (entries: readonly Entry[]): number => {
  const [first] = lineageOf(entries)
  return first && isReset(first) ? entries.filter(isReset).length : 0
}

const isReset = ({ command, cause }: Entry): boolean =>
  command === 'world.begin' && cause.kind !== 'boot'

/** What the journal tells of timers that never came to rest: the rules that set them off. */
export const stoppedRule = (entries: readonly Entry[]): string | undefined => {
  const drop = entries.find(({ command }) => command === 'timer.drop')
  return drop && (drop.input as { readonly why: string }).why
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
