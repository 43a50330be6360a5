import { basename } from 'node:path'
import { formatInvalid } from '../../lib/app-error.js'
import type { Schedule } from '../../lib/machine-clock.js'
import { DataError, errorMessage, SeedMismatchError, unusable } from '../errors.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  CompactionSource,
  Head,
  LogHealth,
  Origin,
  WorldLog,
} from '../port.js'
import { restoreWorld, type StoredWorld } from '../stored-world.js'
import { Compaction } from './compaction.js'
import { EvictedWorlds } from './evicted-worlds.js'
import { type FileSystem, nodeFileSystem } from './file-system.js'
import { type Lock, lock } from './lock.js'
import { dataPath } from './paths.js'
import { type Recovered, type RecoveredEntries, recover } from './recovery.js'
import { formatCommit } from './wal-records.js'
import { WriteMonitor } from './write-monitor.js'

interface FileStoreOptions {
  /** The seed that was asked for: a file keeps the one that it began with. */
  readonly seed?: string | undefined
  readonly schedule: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
  readonly fs?: FileSystem | undefined
  /** A smaller log is compacted only at the end, in bytes; 8 MiB by default. */
  readonly compactAt?: number | undefined
}

const DEFAULT_COMPACT_AT = 8 * 1024 * 1024
/** Bytes of one write: a long commit must not stop everything else. */
const WRITE_LENGTH = 1024 * 1024

/**
 * Takes a data file for this process and reads it. Changes no file: a file that cannot be used stays as it is.
 */
export const openFileStore = async (
  given: string,
  { seed, fs = nodeFileSystem, compactAt, schedule, warn }: FileStoreOptions,
): Promise<FileStore> => {
  const path = await dataPath(given)
  const held = await lock(path, given)
  try {
    const evicted = await EvictedWorlds.open(fs, path)
    const recovered = await recover(path, fs, evicted, warn)
    if (recovered && seed !== undefined && seed !== recovered.origin.seed) {
      throw new SeedMismatchError(otherSeed(given, recovered.origin.seed, seed))
    }
    return new FileStore(
      { path, given, fs, lock: held, schedule, warn, compactAt },
      evicted,
      recovered,
    )
  } catch (error) {
    await held.release()
    throw unusable(error, given)
  }
}

type StoreParts = Omit<FileStoreOptions, 'seed'> & {
  readonly path: string
  /** The path as the operator wrote it. */
  readonly given: string
  readonly fs: FileSystem
  readonly lock: Lock
}

/** Stores worlds in a state file and a write-ahead log, for this process alone. */
class FileStore implements WorldLog {
  readonly isShared = false
  origin: Origin | undefined
  readonly #parts: StoreParts
  readonly #name: string
  readonly #evicted: EvictedWorlds
  readonly #compaction: Compaction
  readonly #monitor: WriteMonitor
  readonly #heads = new Map<string, Head>()
  /** Worlds that nobody has caught up with since the start. */
  readonly #recovered: Map<string, RecoveredEntries>
  readonly #found: Recovered | undefined
  #source: CompactionSource | undefined
  #tags = 0
  #hasBegun = false

