import { basename, dirname } from 'node:path'
import { Low } from 'lowdb'
import { nanoid } from 'nanoid'
import { DataError, errorMessage, unusable } from '../errors.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  CompactionSource,
  Head,
  LogHealth,
  LogHost,
  Origin,
  WorldLog,
} from '../port.js'
import { toStoredBase } from '../stored-world.js'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { LockedError, lock, type Release } from './lock.js'
import { LogFile, removeForGood } from './log-file.js'
import { checksum, FORMAT, formatCommit, type LogEnd } from './log-lines.js'
import { dataPath, logPath } from './paths.js'
import { type Recovered, type RecoveredEntries, recover } from './recovery.js'
import { SnapshotFile, type StoredState } from './snapshot-file.js'

interface FileStoreOptions extends LogHost {
  readonly fs?: FileSystem | undefined
  /** Smaller logs are compacted only at the end, in bytes; 8 MiB by default. */
  readonly compactAt?: number | undefined
}

const DEFAULT_COMPACT_AT = 8 * 1024 * 1024
/** The logs may grow to this multiple of the snapshot: longer ones make the start after a crash slower. */
const MAX_LOG_RATIO = 2
/** Each start that ends in a crash leaves a log. */
const MAX_LOGS = 8
const RETRY_MS = 1_000

/**
 * Takes a data file for this process and reads it. Changes no file: a file that cannot be used stays as it is.
 */
export const openFileStore = async (
  given: string,
  { fs = nodeFileSystem, compactAt = DEFAULT_COMPACT_AT, ...host }: FileStoreOptions,
): Promise<FileStore> => {
  const path = await dataPath(given)
  const release = await lock(path, given)
  try {
    const snapshot = new SnapshotFile(fs, path)
    const recovered = await recover(snapshot, host.warn)
    return new FileStore({ ...host, given, release, compactAt, snapshot }, recovered)
  } catch (error) {
    await release()
    throw unusable(error, given)
  }
}

interface StoreParts extends Omit<FileStoreOptions, 'fs'> {
  /** The path as the operator wrote it. */
  readonly given: string
  readonly release: Release
  readonly compactAt: number
  readonly snapshot: SnapshotFile
}

/** Stores worlds in a snapshot and in logs of what came after it, for this process alone. */
class FileStore implements WorldLog {
  readonly isShared = false
  origin: Origin | undefined
  readonly #parts: StoreParts
  readonly #fs: FileSystem
  readonly #path: string
  readonly #snapshot: SnapshotFile
  readonly #found: Recovered | undefined
  /** Worlds that nobody has caught up with since the start. */
  readonly #recovered: Map<string, RecoveredEntries>
  /** Of all worlds, by id. */
  readonly #heads: Map<string, Head>
  #source: CompactionSource | undefined
  #log: LogFile | undefined
  /** Sizes of the logs before it, by number. */
  readonly #older: Map<number, number>
  /** The snapshot lacks something that no commit holds. */
  #isStale = false
  /** Size of all logs above which they are compacted. */
  #limit = 0
  /** Settles, and never fails, once the running compaction is over. */
  #compacting: Promise<void> | undefined
  /** Settles, and never fails, once nothing is being written to a log. */
  #writing: Promise<unknown> = Promise.resolve()
  /** Why nothing can be written. */
  #failing: string | undefined
  #cancelRetry = () => {}

  constructor(parts: StoreParts, recovered: Recovered | undefined) {
    const { snapshot } = parts
    this.#parts = parts
    this.#fs = snapshot.fs
    this.#path = snapshot.path
    this.#snapshot = snapshot
    this.#found = recovered
    this.#recovered = recovered?.worlds ?? new Map()
    this.#heads = new Map([...this.#recovered].map(([id, { world }]) => [id, { seq: world.seq }]))
    this.#older = recovered?.logs ?? new Map()
    this.origin = recovered?.origin
  }

