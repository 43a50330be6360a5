import type { Schedule } from '../../src/lib/machine-clock.js'

/** Machine timers that only the test fires. */
export class Timers {
  readonly pending = new Set<{ readonly ms: number; readonly run: () => void }>()

  readonly later: Schedule = (ms, run) => {
    const timer = { ms, run }
    this.pending.add(timer)
    return () => this.pending.delete(timer)
  }

  /** How long each pending timer waits, the shortest first. */
  get waits(): number[] {
    return [...this.pending].map(({ ms }) => ms).sort((a, b) => a - b)
  }

  /** Fires the pending timer that waits so long. */
  fire(ms: number): void {
    const timer = [...this.pending].find((it) => it.ms === ms)
    if (!timer) throw new Error(`no timer waits ${ms} ms; pending: ${this.waits.join(', ')}`)
    this.pending.delete(timer)
    timer.run()
  }
}
