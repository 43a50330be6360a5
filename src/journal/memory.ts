import type { Entry } from '../world/kernel/journal.js'

const MOST_ENTRIES = 10_000

/** The newest entries of one world, in memory: a ring, so that old ones make room one by one. */
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

  /** The entries with a higher number, oldest first, the newest `most` of them. */
  after(seq: number, most: number = MOST_ENTRIES): Entry[] {
    const newest = this.#at(this.#ring.length - 1)?.seq ?? 0
    const count = Math.max(0, Math.min(newest - seq, most, this.#ring.length))
    const entries: Entry[] = []
    for (let i = this.#ring.length - count; i < this.#ring.length; i++) {
      const entry = this.#at(i)
      if (entry) entries.push(entry)
    }
    return entries
  }

  /** The entry at a place counted from the oldest. */
  #at(place: number): Entry | undefined {
    return this.#ring[(this.#next + place) % this.#ring.length]
  }
}
