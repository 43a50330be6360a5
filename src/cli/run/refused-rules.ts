import { buildLineage } from '../../journal/lineage.js'
import type { FiredRule } from '../../journal/rule-activity.js'
import type { Entry } from '../../kernel/entry.js'

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
  const [first] = buildLineage(entries)
  return first && isReset(first) ? entries.filter(isReset).length : 0
}

const isReset = ({ command, cause }: Entry): boolean =>
  command === 'world.begin' && cause.kind !== 'boot'

/** What the journal tells of timers that never came to rest: the rules that set them off. */
export const stoppedRule = (entries: readonly Entry[]): string | undefined => {
  const drop = entries.find(({ command }) => command === 'timer.drop')
  return drop && (drop.input as { readonly why: string }).why
}
