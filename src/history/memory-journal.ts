import type { Entry } from '../kernel/entry.js'
import { Ring } from '../lib/ring-buffer.js'

export const MAX_ENTRIES = 10_000

/** The newest entries of one world. Their numbers have no gap, not even after a reset. */
export class MemoryJournal {
  readonly #ring = new Ring<Entry>(MAX_ENTRIES)
  readonly #machineTimes = new Ring<number>(MAX_ENTRIES)
  /** Number of the newest evicted entry. */
  #before: number

  constructor(before = 0) {
    this.#before = before
  }

  add(entry: Entry, machine_ms = 0): void {
    this.#before = this.#ring.leaving?.seq ?? this.#before
    this.#ring.add(entry)
    this.#machineTimes.add(machine_ms)
  }

  /** Machine time of an entry; undefined if it is unknown. */
  machineTimeOf(seq: number): number | undefined {
    const place = seq - this.oldest
    const machine_ms =
      place >= 0 && place < this.#machineTimes.size ? this.#machineTimes.at(place) : undefined
    return machine_ms || undefined
  }

  /** Counts removals of newest entries: others may have their numbers then. */
  rewinds = 0

  /** Removes the newest entry, which could not be persisted. */
  drop(): void {
    this.rewinds++
    this.#ring.drop()
    this.#machineTimes.drop()
  }

  /** Forgets all entries: the next one follows this number. */
  restart(before: number): void {
    this.rewinds++
    this.#ring.clear()
    this.#machineTimes.clear()
    this.#before = before
  }

  /** Number of the oldest kept entry; 0 if there never was one. */
  get oldest(): number {
    return this.#ring.at(0)?.seq ?? (this.#before && this.#before + 1)
  }

  /** Number of the newest entry; 0 if there never was one. */
  get newest(): number {
    return this.#ring.newest?.seq ?? this.#before
  }

  /** Whether the journal still has all entries after this number. */
  hasAllAfter(seq: number): boolean {
    return seq >= this.#before && seq <= this.newest
  }

  /** Oldest first. */
  all(): Entry[] {
    return this.#ring.all()
  }

  /** The newest `most` entries after a number, oldest first. */
  newestAfter(seq: number, most: number): Entry[] {
    const count = Math.min(this.#countAfter(seq), most)
    return this.#ring.slice(this.#ring.size - count, count)
  }

  /** The oldest `most` entries after a number, oldest first. */
  oldestAfter(seq: number, most: number): Entry[] {
    const count = this.#countAfter(seq)
    return this.#ring.slice(this.#ring.size - count, Math.min(count, most))
  }

  /** The newest earlier entry that matches. */
  findBefore(seq: number, fits: (entry: Entry) => boolean): Entry | undefined {
    for (let place = this.#ring.size - 1 - this.#countAfter(seq - 1); place >= 0; place--) {
      const entry = this.#ring.at(place)
      if (entry && fits(entry)) return entry
    }
    return undefined
  }

  #countAfter(seq: number): number {
    return Math.max(0, Math.min(this.newest - seq, this.#ring.size))
  }
}
