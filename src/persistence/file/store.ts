import { basename } from 'node:path'
import type { World } from '../../domain/world.js'
import type { Forking } from '../../domain/world-lifecycle.js'
import { MemoryJournal } from '../../journal/memory-journal.js'
import type { Entry } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import type { UndoRecord } from '../../kernel/undo-record.js'
import type { Schedule } from '../../lib/machine-clock.js'
import type { LiveWorld } from '../../runtime/live-world.js'
import {
  DataError,
  errorMessage,
  TemporarilyUnreadableError,
  unusable,
  WriteFailedError,
} from '../errors.js'
import { GroupCommit } from '../group-commit.js'
import type { PersistedWorldHandle, Persistence } from '../port.js'
import { Compaction } from './compaction.js'
import { type Checkpoint, type CompactionInput, DataFiles } from './data-files.js'
import type { FileSystem } from './file-system.js'
import { PersistedWorlds } from './kept-lines.js'
import { ArchiveCleanup } from './leftovers.js'
import type { Lock } from './lock.js'
import type { FoundWorld } from './recovery.js'
import {
  FORMAT,
  type Reopened,
  type StoredBase,
  type StoredState,
  storedWorld,
  toRows,
} from './state.js'
import { entryRecord, type WalRecord, worldRecord } from './wal-records.js'
import type { WorldArchiveFolder } from './world-archive.js'
import { WriteMonitor } from './write-monitor.js'

export interface StoreOptions {
  /** The file with its whole path; the journal lies beside it. */
  readonly path: string
  /** The file as it was given. */
  readonly name: string
  readonly fs: FileSystem
  readonly aside: WorldArchiveFolder
  readonly lock: Lock
  readonly later: Schedule
  /** The smallest journal that is folded while the sandbox runs, in bytes. */
  readonly foldAt?: number | undefined
  /** Runs something once what goes on now is done. */
  readonly soon: (run: () => void) => void
  /** Tells whoever runs the sandbox something in a sentence. */
  readonly tell: (sentence: string) => void
}

/** What a store begins with. */
export interface StoreStart {
  readonly seed: string
  /** Whether nobody has asked for that seed. */
  readonly isDrawn: boolean
  /** What all worlds lie upon. */
  readonly base: World
  /** Whether the file holds something else, or nothing yet. */
  readonly isNew: boolean
  /** How many lines there have ever been. */
  readonly lines: number
  readonly checkpoint: Checkpoint | undefined
}

/** What is to be written, or how something that goes with it is taken back. */
type Item = Written | { readonly takeBack: () => void }

/** One line of the journal; `more` follow that belong to it. */
type Written = { more?: true } & (
  | { readonly line: PersistedWorldHandle; readonly entry: Entry; readonly undoRecord: UndoRecord }
  | { readonly world: string; readonly is: NonNullable<WalRecord['is']> }
)

/** What a health check tells of it. */
export interface StoreHealth {
  readonly file: string
  readonly status: 'ok' | 'failing'
  readonly error: string | null
  readonly journal_bytes: number
}

const NEVER_OPENED =
  'the change was not made: its world could not be kept when it was opened; retry'

const SMALLEST_JOURNAL = 1024 * 1024
/** Written out in pieces, so that a long one does not hold everybody up. */
const PIECE = 1024 * 1024

/** Keeps the worlds of a sandbox in a snapshot and a journal of what has come since. */
export class Store implements Persistence {
  readonly #parts: StoreOptions
  readonly #name: string
  readonly #lines = new PersistedWorlds()
  readonly #group: GroupCommit<Item>
  readonly #files: DataFiles
  readonly #leftovers: ArchiveCleanup
  readonly #compaction: Compaction
  readonly #watch: WriteMonitor
  #base: (Pick<StoredState, 'seed' | 'drawn'> & { readonly stored: StoredBase }) | undefined
  /** How many lines there have ever been: when it began, and taken in. */
  #started = 0
  #taken = 0
  #isClosed = false
  /** What is being done as a whole, and the newest line of it. */
  #whole: { newest?: Written } | undefined
  /** What the group waits for before it writes its first line. */
  #begun: (() => void) | undefined

