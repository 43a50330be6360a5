import { crc32 } from 'node:zlib'
import type { OpenFile } from './file-system.js'
import type { Standing } from './standing.js'
import { type Fingerprint, toHex } from './wal-records.js'

/** So much is written out at a time: a millisecond or two, in which nothing else gets its turn. */
const SLICE = 256 * 1024
/** Room beyond a slice for the text that fills it: most are no longer. */
const ROOM = 16 * 1024
/** So much is flushed at a time, so that the disk has no long queue when somebody waits for it. */
const STRETCH = 4 * 1024 * 1024
/** What a character takes at most. */
const MOST_BYTES = 3

/** A long file on its way to the disk. */
export class Slices {
  readonly #file: OpenFile
  /** Used again and again: as a buffer of its own each slice would be one more to collect. */
  #bytes = Buffer.allocUnsafe(SLICE + ROOM)
  #used = 0
  #written = 0
  #flushed = 0
  #sum = 0

  constructor(file: OpenFile) {
    this.#file = file
  }

  get size(): number {
    return this.#written + this.#used
  }

  get print(): Fingerprint {
    return { crc: toHex(this.#sum), size: this.size }
  }

  /** Whether it is time to write. */
  get areFull(): boolean {
    return this.#used >= SLICE
  }

  add(text: string): void {
    const most = this.#used + MOST_BYTES * text.length
    if (most > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(most)
      this.#bytes.copy(wider, 0, 0, this.#used)
      this.#bytes = wider
    }
    this.#used += this.#bytes.write(text, this.#used)
  }

  /** Copies what stands elsewhere from one place to before another. */
  async copy(standing: Standing, start: number, end: number): Promise<void> {
    await this.write()
    await standing.read(start)
    await standing.read(end, (bytes) => this.#write(bytes))
  }

  /** Writes out what has come. */
  async write(): Promise<void> {
    const used = this.#used
    this.#used = 0
    await this.#write(this.#bytes.subarray(0, used))
  }

  /** Writes out what is left, and flushes all of it. */
  async end(): Promise<void> {
    await this.write()
    await this.#file.flush()
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, this.#written)
    this.#sum = crc32(bytes, this.#sum)
    this.#written += bytes.length
    if (this.#written - this.#flushed < STRETCH) return
    await this.#file.flush()
    this.#flushed = this.#written
  }
}