  async begin(origin: Origin, source: CompactionSource): Promise<Origin> {
    const found = this.#found
    this.#isStale = found !== undefined && found.origin.isDrawn !== origin.isDrawn
    this.origin = origin
    try {
      this.#log = await (found ? this.#continue(found) : this.#create())
    } catch (error) {
      throw unusable(error, this.#parts.given)
    }
    this.#source = source
    this.#setLimit()
    this.#compactIfLong()
    return origin
  }

  /** The logs of two files never follow each other: a random checksum is the end before the first. */
  async #create(): Promise<LogFile> {
    const start: LogEnd = { log: 0, size: 0, crc: checksum(nanoid()) }
    await this.#writeSnapshot(start, {})
    return LogFile.begin(this.#fs, this.#path, start)
  }

  async #continue({ logs, spent, end }: Recovered): Promise<LogFile> {
    const fs = this.#fs
    const path = this.#path
    // A kill may have come between a write and its flush: what was read must be on the disk.
    for (const number of logs.keys()) await fs.flush(logPath(path, number))
    await fs.flush(dirname(path))
    for (const number of spent) await fs.remove(logPath(path, number))
    const log = await LogFile.begin(fs, path, end, Math.max(end.log, ...logs.keys()) + 1)
    for (const [number, size] of logs) {
      if ((await fs.stat(logPath(path, number)))?.size === size) continue
      // Another process has appended to it since it was read.
      await log.close()
      await removeForGood(fs, logPath(path, log.end.log))
      throw new LockedError(`${basename(path)}: another Sandramp is writing it; close that one`)
    }
    return log
  }

