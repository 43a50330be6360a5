import { assumptionIds } from '../world/reading-names.js'
import type { Relied } from '../world/readings.js'

/** How many answers relied on an assumption, and when the last one did. */
export interface Hits {
  readonly hits: number
  /** The world's time; null when there was none. */
  readonly last_hit: number | null
}

/** Counts which assumptions the answers of one world relied on. */
export class Reliance {
  readonly #hits = new Float64Array(assumptionIds.length)
  readonly #last = new Float64Array(assumptionIds.length)

  /** Counts what one answer relied on, at a time of the world's. */
  count({ numbers }: Relied, at: number): void {
    for (const n of numbers) {
      this.#hits[n] = (this.#hits[n] ?? 0) + 1
      this.#last[n] = at
    }
  }

  /** By the number of the assumption. */
  of(n: number): Hits {
    const hits = this.#hits[n] ?? 0
    return { hits, last_hit: hits === 0 ? null : (this.#last[n] ?? null) }
  }
}
