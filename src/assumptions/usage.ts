import type { AssumptionId } from './ids.js'
import type { UsedReadings } from './use.js'

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

type Counts = { -readonly [Field in keyof SomeUsage]: SomeUsage[Field] }

/** Counts the assumptions behind the responses of one or more worlds. */
export class AssumptionUsage {
  readonly #byId = new Map<AssumptionId, Map<string, Counts>>()

  count(used: UsedReadings, at: number): void {
    for (const [id, reading] of used) {
      const counts = this.#countsOf(id, reading)
      counts.hits++
      counts.last_hit = at
    }
  }

  readingsOf(id: AssumptionId): ReadonlyMap<string, SomeUsage> {
    return this.#byId.get(id) ?? new Map()
  }

  of(id: AssumptionId): UsageCount {
    const all = [...this.readingsOf(id).values()]
    return {
      hits: all.reduce((sum, { hits }) => sum + hits, 0),
      last_hit: all.length === 0 ? null : Math.max(...all.map((it) => it.last_hit)),
    }
  }

  /** The usage of several worlds together. */
  static sum(all: readonly AssumptionUsage[]): AssumptionUsage {
    const sum = new AssumptionUsage()
    for (const [id, readings] of all.flatMap((it) => [...it.#byId])) {
      for (const [reading, { hits, last_hit }] of readings) {
        const counts = sum.#countsOf(id, reading)
        counts.hits += hits
        counts.last_hit = Math.max(counts.last_hit, last_hit)
      }
    }
    return sum
  }

  #countsOf(id: AssumptionId, reading: string): Counts {
    let readings = this.#byId.get(id)
    if (!readings) {
      readings = new Map()
      this.#byId.set(id, readings)
    }
    let counts = readings.get(reading)
    if (!counts) {
      counts = { hits: 0, last_hit: 0 }
      readings.set(reading, counts)
    }
    return counts
  }
}
