import type { FileSystem, OpenFile } from './file-system.js'
import { type Fingerprint, headerRecord, type WalHeader, withChecksum } from './wal-records.js'

/** Some KiB: what a disk must have room for before changes are taken on again. */
const TRIAL = Buffer.alloc(64 * 1024, ' ')

/** So much is looked at in one piece. */
const PIECE = 64 * 1024

/** The journal's file: written at its end only, and cut back to its last good line when that fails. */
export class WalFile {
  readonly #file: OpenFile
  /** Where the last line ends that will outlast a crash. */
  #size: number
  /** Where the next bytes go: beyond the size while lines are on their way. */
  #end: number
  /** Whether something may stand behind the size that must not be found there: what was refused, or a trial. */
  #hasTail = false
  /** Where the last line ended when somebody looked whether it is whole. */
  #looked: number
  /** Settles, and never fails, once nobody reads it any more. */
  #unread: Promise<unknown> | undefined
  /** How many lines there have ever been up to the size. */
  #lines: number
  /** What has come since somebody asked to remember it, and has not been asked for. */
  #recent: Uint8Array[] | undefined
  /** What is on its way. */
  #unflushed: Uint8Array[] = []

  constructor(
    file: OpenFile,
    /** The one that it goes on from. */
    readonly snapshot: Fingerprint,
    size: number,
    lines: number,
  ) {
    this.#file = file
    this.#size = size
    this.#end = size
    this.#looked = size
    this.#lines = lines
  }

  static async create(fs: FileSystem, path: string, header: WalHeader): Promise<WalFile> {
    const file = await fs.open(path, 'empty', 'through')
    const bytes = withChecksum(headerRecord(header))
    try {
      await file.write(bytes, 0)
    } catch (error) {
      await file.close()
      throw error
    }
    return new WalFile(file, header.snapshot, bytes.length, header.after)
  }

  get identity(): string {
    return this.#file.identity
  }

  get size(): number {
    return this.#size
  }

  get lines(): number {
    return this.#lines
  }

  /**
   * Whether all is there that was there at the last look, and has come since: who cuts it off leaves a hole
   * of zeros when more is written, and no line has any.
   */
  isWhole(): Promise<boolean> {
    const whole = this.#isWhole()
    this.#unread = Promise.allSettled([this.#unread, whole])
    return whole
  }

  async #isWhole(): Promise<boolean> {
    const looked = this.#looked
    const size = this.#size
    this.#looked = size
    if (await this.#hasHole(0, 1)) return false
    for (let at = looked - 1; at < size; at += PIECE) {
      if (await this.#hasHole(at, Math.min(at + PIECE, size))) return false
    }
    return true
  }

  /** Whether a zero stands there, or nothing at all. */
  async #hasHole(from: number, to: number): Promise<boolean> {
    const bytes = Buffer.alloc(to - from)
    await this.#file.read(bytes, from)
    return bytes.includes(0)
  }

  /** Whether what was refused may be found behind the last line: then the file could not be cut back. */
  get hasTail(): boolean {
    return this.#hasTail
  }

  /** Cuts off what a crash has left behind the last whole line, or what could not be written there. */
  async cutTail(): Promise<void> {
    await this.#file.truncate(this.#size)
    await this.#file.flush()
    this.#hasTail = false
  }

  /** Writes lines at the end, where they may still be lost. */
  async write(lines: string): Promise<void> {
    if (lines !== '') await this.#append(lines, 'write')
  }

  /** Writes the last of so many lines, and comes back once all of them will outlast a crash. */
  async flush(lines: string, count: number): Promise<void> {
    await this.#append(lines, 'writeAndSync')
    this.#size = this.#end
    this.#lines += count
    const bytes = this.#unflushed
    this.#unflushed = []
    this.#recent?.push(...bytes)
  }

  async #append(lines: string, how: 'write' | 'writeAndSync'): Promise<void> {
    const bytes = withChecksum(lines)
    try {
      // What is shorter than a tail would leave the end of that behind it.
      if (this.#hasTail) await this.cutTail()
      await this.#file[how](bytes, this.#end)
    } catch (error) {
      await this.#cutBack()
      throw error
    }
    this.#end += bytes.length
    this.#unflushed.push(bytes)
  }

  /** Whether bytes can be written beyond the end; leaves the file as it was, or throws. */
  async probe(): Promise<void> {
    await this.cutTail()
    this.#hasTail = true
    try {
      await this.#file.writeAndSync(TRIAL, this.#size)
    } finally {
      await this.cutTail()
    }
  }

  /** Keeps what comes from here on for another journal. */
  remember(): void {
    this.#recent = []
  }

  forget(): void {
    this.#recent = undefined
  }

  /** What has come since it was last asked for. */
  remembered(): Uint8Array[] {
    return this.#recent?.splice(0) ?? []
  }

  /** Takes over bytes of another journal, up to so many lines, and flushes them. */
  async take(all: readonly Uint8Array[], lines: number): Promise<void> {
    const bytes = Buffer.concat(all)
    await this.#file.writeAndSync(bytes, this.#end)
    this.#end += bytes.length
    this.#size = this.#end
    this.#lines = lines
  }

  /** Behind whoever reads it: a file that is closed can be another one by then. */
  async close(): Promise<void> {
    await this.#unread
    await this.#file.close()
  }

  /** The next try would do so as well; but a crash before it would leave half a line. */
  async #cutBack(): Promise<void> {
    this.#end = this.#size
    this.#unflushed = []
    this.#hasTail = true
    await this.cutTail().catch(() => {})
  }
}
