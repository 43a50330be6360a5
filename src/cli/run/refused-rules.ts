import { buildLineage } from '../../journal/lineage.js'
import type { FiredRule } from '../../journal/rule-activity.js'
import type { Entry } from '../../kernel/entry.js'

/** A rule with steps that were illegal when they ran, and the reason of the first. */
export interface RefusedRule extends FiredRule {
  readonly why: string
}

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

/** The number of resets, or 0 if the last one was undone. */
export const resetsIn = (entries: readonly Entry[]): number => {
  const [first] = buildLineage(entries)
  return first && isReset(first) ? entries.filter(isReset).length : 0
}

const isReset = ({ command, cause }: Entry): boolean =>
  command === 'world.begin' && cause.kind !== 'boot'

/** Why the kernel stopped an endless timer loop. */
export const stoppedRule = (entries: readonly Entry[]): string | undefined => {
  const drop = entries.find(({ command }) => command === 'timer.drop')
  return drop && (drop.input as { readonly why: string }).why
}
