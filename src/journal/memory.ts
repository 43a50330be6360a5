import type { Entry } from '../world/kernel/journal.js'

const MOST_ENTRIES = 10_000

/**
 * The newest entries of one world, in memory: a ring, so that old ones make room one by one. Their
 * numbers follow one another without a gap, through resets too.
 */
export class MemoryJournal {
  readonly #ring: Entry[] = []
  /** Where the next entry goes once the ring is full. */
  #next = 0

  add(entry: Entry): void {
    if (this.#ring.length < MOST_ENTRIES) this.#ring.push(entry)
    else {
      this.#ring[this.#next] = entry
      this.#next = (this.#next + 1) % MOST_ENTRIES
    }
  }

  /** The number of the oldest entry that is kept; 0 when there is none. */
  get oldest(): number {
    return this.#at(0)?.seq ?? 0
  }

  /** The number of the newest entry; 0 when there is none. */
  get newest(): number {
    return this.#at(this.#ring.length - 1)?.seq ?? 0
  }

  /** Whether all that followed this number is kept, and the number itself was reached. */
  follows(seq: number): boolean {
    return seq >= this.oldest - 1 && seq <= this.newest
  }

  /** The entries with a higher number, oldest first, the newest `most` of them. */
  after(seq: number, most: number = MOST_ENTRIES): Entry[] {
    const count = Math.min(this.#countAfter(seq), most)
    return this.#slice(this.#ring.length - count, count)
  }

  /** The entries that come next after a number, oldest first, at most `most` of them. */
  next(seq: number, most: number): Entry[] {
    const count = this.#countAfter(seq)
    return this.#slice(this.#ring.length - count, Math.min(count, most))
  }

  #countAfter(seq: number): number {
    return Math.max(0, Math.min(this.newest - seq, this.#ring.length))
  }

  #slice(start: number, count: number): Entry[] {
    const entries: Entry[] = []
    for (let place = start; place < start + count; place++) {
      const entry = this.#at(place)
      if (entry) entries.push(entry)
    }
    return entries
  }

  /** The entry at a place counted from the oldest. */
  #at(place: number): Entry | undefined {
    return this.#ring[(this.#next + place) % this.#ring.length]
  }
}
