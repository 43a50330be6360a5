import { crc32 } from 'node:zlib'
import type { FileSystem, OpenFile } from './file-system.js'
import type { WalPrefix } from './stored-state.js'
import { formatHeader, type StateId, toHex, type WalHeader, withChecksum } from './wal-records.js'

/** The room that a disk must have before changes are accepted again. */
const PROBE = Buffer.alloc(64 * 1024, ' ')
const READ_BYTES = 64 * 1024

/** The write-ahead log: appended to, and truncated to its last whole commit when a write fails. */
export class WalFile {
  readonly #file: OpenFile
  /** Where the last stored commit ends, and the checksum up to there. */
  #size: number
  #crc: number
  /** Where the next bytes go: beyond the size while a commit is being written. */
  #end: number
  /** True if rejected bytes may be behind the size. */
  #hasTail = false
  /** Up to here the file was whole at the last check. */
  #checked: number
  /** Settles, and never fails, once the last check is over. */
  #checking: Promise<unknown> | undefined
  /** Bytes since `remember`, for the next log. */
  #recent: Uint8Array[] | undefined
  #unflushed: Uint8Array[] = []

  constructor(
    file: OpenFile,
    /** The state file that it continues. */
    readonly stateId: StateId,
    readonly headerSize: number,
    { size, crc }: Pick<WalPrefix, 'size' | 'crc'>,
  ) {
    this.#file = file
    this.#size = size
    this.#crc = Number.parseInt(crc, 16)
    this.#end = size
    this.#checked = size
  }

  static async create(
    fs: FileSystem,
    path: string,
    header: WalHeader,
    commits: readonly Uint8Array[] = [],
  ): Promise<WalFile> {
    const file = await fs.open(path, 'empty', 'through')
    const first = withChecksum(formatHeader(header))
    const bytes = Buffer.concat([first, ...commits])
    try {
      await file.writeAndSync(bytes, 0)
    } catch (error) {
      await file.close()
      throw error
    }
    const crc = toHex(crc32(bytes))
    return new WalFile(file, header.snapshot, first.length, { size: bytes.length, crc })
  }

  get identity(): string {
    return this.#file.identity
  }

  get size(): number {
    return this.#size
  }

  /** All stored commits. */
  get prefix(): WalPrefix {
    return { id: this.stateId.id, size: this.#size, crc: toHex(this.#crc) }
  }

  /** Whether it holds any commit. */
  get isEmpty(): boolean {
    return this.#size === this.headerSize
  }

  /** Whether rejected bytes may be behind the last commit, since the file could not be truncated. */
  get hasTail(): boolean {
    return this.#hasTail
  }

  /** Writes lines that may still be lost. */
  async write(lines: string): Promise<void> {
    if (lines !== '') await this.#append(lines, 'write')
  }

  /** Writes the last lines, and returns once all of them survive a crash. */
  async flush(lines: string): Promise<void> {
    await this.#append(lines, 'writeAndSync')
    this.#size = this.#end
    for (const bytes of this.#unflushed) this.#crc = crc32(bytes, this.#crc)
    this.#recent?.push(...this.#unflushed)
    this.#unflushed = []
  }

  async #append(lines: string, how: 'write' | 'writeAndSync'): Promise<void> {
    const bytes = withChecksum(lines)
    try {
      // Lines shorter than a tail would leave the tail's end behind them.
      if (this.#hasTail) await this.cutTail()
      await this.#file[how](bytes, this.#end)
    } catch (error) {
      this.#end = this.#size
      this.#unflushed = []
      this.#hasTail = true
      // The next append tries again.
      await this.cutTail().catch(() => {})
      throw error
    }
    this.#end += bytes.length
    this.#unflushed.push(bytes)
  }

  /** Truncates the file to its last commit. */
  async cutTail(): Promise<void> {
    await this.#file.truncate(this.#size)
    await this.#file.flush()
    this.#hasTail = false
  }

  /** Throws if nothing can be written; leaves the file as it was. */
  async probe(): Promise<void> {
    await this.cutTail()
    this.#hasTail = true
    try {
      await this.#file.writeAndSync(PROBE, this.#size)
    } finally {
      await this.cutTail()
    }
  }

  /** Keeps later commits for the next log. */
  remember(): void {
    this.#recent = []
  }

  remembered(): readonly Uint8Array[] {
    return this.#recent ?? []
  }

  forget(): void {
    this.#recent = undefined
  }

  /**
   * Whether nobody truncated the file. Later writes would leave a hole of zeros, which no line has.
   */
  isWhole(): Promise<boolean> {
    const whole = this.#isWhole()
    this.#checking = Promise.allSettled([this.#checking, whole])
    return whole
  }

  async #isWhole(): Promise<boolean> {
    const checked = this.#checked
    const size = this.#size
    this.#checked = size
    if (await this.#hasHole(0, 1)) return false
    for (let at = checked - 1; at < size; at += READ_BYTES) {
      if (await this.#hasHole(at, Math.min(at + READ_BYTES, size))) return false
    }
    return true
  }

  async #hasHole(from: number, to: number): Promise<boolean> {
    const bytes = Buffer.alloc(to - from)
    await this.#file.read(bytes, from)
    return bytes.includes(0)
  }

  /** Waits for a check: its file descriptor may belong to another file after the close. */
  async close(): Promise<void> {
    await this.#checking
    await this.#file.close()
  }
}
