import type { ActionPlan } from './timers.js'

/** Timers kept setting off timers. Earlier changes stay; the message names the rules. */
export class TimerLoopError extends Error {
  override readonly name = 'TimerLoopError'

  constructor(
    /** `<scenario>/<rule>` of the rule that fired most. */
    readonly rule: string,
    message: string,
  ) {
    super(message)
  }
}

/** Larger loops are rare. */
const MAX_NAMED = 5
/** Names rules that fired at least this fraction of the top rule's count. */
const MIN_SHARE = 1 / 4

/** `fired` has the newest plans; `next` is the plan of the dropped timer. */
export const timerLoopError = (
  fired: readonly ActionPlan[],
  next: ActionPlan,
  where: string,
): TimerLoopError => {
  const [first = next, ...others] = mostFrequent(fired)
  const named = [first, ...others]
  return new TimerLoopError(
    `${first.scenario}/${first.rule}`,
    `Timers still start timers after ${where}: ${named.map(describePlan).join(' and ')}. The changes stay; the next timer is dropped.`,
  )
}

const describePlan = ({ rule, scenario, source }: ActionPlan): string =>
  `rule ${rule} of scenario ${scenario} (${source})`

/** One plan per frequent rule, the most frequent first. */
const mostFrequent = (plans: readonly ActionPlan[]): ActionPlan[] => {
  const counts = new Map<string, { readonly plan: ActionPlan; times: number }>()
  for (const plan of plans) {
    const rule = `${plan.scenario}/${plan.rule}`
    const known = counts.get(rule)
    if (known) known.times++
    else counts.set(rule, { plan, times: 1 })
  }
  const rules = [...counts.values()].sort((a, b) => b.times - a.times)
  const least = MIN_SHARE * (rules[0]?.times ?? 0)
  return rules
    .filter(({ times }) => times >= least)
    .slice(0, MAX_NAMED)
    .map(({ plan }) => plan)
}
