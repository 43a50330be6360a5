import { type AssumptionId, assumptionIds, DEFAULT_READINGS } from './ids.js'
import type { AssumptionUse } from './use.js'

/** How many responses relied on an assumption, and the time of the last one. */
export interface UsageCount {
  readonly hits: number
  /** World time; null without a response. */
  readonly last_hit: number | null
}

/** Usage with at least one response. */
export interface SomeUsage extends UsageCount {
  readonly last_hit: number
}

/** Counts the assumptions behind the responses of one world. */
export class AssumptionUsage {
  readonly #hits = new Float64Array(assumptionIds.length)
  readonly #last = new Float64Array(assumptionIds.length)
  /** Counts per reading, for assumptions with a response by another reading than the default. */
  readonly #byReading = new Map<number, Map<string, SomeUsage>>()

  count(use: AssumptionUse, at: number): void {
    // Nearly all responses use defaults only, so they skip the counts per reading.
    if (use.nonDefault.size > 0 || this.#byReading.size > 0) this.#countReadings(use, at)
    for (const n of use.numbers) {
      this.#hits[n] = (this.#hits[n] ?? 0) + 1
      this.#last[n] = at
    }
  }

  /** `n` is the number of the assumption. */
  of(n: number): UsageCount {
    const hits = this.#hits[n] ?? 0
    return { hits, last_hit: hits === 0 ? null : (this.#last[n] ?? null) }
  }

  readingsOf(n: number): ReadonlyMap<string, SomeUsage> {
    const readings = this.#byReading.get(n)
    const { hits, last_hit } = this.of(n)
    return readings ?? new Map(last_hit === null ? [] : [[defaultReading(n), { hits, last_hit }]])
  }

  #countReadings({ numbers, nonDefault }: AssumptionUse, last_hit: number): void {
    for (const n of numbers) {
      if (!nonDefault.has(n) && !this.#byReading.has(n)) continue
      const readings = this.#byReading.get(n) ?? new Map(this.readingsOf(n))
      const reading = nonDefault.get(n) ?? defaultReading(n)
      this.#byReading.set(n, readings)
      readings.set(reading, { hits: (readings.get(reading)?.hits ?? 0) + 1, last_hit })
    }
  }
}

/** The counts of one or more worlds. */
export type Counts = Pick<AssumptionUsage, 'of' | 'readingsOf'>

/** Adds the counts of several worlds. */
export const sumCounts = (counts: readonly Counts[]): Counts => ({
  of: (n) => sumUsage(counts.map((it) => it.of(n))),
  readingsOf: (n) => {
    const sums = new Map<string, SomeUsage>()
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

const sumUsage = (all: readonly UsageCount[]): UsageCount => {
  const times = all.flatMap(({ last_hit }) => (last_hit === null ? [] : [last_hit]))
  return {
    hits: all.reduce((sum, { hits }) => sum + hits, 0),
    last_hit: times.length === 0 ? null : Math.max(...times),
  }
}

const defaultReading = (n: number): string => DEFAULT_READINGS[assumptionIds[n] as AssumptionId]
