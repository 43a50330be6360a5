import { basename, dirname } from 'node:path'
import { DataError } from '../errors.js'
import type { FileSystem, OpenFile } from './file-system.js'
import { LockedError } from './lock.js'
import { checksum, formatHeader, type LogEnd } from './log-lines.js'
import { logPath } from './paths.js'

/** The room that a disk must have before changes are accepted again. */
const PROBE = Buffer.alloc(64 * 1024, ' ')

/**
 * The log that this process appends to. Its number is a generation: the process that creates the next log owns the
 * files, and the process that appended to this one finds that out before it answers.
 */
export class LogFile {
  readonly #fs: FileSystem
  readonly #file: OpenFile
  readonly #path: string
  readonly #nextPath: string
  end: LogEnd
  /** Bytes of a failed write may follow the end. */
  hasTail = false
  #headerSize = 0
  /** A next log was not begun, and a loss of power might bring its name back. */
  #hasFailedNext = false

  private constructor(fs: FileSystem, file: OpenFile, path: string, number: number) {
    this.#fs = fs
    this.#file = file
    this.#path = logPath(path, number)
    this.#nextPath = logPath(path, number + 1)
    this.end = { log: number, size: 0, crc: checksum('') }
  }

  /** Creates the log that follows another one. Throws if another process has created it. */
  static async begin(
    fs: FileSystem,
    path: string,
    follows: LogEnd,
    number = follows.log + 1,
  ): Promise<LogFile> {
    const own = logPath(path, number)
    const file = await fs.open(own, 'new', 'through').catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? takenOver(own) : error
    })
    const log = new LogFile(fs, file, path, number)
    try {
      await log.#write(formatHeader(number, follows))
      log.#headerSize = log.end.size
      await fs.flush(dirname(path))
      return log
    } catch (error) {
      await file.close()
      await fs.remove(own).catch(() => {})
      throw error
    }
  }

  /** Creates the log after this one. */
  async beginNext(path: string): Promise<LogFile> {
    await this.#prepare()
    try {
      return await LogFile.begin(this.#fs, path, this.end)
    } catch (error) {
      this.#hasFailedNext = !(error instanceof LockedError)
      throw error
    }
  }

  get isEmpty(): boolean {
    return this.end.size === this.#headerSize
  }

  /** Returns once the lines survive a crash, and no other process owns the files. */
  async append(lines: string): Promise<void> {
    await this.#prepare()
    try {
      await this.#write(lines, () => this.assertNewest())
    } catch (error) {
      this.hasTail = true
      await this.cutTail().catch(() => {})
      throw error
    }
  }

  async #write(lines: string, confirm?: () => Promise<void>): Promise<void> {
    const { log, size, crc } = this.end
    const bytes = Buffer.from(lines)
    await this.#file.writeAndSync(bytes, size)
    await confirm?.()
    this.end = { log, size: size + bytes.length, crc: checksum(bytes, crc) }
  }

  /** Throws unless this process still owns the files. */
  async assertOwn(): Promise<void> {
    await this.#prepare()
    await this.assertNewest()
  }

  /** Throws unless the file is as this process left it. */
  async #prepare(): Promise<void> {
    const found = await this.#fs.stat(this.#path)
    if (!found) await this.#assertFolder()
    const isOwn = found?.identity === this.#file.identity
    if (!isOwn || (found.size !== this.end.size && !this.hasTail)) {
      const name = basename(this.#path)
      throw new DataError(`${name} was removed, replaced or written by somebody else`)
    }
    if (!this.#hasFailedNext) return
    // The name of a log that was not begun would end this one.
    await removeForGood(this.#fs, this.#nextPath)
    this.#hasFailedNext = false
  }

  /** Throws if another process has begun the next log. A write may be under way. */
  async assertNewest(): Promise<void> {
    if (await this.#fs.stat(this.#nextPath)) throw takenOver(this.#nextPath)
    // Its owner may have removed it again, but this one before it.
    const found = await this.#fs.stat(this.#path)
    if (!found) await this.#assertFolder()
    if (found?.identity !== this.#file.identity) throw takenOver(this.#nextPath)
  }

  /** Throws if somebody renamed or removed the folder: then nothing is known of the log. */
  async #assertFolder(): Promise<void> {
    const folder = dirname(this.#path)
    await this.#fs.list(folder).catch(() => {
      throw new DataError(`the folder ${folder} was renamed or removed`)
    })
  }

  /** Truncates the file to its last commit. The next log may follow what comes after that. */
  async cutTail(): Promise<void> {
    await this.assertNewest()
    await this.#file.truncate(this.end.size)
    await this.#file.flush()
    this.hasTail = false
  }

  /** Throws if nothing can be appended. */
  async probe(): Promise<void> {
    await this.assertOwn()
    this.hasTail = true
    await this.#file.writeAndSync(PROBE, this.end.size)
    await this.cutTail()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Returns once no loss of power can bring the file back. */
export const removeForGood = async (fs: FileSystem, path: string): Promise<void> => {
  await fs.remove(path)
  await fs.flush(dirname(path))
}

const takenOver = (path: string): LockedError =>
  new LockedError(`another Sandramp has begun ${basename(path)}, so this one writes no more`)
