import { crc32 } from 'node:zlib'
import { DataError } from '../errors.js'
import type { OpenFile } from './file-system.js'
import { isPrint, toHex } from './wal-records.js'
import type { WrittenText } from './write-text.js'

/** So much is read at a time. */
const SLICE = 1024 * 1024

/** A text that stands in a file, to copy from. All of it is read once, in order, to be sure that nobody has changed it. */
export class Standing {
  readonly #file: OpenFile
  readonly #written: WrittenText
  readonly #bytes = Buffer.allocUnsafe(SLICE)
  /** How far it was read, and the checksum up to there. */
  #at = 0
  #sum = 0

  constructor(file: OpenFile, written: WrittenText) {
    this.#file = file
    this.#written = written
  }

  get lists(): WrittenText['lists'] {
    return this.#written.lists
  }

  /** Whether a place was not read yet. */
  isAhead(place: number): boolean {
    return place >= this.#at
  }

  /** Reads on to before a place, a slice at a time. */
  async read(end: number, take?: (slice: Uint8Array) => Promise<void>): Promise<void> {
    while (this.#at < end) {
      const slice = this.#bytes.subarray(0, Math.min(SLICE, end - this.#at))
      const count = await this.#file.read(slice, this.#at)
      if (count < slice.length) throw new DataError('the file was cut off')
      this.#at += count
      this.#sum = crc32(slice, this.#sum)
      await take?.(slice)
    }
  }

  /** Reads what is left; throws when it was not what was written. */
  async end(): Promise<void> {
    const { print } = this.#written
    await this.read(print.size)
    if (!isPrint({ crc: toHex(this.#sum), size: this.#at }, print))
      throw new DataError('the file was changed')
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
