import { setImmediate as turn } from 'node:timers/promises'
import { createSleeps, type Sleep } from '../../lib/machine-clock.js'

/** The delays of rules, as long as somebody waits for what comes after them. */
export interface Delays {
  readonly sleep: Sleep
  /** Ends them all, then waits until what came after them is done. */
  readonly end: () => Promise<void>
}

export const delaysOfRules = (): Delays => {
  const { sleep, end } = createSleeps()
  return {
    sleep,
    end: async () => {
      end()
      // An operation runs to its end within a turn.
      await turn()
    },
  }
}
