import { type AssumptionId, assumptionIds, DEFAULTS } from '../world/reading-names.js'
import type { Relied } from '../world/readings.js'

/** How many answers relied on an assumption, and when the last one did. */
export interface Hits {
  readonly hits: number
  /** The world's time; null when there was none. */
  readonly last_hit: number | null
}

/** The same of what some answer relied on. */
export interface SomeHits extends Hits {
  readonly last_hit: number
}

/** Counts which assumptions the answers of one world relied on. */
export class Reliance {
  readonly #hits = new Float64Array(assumptionIds.length)
  readonly #last = new Float64Array(assumptionIds.length)
  /** By reading, for those that were not always read by default. */
  readonly #byReading = new Map<number, Map<string, SomeHits>>()

  /** Counts what one answer relied on, at a time of the world's. */
  count({ numbers, others }: Relied, at: number): void {
    for (const n of numbers) {
      const other = others.get(n)
      if (other !== undefined || this.#byReading.has(n)) {
        this.#countReading(n, other ?? defaultOf(n), at)
      }
      this.#hits[n] = (this.#hits[n] ?? 0) + 1
      this.#last[n] = at
    }
  }

  /** By the number of the assumption. */
  of(n: number): Hits {
    const hits = this.#hits[n] ?? 0
    return { hits, last_hit: hits === 0 ? null : (this.#last[n] ?? null) }
  }

  /** The same for each reading that some answer relied on, by its name. */
  readingsOf(n: number): ReadonlyMap<string, SomeHits> {
    const readings = this.#byReading.get(n)
    const { hits, last_hit } = this.of(n)
    return readings ?? new Map(last_hit === null ? [] : [[defaultOf(n), { hits, last_hit }]])
  }

  #countReading(n: number, reading: string, last_hit: number): void {
    const readings = this.#byReading.get(n) ?? new Map(this.readingsOf(n))
    this.#byReading.set(n, readings)
    readings.set(reading, { hits: (readings.get(reading)?.hits ?? 0) + 1, last_hit })
  }
}

const defaultOf = (n: number): string => DEFAULTS[assumptionIds[n] as AssumptionId]
