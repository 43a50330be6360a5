import type { Timer } from './timers.js'

/** Timers kept setting off timers. What was fired stays; the message names the rule. */
export class Runaway extends Error {
  override readonly name = 'Runaway'

  constructor(
    /** `<scenario>/<rule>` */
    readonly rule: string,
    message: string,
  ) {
    super(message)
  }
}

export const runaway = ({ plan }: Timer, limit: number, where: string) =>
  new Runaway(
    `${plan.scenario}/${plan.rule}`,
    `rule ${plan.rule} of scenario ${plan.scenario} (${plan.source}) was still setting off timers ` +
      `after ${limit.toLocaleString('en')} firings ${where}; what was fired stays`,
  )
