import type { Entry } from '../kernel/entry.js'
import { Ring } from '../lib/ring-buffer.js'

const MAX_ENTRIES = 10_000

/** The newest entries of one world, in memory. Their numbers have no gap, through resets too. */
export class MemoryJournal {
  readonly #ring = new Ring<Entry>(MAX_ENTRIES)
  /** For each of them, when it was made by the machine's time. */
  readonly #made = new Ring<number>(MAX_ENTRIES)
  /** The number of the last entry that was made before any that is kept. */
  #before: number

  constructor(before = 0) {
    this.#before = before
  }

  /** `made_ms` is the machine's time. */
  add(entry: Entry, made_ms = 0): void {
    this.#before = this.#ring.leaving?.seq ?? this.#before
    this.#ring.add(entry)
    this.#made.add(made_ms)
  }

  /** When an entry was made by the machine's time; undefined when that is not known. */
  madeAt(seq: number): number | undefined {
    const place = seq - this.oldest
    const made_ms = place >= 0 && place < this.#made.size ? this.#made.at(place) : undefined
    return made_ms || undefined
  }

  /** Forgets the newest entry: it has never been. */
  drop(): void {
    this.#ring.drop()
    this.#made.drop()
  }

  /** The number of the oldest entry that is kept; 0 when there never was one. */
  get oldest(): number {
    return this.#ring.at(0)?.seq ?? (this.#before && this.#before + 1)
  }

  /** The number of the newest entry; 0 when there never was one. */
  get newest(): number {
    return this.#ring.newest?.seq ?? this.#before
  }

  /** Whether all that followed this number is kept, and the number itself was reached. */
  follows(seq: number): boolean {
    return seq >= this.#before && seq <= this.newest
  }

  /** The entries with a higher number, oldest first, the newest `most` of them. */
  after(seq: number, most: number = MAX_ENTRIES): Entry[] {
    const count = Math.min(this.#countAfter(seq), most)
    return this.#ring.slice(this.#ring.size - count, count)
  }

  /** The entries that come next after a number, oldest first, at most `most` of them. */
  next(seq: number, most: number): Entry[] {
    const count = this.#countAfter(seq)
    return this.#ring.slice(this.#ring.size - count, Math.min(count, most))
  }

  /** The newest entry below a number that fits. */
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
