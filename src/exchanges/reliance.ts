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
  count(relied: Relied, at: number): void {
    // Hardly any answer is read otherwise than by default: the others need not pay for it.
    if (relied.others.size > 0 || this.#byReading.size > 0) this.#countReadings(relied, at)
    for (const n of relied.numbers) {
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

  #countReadings({ numbers, others }: Relied, last_hit: number): void {
    for (const n of numbers) {
      if (!others.has(n) && !this.#byReading.has(n)) continue
      const readings = this.#byReading.get(n) ?? new Map(this.readingsOf(n))
      const reading = others.get(n) ?? defaultOf(n)
      this.#byReading.set(n, readings)
      readings.set(reading, { hits: (readings.get(reading)?.hits ?? 0) + 1, last_hit })
    }
  }
}

/** How the answers of one or more worlds relied on assumptions. */
export type Counts = Pick<Reliance, 'of' | 'readingsOf'>

/** Adds up the counts of several worlds. */
export const sumOfCounts = (counts: readonly Counts[]): Counts => ({
  of: (n) => sumOfHits(counts.map((it) => it.of(n))),
  readingsOf: (n) => {
    const sums = new Map<string, SomeHits>()
    for (const [reading, some] of counts.flatMap((it) => [...it.readingsOf(n)])) {
      const { hits, last_hit } = sums.get(reading) ?? { hits: 0, last_hit: some.last_hit }
      sums.set(reading, {
        hits: hits + some.hits,
        last_hit: Math.max(last_hit, some.last_hit),
      })
    }
    return sums
  },
})

const sumOfHits = (all: readonly Hits[]): Hits => {
  const times = all.flatMap(({ last_hit }) => (last_hit === null ? [] : [last_hit]))
  return {
    hits: all.reduce((sum, { hits }) => sum + hits, 0),
    last_hit: times.length === 0 ? null : Math.max(...times),
  }
}

const defaultOf = (n: number): string => DEFAULTS[assumptionIds[n] as AssumptionId]