  list(): readonly string[] {
    return [...this.#recovered.keys()]
  }

  async catchUp(id: string): Promise<CaughtUp | undefined> {
    if (!this.#heads.has(id)) return undefined
    const found = this.#recovered.get(id) ?? (await this.#readAgain(id))
    const head = this.#heads.get(id)
    this.#recovered.delete(id)
    return found && head && { head, ...found, commits: [] }
  }

  /** A world that is in memory, as the files have it. Fails if a compaction replaces them meanwhile. */
  async #readAgain(id: string): Promise<RecoveredEntries | undefined> {
    const { fs, path } = this.#snapshot
    const snapshot = new SnapshotFile(fs, path)
    const found = await this.#exclusive((log) => recover(snapshot, () => {}, log.end))
    return found?.worlds.get(id)
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const accepted = this.#accept(commits)
    const lines = commits.filter((_, i) => accepted[i]).map(formatCommit)
    try {
      if (this.#failing !== undefined) throw new DataError(this.#failing)
      if (lines.length > 0) await this.#exclusive((log) => log.append(lines.join('')))
    } catch (error) {
      this.#fail(error)
      return commits.map(() => ({ is: 'failed' }))
    }
    this.#compactIfLong()
    return commits.map((commit, i) => (accepted[i] ? this.#move(commit) : { is: 'behind' }))
  }

  /** Which commits continue their worlds. */
  #accept(commits: readonly Commit[]): boolean[] {
    const ended = new Set<string>()
    return commits.map(({ id, head, ends }) => {
      const isNext = head === (ended.has(id) ? undefined : this.#heads.get(id))
      if (isNext && ends) ended.add(id)
      return isNext
    })
  }

  #move({ id, head, entries, ends }: Commit): AppendResult {
    if (ends) {
      this.#heads.delete(id)
      this.#recovered.delete(id)
      return { is: 'appended', head: undefined }
    }
    const next: Head = { seq: entries.at(-1)?.seq ?? head?.seq ?? 0 }
    this.#heads.set(id, next)
    return { is: 'appended', head: next }
  }

  /** Compaction takes in all worlds, so there is nothing to do for one. */
  async compact(): Promise<void> {}

  get name(): string {
    return basename(this.#path)
  }

  get isWritable(): boolean {
    return this.#failing === undefined
  }

  get health(): LogHealth {
    const error = this.#failing ?? null
    const file = this.#path
    const status = error === null ? 'ok' : 'failing'
    return { kind: 'file', status, error, journal_bytes: this.#logBytes, file }
  }

  async ping(): Promise<void> {}

  get #logBytes(): number {
    return [...this.#older.values()].reduce((sum, size) => sum + size, this.#log?.end.size ?? 0)
  }

  /** Stores everything in the snapshot and releases the files; a store that has not begun only releases them. */
  async close(): Promise<void> {
    this.#cancelRetry()
    await this.#compacting
    if (this.#log) await this.#exclusive((log) => this.#finish(log)).catch(() => {})
    this.#source = undefined
    await this.#log?.close().catch(() => {})
    await this.#parts.release()
  }

  async #finish(log: LogFile): Promise<void> {
    try {
      await log.assertOwn()
      const isDue = this.#isStale || this.#older.size > 0 || !log.isEmpty || log.hasTail
      // The snapshot contains the log up to its end, so a tail does not matter any more.
      if (isDue || !(await this.#fs.stat(this.#path))) await this.#compact(log.end)
      await this.#fs.remove(logPath(this.#path, log.end.log))
    } catch (error) {
      const tail = log.hasTail
        ? ', and so may what was answered with 503: it could not be cut off'
        : ''
      const reason = errorMessage(error)
      this.#warn(`the journal could not be compacted: ${reason}; nothing is lost, it stays${tail}`)
    }
  }

  /** Runs something while no commit is being written. */
  #exclusive<V>(act: (log: LogFile) => Promise<V>): Promise<V> {
    const turn = this.#writing.then(() => {
      if (!this.#log) throw new DataError('the journal is not open yet')
      return act(this.#log)
    })
    this.#writing = turn.catch(() => {})
    return turn
  }

  /** Compacts in the background: a start after a crash reads all logs. */
  #compactIfLong(): void {
    if (this.#compacting || (this.#logBytes <= this.#limit && this.#older.size < MAX_LOGS)) return
    this.#compacting = this.#compactAndGoOn()
      .then(() => this.#setLimit())
      .catch((error: unknown) => {
        this.#limit = 2 * this.#logBytes
        this.#warn(`the journal could not be compacted: ${errorMessage(error)}; it grows on`)
      })
      .finally(() => {
        this.#compacting = undefined
      })
  }

  #setLimit(): void {
    this.#limit = Math.max(this.#parts.compactAt, MAX_LOG_RATIO * this.#snapshot.size)
  }

  /** Commits go into the next log while the snapshot takes in all logs before it. */
  async #compactAndGoOn(): Promise<void> {
    const old = await this.#exclusive(async (log) => {
      this.#log = await log.beginNext(this.#path)
      this.#older.set(log.end.log, log.end.size)
      return log
    })
    await old.close()
    await this.#compact(old.end)
  }

  /** Stores the worlds, which hold all commits up to `end` and maybe later ones, and removes the logs until there. */
  async #compact(end: LogEnd): Promise<void> {
    const taken = this.#source?.worlds()
    this.#snapshot.confirm = async () => {
      // A change that is in no log yet may be refused. Then it must not be in the snapshot.
      await taken?.persisted()
      await this.#log?.assertNewest()
    }
    await this.#writeSnapshot(end, taken?.worlds ?? {})
    this.#isStale = false
    for (const number of [...this.#older.keys()].sort((a, b) => a - b)) {
      const log = logPath(this.#path, number)
      if (this.#found?.unread.has(number)) await this.#fs.rename(log, `${log}.unread`)
      else await this.#fs.remove(log)
      this.#older.delete(number)
    }
  }

  async #writeSnapshot(contains: LogEnd, worlds: StoredState['worlds']): Promise<void> {
    if (!this.origin) throw new DataError('the data file is not open yet')
    const { seed, isDrawn, base } = this.origin
    const drawn = isDrawn || undefined
    const state = { format: FORMAT, contains, seed, drawn, base: toStoredBase(base), worlds }
    await new Low<StoredState | null>(this.#snapshot, state).write()
  }

  #fail(error: unknown): void {
    const reason = errorMessage(error)
    if (this.#failing === undefined) {
      this.#warn(`it cannot be written: ${reason}; changes are refused until it can, reads go on`)
    }
    this.#failing = reason
    this.#cancelRetry()
    this.#cancelRetry = this.#parts.schedule(RETRY_MS, () => void this.#retry())
  }

  async #retry(): Promise<void> {
    try {
      await this.#exclusive((log) => log.probe())
    } catch (error) {
      if (this.#source) this.#fail(error)
      return
    }
    this.#failing = undefined
    this.#warn('it can be written again; changes go on')
    this.#source?.onWritable()
  }

  #warn(sentence: string): void {
    this.#parts.warn(`${this.name}: ${sentence}`)
  }
}