  constructor(parts: StoreParts, evicted: EvictedWorlds, recovered: Recovered | undefined) {
    const { path, fs, compactAt, lock, schedule } = parts
    this.#parts = parts
    this.#name = basename(path)
    this.#evicted = evicted
    this.#found = recovered
    this.#recovered = new Map(recovered?.worlds)
    this.origin = recovered?.origin
    for (const id of recovered?.deleted ?? []) evicted.markDeleted(id)
    this.#compaction = new Compaction({
      fs,
      path,
      evicted,
      minSize: compactAt ?? DEFAULT_COMPACT_AT,
      onFailure: (error) =>
        this.#warn(`the journal could not be compacted: ${errorMessage(error)}; it grows on`),
    })
    this.#monitor = new WriteMonitor({
      compaction: this.#compaction,
      lock,
      schedule,
      warn: (sentence) => this.#warn(sentence),
      onWritable: () => this.#source?.onWritable(),
    })
  }

  async begin(origin: Origin, source: CompactionSource): Promise<Origin> {
    this.origin = origin
    this.#source = source
    try {
      // Evicted worlds without a data file belong to one that is gone.
      if (!this.#found) await this.#evicted.removeAll()
      await this.#compaction.begin(origin, source, this.#found)
    } catch (error) {
      throw unusable(error, this.#parts.given)
    }
    await this.#evicted.removeUnfinished()
    this.#hasBegun = true
    this.#monitor.begin()
    return origin
  }

  list(): readonly string[] {
    return [...this.#recovered.keys()]
  }

  async catchUp(id: string): Promise<CaughtUp | undefined> {
    const found = this.#recovered.get(id) ?? (await this.#readEvicted(id))
    if (!found) return undefined
    this.#recovered.delete(id)
    const head = this.#newHead(found.world.seq)
    this.#heads.set(id, head)
    return { head, ...found, commits: [] }
  }

  async #readEvicted(id: string): Promise<RecoveredEntries | undefined> {
    const stored = this.origin && (await this.#evicted.read(id))
    return stored && this.origin
      ? { world: restoreWorld(stored, this.origin.base.tables), entries: [] }
      : undefined
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const accepted = this.#accept(commits)
    try {
      if (this.#monitor.failing !== undefined) throw new DataError(this.#monitor.failing)
      await this.#compaction.exclusive(() => this.#write(commits.filter((_, i) => accepted[i])))
    } catch (error) {
      this.#monitor.reportFailure(error)
      return commits.map(() => ({ is: 'failed' }))
    }
    const results = commits.map((commit, i): AppendResult => {
      if (!accepted[i]) return { is: 'behind' }
      const { id, head, entries, ends } = commit
      if (ends) {
        this.#heads.delete(id)
        this.#evicted.markDeleted(id)
        return { is: 'appended', head: undefined }
      }
      const next = this.#newHead(entries.at(-1)?.seq ?? head?.seq ?? 0)
      this.#heads.set(id, next)
      return { is: 'appended', head: next }
    })
    this.#compaction.compactIfLong()
    return results
  }

  /** Which commits continue their worlds. */
  #accept(commits: readonly Commit[]): boolean[] {
    const ended = new Set<string>()
    return commits.map(({ id, head, ends }) => {
      const exists = this.#heads.has(id) || this.#recovered.has(id) || this.#evicted.has(id)
      const isNew = !exists || ended.has(id)
      const isNext = isNew ? !head : head !== undefined && head.tag === this.#heads.get(id)?.tag
      if (isNext && ends) ended.add(id)
      return isNext
    })
  }

  async #write(commits: readonly Commit[]): Promise<void> {
    const { wal } = this.#compaction
    if (!wal) throw new DataError('the journal is not open yet')
    let text = ''
    for (const commit of commits) {
      if (text.length > WRITE_LENGTH) {
        await wal.write(text)
        text = ''
      }
      text += formatCommit(commit)
    }
    await wal.flush(text)
  }

  compact(id: string, _head: Head, world: StoredWorld): Promise<void> {
    return this.#evicted.write(id, world)
  }

  get isWritable(): boolean {
    return this.#monitor.failing === undefined
  }

  get health(): LogHealth {
    const { failing = null } = this.#monitor
    return {
      file: this.#parts.path,
      status: failing === null ? 'ok' : 'failing',
      error: failing,
      journal_bytes: this.#compaction.wal?.size ?? 0,
    }
  }

  /** Compacts the log and releases the files; a store that has not begun only releases them. */
  async close(): Promise<void> {
    await this.#monitor.end()
    await this.#compaction.whenIdle()
    if (this.#hasBegun) await this.#compactAtEnd()
    await this.#compaction.close()
    await this.#parts.lock.release()
  }

  async #compactAtEnd(): Promise<void> {
    const compaction = this.#compaction
    const areGone = await compaction.areFilesGone().catch(() => false)
    try {
      await this.#monitor.renewLock()
      if (compaction.wal?.hasTail) await compaction.wal.cutTail().catch(() => {})
      if (compaction.isDue || areGone) await compaction.compact()
    } catch (error) {
      const rest = this.#monitor.isLost ? '' : this.#describeRest(areGone)
      this.#warn(`the journal could not be compacted: ${errorMessage(error)}${rest}`)
    }
  }

  /** The fate of a log that could not be compacted at the end. */
  #describeRest(areGone: boolean): string {
    if (areGone) return '; what was in it is lost with it'
    const rejected = this.#compaction.wal?.hasTail
      ? ', and so may what was answered with 503: it could not be cut off'
      : ''
    return `; nothing is lost, it stays${rejected}`
  }

  #newHead(seq: number): Head {
    return { seq, tag: String(++this.#tags) }
  }

  #warn(sentence: string): void {
    this.#parts.warn(`${this.#name}: ${sentence}`)
  }
}

const otherSeed = (name: string, stored: string, seed: string): string =>
  formatInvalid(
    'seed',
    seed,
    `${JSON.stringify(stored)}, with which ${name} began, or none`,
    'Another seed takes another data file',
  )
