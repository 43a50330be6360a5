import { dirname } from 'node:path'
import { nanoid } from 'nanoid'
import { DataError } from '../errors.js'
import type { CompactionSource, Origin } from '../port.js'
import { toStoredBase } from '../stored-world.js'
import type { EvictedWorlds } from './evicted-worlds.js'
import type { FileSystem } from './file-system.js'
import { walPath } from './paths.js'
import type { Recovered } from './recovery.js'
import { writeState } from './state-file.js'
import { FORMAT } from './stored-state.js'
import { WalFile } from './wal.js'
import type { StateId } from './wal-records.js'

interface CompactionOptions {
  readonly fs: FileSystem
  readonly path: string
  readonly evicted: EvictedWorlds
  /** A smaller log is compacted only at the end, in bytes. */
  readonly minSize: number
  /** A compaction in the background failed. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The log may grow to this multiple of the state file. An entry takes four times the space of its records, so a
 * smaller ratio writes each record several times; a larger one makes the start after a crash slower.
 */
const MAX_WAL_RATIO = 4

/** The state file and the write-ahead log, and how a compaction replaces both. */
export class Compaction {
  wal: WalFile | undefined
  readonly #options: CompactionOptions
  #origin: Origin | undefined
  #source: CompactionSource | undefined
  #stateId: StateId | undefined
  #identity: string | undefined
  /** True if the state file lacks something that no commit holds. */
  #isStale = true
  /** Size of the log above which it is compacted. */
  #limit: number
  /** Settles, and never fails, once the running compaction is over. */
  #running: Promise<void> | undefined
  /** Settles, and never fails, once no commit is being written. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: CompactionOptions) {
    this.#options = options
    this.#limit = options.minSize
  }

  /** Continues the files that are there, or writes new ones. Both exist once this returns. */
  async begin(
    origin: Origin,
    source: CompactionSource,
    recovered: Recovered | undefined,
  ): Promise<void> {
    this.#origin = origin
    this.#source = source
    const { fs, path } = this.#options
    if (recovered) {
      const { stateId, wal } = recovered
      this.#isStale = recovered.origin.isDrawn !== origin.isDrawn
      this.#setStateId(stateId)
      this.#identity = (await fs.stat(path))?.identity
      if (wal) {
        const file = await fs.open(walPath(path), 'as it is', 'through')
        this.wal = new WalFile(file, wal.header.snapshot, wal.headerSize, wal.prefix)
        if (wal.torn > 0) await this.wal.cutTail()
      }
    }
    if (!this.wal) await this.#compact(recovered?.walPrefix)
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Waits for the running compaction. */
  async whenIdle(): Promise<void> {
    await this.#running
  }

  /** Whether a compaction would change anything. */
  get isDue(): boolean {
    return this.#isStale || !this.wal?.isEmpty || this.wal.hasTail
  }

  /** Runs something while no commit is being written. */
  exclusive<V>(act: () => Promise<V>): Promise<V> {
    const turn = this.#writing.then(act)
    this.#writing = turn.catch(() => {})
    return turn
  }

  /** Compacts in the background once the log is much longer than the state file. */
  compactIfLong(): void {
    if (this.#running || !this.wal || this.wal.size <= this.#limit) return
    void this.compact().catch((error: unknown) => {
      this.#limit = 2 * (this.wal?.size ?? 0)
      this.#options.onFailure(error)
    })
  }

  /** Compacts behind the running compaction. */
  compact(): Promise<void> {
    const compaction = this.whenIdle().then(() => this.#compact())
    const ended = compaction
      .catch(() => {})
      .then(() => {
        if (this.#running === ended) this.#running = undefined
      })
    this.#running = ended
    return compaction
  }

  /**
   * Writes the worlds as they are, then a new log with the commits since. The state file names the part of
   * the old log that it contains, so whatever a crash leaves of the two fits together.
   */
  async #compact(previous = this.wal?.prefix): Promise<void> {
    const { fs, path, evicted } = this.#options
    if (!this.#origin || !this.#source) throw new DataError('the data file is not open yet')
    const old = this.wal
    const { seed, isDrawn, base } = this.#origin
    const { worlds, persisted } = this.#source.worlds()
    old?.remember()
    const [newState, newWal] = [`${path}.new`, `${walPath(path)}.new`]
    try {
      const id = nanoid()
      const print = await writeState(fs, newState, {
        format: FORMAT,
        id,
        previous,
        seed,
        ...(isDrawn && { drawn: isDrawn }),
        base: toStoredBase(base),
        worlds,
      })
      // A first compaction comes before all commits.
      if (old) await persisted
      await evicted.removeDeleted()
      await fs.rename(newState, path)
      // The file is there, even if the folder cannot be flushed.
      this.#setStateId({ id, ...print })
      this.#identity = (await fs.stat(path))?.identity
      await fs.flushFolder(dirname(path))
      await this.exclusive(async () => {
        const header = { format: FORMAT, snapshot: { id, ...print } }
        const next = await WalFile.create(fs, newWal, header, old?.remembered())
        try {
          await fs.rename(newWal, walPath(path))
        } catch (error) {
          await next.close()
          throw error
        }
        this.wal = next
        await fs.flushFolder(dirname(path))
      })
      this.#isStale = false
    } catch (error) {
      for (const it of [newState, newWal]) await fs.remove(it).catch(() => {})
      throw error
    } finally {
      old?.forget()
      if (this.wal !== old) await old?.close()
    }
  }

  /** Whether somebody removed, replaced or truncated a file. */
  async areFilesGone(): Promise<boolean> {
    const { fs, path } = this.#options
    const { wal } = this
    const stateFile = await fs.stat(path)
    // Read the size first: the file may grow meanwhile.
    const { identity, size = 0 } = wal ?? {}
    const walFile = await fs.stat(walPath(path))
    const isAsLeft =
      stateFile?.identity === this.#identity &&
      stateFile?.size === this.#stateId?.size &&
      walFile?.identity === identity &&
      (walFile?.size ?? 0) >= size &&
      (await wal?.isWhole())
    // A compaction replaced them meanwhile.
    return !isAsLeft && this.wal === wal
  }

  async close(): Promise<void> {
    await this.wal?.close().catch(() => {})
  }

  #setStateId(stateId: StateId): void {
    this.#stateId = stateId
    this.#limit = Math.max(this.#options.minSize, MAX_WAL_RATIO * stateId.size)
  }
}