  constructor(parts: StoreOptions) {
    this.#parts = parts
    this.#name = basename(parts.path)
    this.#files = new DataFiles(parts.fs, parts.path)
    this.#leftovers = new ArchiveCleanup(parts.aside)
    const begun = new Promise<void>((resolve) => {
      this.#begun = resolve
    })
    this.#group = new GroupCommit<Item>({
      write: (items) => this.#write(items),
      failed: (error, items) => this.#rollback(error, items),
      soon: (run) => (this.#begun ? void begun.then(run) : parts.soon(run)),
    })
    const between: CompactionInput['between'] = (run) => this.#group.exclusive(run)
    const tell = (sentence: string) => this.#tell(sentence)
    this.#compaction = new Compaction({
      files: this.#files,
      leftovers: this.#leftovers,
      state: () => this.#state(),
      flushed: () => this.#flushed,
      pending: () => this.pending,
      between,
      failed: (error) =>
        tell(`the journal could not be folded: ${errorMessage(error)}; it grows on`),
    })
    this.#watch = new WriteMonitor({
      files: this.#files,
      compaction: this.#compaction,
      lock: parts.lock,
      later: parts.later,
      between,
      tell,
      mended: () => {
        for (const live of this.#lines.all) live.resumeTimers()
      },
    })
  }

  /** A line is kept from here on; one that is new has never been, should its first entries not be kept. */
  opened(live: LiveWorld, isNew: boolean): void {
    const takeBack = this.#lines.add(live)
    if (isNew) this.onRollback(takeBack)
  }

  /** A line is kept no more: its world was deleted. */
  deleted(id: string): void {
    this.#forget(id, 'deleted')
  }

  /** A world that was deleted before it began. Its file stays until the next fold. */
  leaveOut(id: string): void {
    this.#leftovers.left(id, 'deleted', this.#taken)
  }

  /**
   * Writes a line's world into a file of its own, so that it can leave memory. `leave` lets it go and
   * answers how it comes back, should that not be kept. False when it was used meanwhile, and stays.
   */
  async archive(live: LiveWorld, leave: () => (() => void) | undefined): Promise<boolean> {
    if (this.isReadOnly || this.#leftovers.isSource(live.id)) return false
    // Until it has left: a fold removes no file that has just been written.
    const went = await this.#leftovers.withLock(live.id, () => this.#archive(live, leave))
    return went ?? false
  }

  async #archive(live: LiveWorld, leave: () => (() => void) | undefined): Promise<boolean> {
    const { id, world } = live
    const { seq } = world
    await this.#parts.aside.put(id, this.#taken, storedWorld(live), this.pending)
    const isSame = live.world === world && world.seq === seq
    if (!isSame || this.isReadOnly || this.#lines.of(id) !== live) return false
    const comeBack = leave()
    if (!comeBack) return false
    this.onRollback(comeBack)
    this.#forget(id, 'aside')
    return true
  }

  /** A world that was put aside, to go on with; undefined when there is none of this id. */
  findArchived(id: string, base: World): FoundWorld | undefined {
    if (this.#leftovers.isDeleted(id)) return undefined
    const found = this.#restoreArchived(id, base)
    return found && { ...found, journal: new MemoryJournal(found.seq) }
  }

  #restoreArchived(id: string, base: World): Reopened | undefined {
    try {
      return this.#parts.aside.find(id, base)?.world
    } catch (error) {
      // Whoever removed one that only cannot be read now would lose its world.
      if (!(error instanceof DataError) || error instanceof TemporarilyUnreadableError) throw error
      throw new DataError(
        `${error.message}; mend the file, or remove it to let its world begin anew`,
      )
    }
  }

  append(line: PersistedWorldHandle, entry: Entry, undoRecord: UndoRecord): void {
    if (this.#lines.isDeleted(line)) {
      this.onRollback(() => line.rollbackLatest(undoRecord))
      return
    }
    this.#add({ line, entry, undoRecord })
    if (entry.command === 'world.fork') this.#leftovers.forkedFrom(findSource(entry), this.#taken)
  }

  transaction<V>(act: () => V): V {
    this.#whole = {}
    try {
      return act()
    } finally {
      this.#whole = undefined
    }
  }

  onRollback(takeBack: () => void): void {
    this.#group.add({ takeBack })
  }

  readonly assertAvailable = (undone?: string): void => {
    if (this.isReadOnly) throw this.#refusal(undone)
  }

  assertWritable(line: PersistedWorldHandle): void {
    this.assertAvailable()
    if (this.#lines.wasNeverPersisted(line)) throw new WriteFailedError(NEVER_OPENED)
  }

  get isReadOnly(): boolean {
    return this.#watch.failing !== undefined || this.#isClosed
  }

  /** Resolves once all that was done so far will outlast a crash; undefined when it does already. */
  get pending(): Promise<void> | undefined {
    return this.#group.pending
  }

  get health(): StoreHealth {
    const { failing = null } = this.#watch
    return {
      file: this.#parts.path,
      status: failing === null ? 'ok' : 'failing',
      error: failing,
      journal_bytes: this.#files.journal?.size ?? 0,
    }
  }

  /** Begins to write: behind what is there, or files that are new. Both are there when it comes back. */
  async begin({ seed, isDrawn, base, isNew, lines, checkpoint }: StoreStart): Promise<void> {
    const { now, seq, tables } = base
    const drawn = isDrawn ? { drawn: isDrawn } : {}
    this.#base = {
      seed,
      ...drawn,
      stored: { now: toIso(now), seq, tables: toRows(tables).tables },
    }
    if (!isNew) this.#compaction.goOn()
    this.#started = lines
    this.#taken += lines
    try {
      if (checkpoint) await this.#files.goOn(checkpoint)
      if (!checkpoint?.journal) await this.#compaction.now()
    } catch (error) {
      throw unusable(error, this.#parts.name)
    }
    await this.#parts.aside.clear()
    const begun = this.#begun
    this.#begun = undefined
    begun?.()
    await this.pending
    this.#watch.begin()
  }

  /** Lets go of the files without writing: something else went wrong before it began. */
  async abandon(): Promise<void> {
    this.#isClosed = true
    await this.#watch.end()
    await this.#files.close()
    await this.#parts.lock.release()
  }

  /** Lets what is on its way be written, folds the journal and lets go of the files. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.pending?.catch(() => {})
    this.#isClosed = true
    // An advance in slices may have made entries since; it can make no more.
    await this.pending?.catch(() => {})
    await this.#watch.end()
    await this.#compaction.ended()
    const areGone = await this.#files.areGone().catch(() => false)
    try {
      await this.#watch.renewLock()
      await this.#files.cutBack()
      if (this.#compaction.isDue || areGone) await this.#compaction.now()
    } catch (error) {
      const why = this.#watch.isLost
        ? errorMessage(error)
        : errorMessage(error) + this.#rest(areGone)
      this.#tell(`the journal could not be folded: ${why}`)
    }
    await this.#files.close()
    await this.#parts.lock.release()
  }

  /** What becomes of a journal that could not be folded at the end. */
  #rest(isGone: boolean): string {
    if (isGone) return '; what was in it is lost with it'
    const refused = this.#files.journal?.hasTail
      ? ', and so may what was answered with 503: it could not be cut off'
      : ''
    return `; nothing is lost, it stays${refused}`
  }

  /** How many lines will outlast a crash. */
  get #flushed(): number {
    return this.#files.journal?.lines ?? this.#started
  }

  #forget(world: string, is: NonNullable<WalRecord['is']>): void {
    const comeBack = this.#lines.remove(world, is)
    if (comeBack) this.onRollback(comeBack)
    this.#add({ world, is })
    this.onRollback(this.#leftovers.left(world, is, this.#taken))
  }

  #add(item: Written): void {
    this.#taken++
    if (this.#whole?.newest) this.#whole.newest.more = true
    if (this.#whole) this.#whole.newest = item
    this.#group.add(item)
  }

  async #write(items: readonly Item[]): Promise<void> {
    const { journal, snapshotSize } = this.#files
    if (!journal) throw new DataError('the journal is not open yet')
    let text = ''
    let lines = 0
    for (const item of items) {
      if ('takeBack' in item) continue
      text +=
        'line' in item
          ? entryRecord(item.line.id, item.entry, item.more)
          : worldRecord(item.world, item.is)
      lines++
      if (text.length < PIECE) continue
      await journal.write(text)
      text = ''
    }
    await journal.flush(text, lines)
    for (const item of items) if ('line' in item) item.line.onPersisted(item.entry.seq)
    const { foldAt = SMALLEST_JOURNAL } = this.#parts
    if (journal.size > Math.max(foldAt, snapshotSize) && !this.isReadOnly) this.#compaction.soon()
  }

  /** What could not be written has never been: it is taken back, the newest first. */
  #rollback(error: unknown, items: readonly Item[]): Error {
    // From here on nothing is begun, such as putting a world aside that comes back on the way.
    this.#watch.failed(error)
    for (const item of items.toReversed()) {
      if ('takeBack' in item) item.takeBack()
      else if ('line' in item) item.line.rollbackLatest(item.undoRecord)
    }
    this.#taken = this.#flushed
    return this.#refusal()
  }

  #refusal(undone = 'the change was not made'): WriteFailedError {
    return new WriteFailedError(
      this.#isClosed
        ? 'the sandbox is closed'
        : `${undone}: ${this.#name} cannot be written (${this.#watch.failing}); retry when it can`,
    )
  }

  #state(): StoredState {
    if (!this.#base) throw new DataError('a store that has not begun')
    const worlds = this.#lines.all.map((live) => [live.id, storedWorld(live)] as const)
    const { stored, ...origin } = this.#base
    return {
      format: FORMAT,
      line: this.#taken,
      ...origin,
      base: stored,
      worlds: Object.fromEntries(worlds),
    }
  }

  #tell(sentence: string): void {
    this.#parts.tell(`${this.#name}: ${sentence}`)
  }
}

const findSource = ({ input }: Entry): string => (input as Forking).from
