import type { Entry } from '../world/kernel/journal.js'

const MOST_ENTRIES = 10_000

/** The newest entries of one world, in memory. */
export class MemoryJournal {
  #entries: Entry[] = []

  add(entry: Entry): void {
    this.#entries.push(entry)
    // Twice the limit before trimming, so that trimming costs next to nothing per entry.
    if (this.#entries.length >= 2 * MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES)
  }

  /** The entries with a higher number, oldest first, the newest `most` of them. */
  after(seq: number, most: number = MOST_ENTRIES): Entry[] {
    const newest = this.#entries.at(-1)?.seq ?? 0
    const count = Math.min(newest - seq, most, MOST_ENTRIES)
    return count > 0 ? this.#entries.slice(-count) : []
  }
}
