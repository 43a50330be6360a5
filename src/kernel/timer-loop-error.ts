import { formatRule, type Timer } from './timers.js'

/** Timers kept setting off timers. Earlier changes stay; the message names the rules of the next timer. */
export class TimerLoopError extends Error {
  override readonly name = 'TimerLoopError'
  /** `<scenario>/<rule>` */
  readonly rule: string

  constructor({ plan, set_by }: Pick<Timer, 'plan' | 'set_by'>, limit: string) {
    const rules = [formatRule(plan), ...(set_by === undefined ? [] : [set_by])].join(' and ')
    super(
      `Timers still start timers after ${limit}: ${rules}. The changes stay; the next timer is dropped.`,
    )
    this.rule = `${plan.scenario}/${plan.rule}`
  }
}
