import { type AssumptionId, isAssumption } from './ids.js'
import type { UsedReadings } from './use.js'

/** How many responses used a reading, and the world time of the last one. */
export interface ReadingUsage {
  hits: number
  last_hit: number
}

/** Counts the assumptions behind the responses of one or more worlds. */
export class AssumptionUsage {
  readonly #byId = new Map<AssumptionId, Map<string, ReadingUsage>>()

  count(used: UsedReadings, at: number): void {
    for (const [id, reading] of used) {
      const counts = this.#countsOf(id, reading)
      counts.hits++
      counts.last_hit = at
    }
  }

  /** How many assumptions have been used. */
  get size(): number {
    return this.#byId.size
  }

  /** Counts the readings in the header of a response, which an earlier build may have stored. */
  countAssumed(header: string, at: number): void {
    const used = header.split(', ').map((it) => it.split('=') as [AssumptionId, string])
    this.count(new Map(used.filter(([id]) => isAssumption(id))), at)
  }

  readingsOf(id: AssumptionId): ReadonlyMap<string, Readonly<ReadingUsage>> {
    return this.#byId.get(id) ?? new Map()
  }

  /** `last_hit` is null without a response. */
  of(id: AssumptionId): { hits: number; last_hit: number | null } {
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

  #countsOf(id: AssumptionId, reading: string): ReadingUsage {
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
