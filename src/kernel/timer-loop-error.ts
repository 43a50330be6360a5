import type { ActionPlan } from './timers.js'

/** Timers kept setting off timers. What was done stays; the message names the rules. */
export class TimerLoopError extends Error {
  override readonly name = 'TimerLoopError'

  constructor(
    /** `<scenario>/<rule>`, of the one that fired most. */
    readonly rule: string,
    message: string,
  ) {
    super(message)
  }
}

/** So many are named at most: more than that go round together seldom. */
const MAX_NAMED = 5
/** The part of what the first of them fires that others fire at least; what fires beside them does so less. */
const MIN_SHARE = 1 / 4

/** `fired` are the plans that were begun last, `next` is the one whose timer is given up. */
export const timerLoopError = (
  fired: readonly ActionPlan[],
  next: ActionPlan,
  where: string,
): TimerLoopError => {
  const [first = next, ...others] = mostFrequent(fired)
  const named = [first, ...others]
  const them = `${named.map(inWords).join(' and ')} ${named.length === 1 ? 'was' : 'were'}`
  return new TimerLoopError(
    `${first.scenario}/${first.rule}`,
    `${them} still setting off timers after ${where}; what was done stays, the next timer is dropped`,
  )
}

const inWords = ({ rule, scenario, source }: ActionPlan): string =>
  `rule ${rule} of scenario ${scenario} (${source})`

/** A plan of each rule that fired about as often as the one that fired most, which comes first. */
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
