import { basename } from 'node:path'
import type { Later } from '../clock.js'
import { MemoryJournal } from '../journal/memory.js'
import type { Keeping, KeptLine } from '../keeping.js'
import type { Timeline } from '../timeline.js'
import type { Entry } from '../world/kernel/entry.js'
import type { Step } from '../world/kernel/step.js'
import { isoTime } from '../world/kernel/time.js'
import type { Forking } from '../world/snapshots.js'
import type { World } from '../world/world.js'
import type { AsideFolder } from './aside.js'
import { DataError, messageOf, NotKept, Unreadable, unusable } from './data-error.js'
import type { Disk } from './disk.js'
import { Files, type LastFold, type Meanwhile } from './files.js'
import { Folds } from './folds.js'
import { Group } from './group.js'
import { KeptLines } from './kept-lines.js'
import { Leftovers } from './leftovers.js'
import { entryLine, type Line, noteLine } from './lines.js'
import type { Lock } from './lock.js'
import type { FoundWorld } from './rebuild.js'
import {
  FORMAT,
  type Reopened,
  rowsOf,
  type StoredBase,
  type StoredState,
  storedWorld,
} from './state.js'
import { Watch } from './watch.js'

export interface StoreParts {
  /** The file with its whole path; the journal lies beside it. */
  readonly path: string
  /** The file as it was given. */
  readonly name: string
  readonly disk: Disk
  readonly aside: AsideFolder
  readonly lock: Lock
  readonly later: Later
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
  readonly lastFold: LastFold | undefined
}

/** What is to be written, or how something that goes with it is taken back. */
type Item = Written | { readonly takeBack: () => void }

/** One line of the journal; `more` follow that belong to it. */
type Written = { more?: true } & (
  | { readonly line: KeptLine; readonly entry: Entry; readonly step: Step }
  | { readonly world: string; readonly is: NonNullable<Line['is']> }
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
export class Store implements Keeping {
  readonly #parts: StoreParts
  readonly #name: string
  readonly #lines = new KeptLines()
  readonly #group: Group<Item>
  readonly #files: Files
  readonly #leftovers: Leftovers
  readonly #folds: Folds
  readonly #watch: Watch
  #base: (Pick<StoredState, 'seed' | 'drawn'> & { readonly stored: StoredBase }) | undefined
  /** How many lines there have ever been: when it began, and taken in. */
  #started = 0
  #taken = 0
  #isClosed = false
  /** What is being done as a whole, and the newest line of it. */
  #whole: { newest?: Written } | undefined
  /** What the group waits for before it writes its first line. */
  #begun: (() => void) | undefined

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#name = basename(parts.path)
    this.#files = new Files(parts.disk, parts.path, this.#name)
    this.#leftovers = new Leftovers(parts.aside)
    const begun = new Promise<void>((resolve) => {
      this.#begun = resolve
    })
    this.#group = new Group<Item>({
      write: (items) => this.#write(items),
      failed: (error, items) => this.#takeBack(error, items),
      soon: (run) => (this.#begun ? void begun.then(run) : parts.soon(run)),
    })
    const between: Meanwhile['between'] = (run) => this.#group.between(run)
    const tell = (sentence: string) => this.#tell(sentence)
    this.#folds = new Folds({
      files: this.#files,
      leftovers: this.#leftovers,
      state: () => this.#state(),
      flushed: () => this.#flushed,
      pending: () => this.pending,
      between,
      failed: (error) => tell(`the journal could not be folded: ${messageOf(error)}; it grows on`),
    })
    this.#watch = new Watch({
      files: this.#files,
      folds: this.#folds,
      lock: parts.lock,
      later: parts.later,
      between,
      tell,
      mended: () => {
        for (const line of this.#lines.all) line.resume()
      },
    })
  }

  /** A line is kept from here on; one that is new has never been, should its first entries not be kept. */
  opened(line: Timeline, isNew: boolean): void {
    const takeBack = this.#lines.add(line)
    if (isNew) this.alongside(takeBack)
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
  async putAside(line: Timeline, leave: () => (() => void) | undefined): Promise<boolean> {
    if (this.isHeld || this.#leftovers.isSource(line.id)) return false
    // Until it has left: a fold removes no file that has just been written.
    const went = await this.#leftovers.alone(line.id, () => this.#putAside(line, leave))
    return went ?? false
  }

  async #putAside(line: Timeline, leave: () => (() => void) | undefined): Promise<boolean> {
    const { id, world } = line
    const { seq } = world
    await this.#parts.aside.put(id, this.#taken, storedWorld(line), this.pending)
    const isSame = line.world === world && world.seq === seq
    if (!isSame || this.isHeld || this.#lines.of(id) !== line) return false
    const comeBack = leave()
    if (!comeBack) return false
    this.alongside(comeBack)
    this.#forget(id, 'aside')
    return true
  }

  /** A world that was put aside, to go on with; undefined when there is none of this id. */
  findAside(id: string, base: World): FoundWorld | undefined {
    if (this.#leftovers.isDeleted(id)) return undefined
    const found = this.#fromAside(id, base)
    return found && { ...found, journal: new MemoryJournal(found.seq) }
  }

  #fromAside(id: string, base: World): Reopened | undefined {
    try {
      return this.#parts.aside.find(id, base)?.world
    } catch (error) {
      // Whoever removed one that only cannot be read now would lose its world.
      if (!(error instanceof DataError) || error instanceof Unreadable) throw error
      throw new DataError(
        `${error.message}; mend the file, or remove it to let its world begin anew`,
      )
    }
  }

  entry(line: KeptLine, entry: Entry, step: Step): void {
    if (this.#lines.isDeleted(line)) {
      this.alongside(() => line.unmake(step))
      return
    }
    this.#add({ line, entry, step })
    if (entry.command === 'world.fork') this.#leftovers.forkedFrom(sourceOf(entry), this.#taken)
  }

  together<V>(act: () => V): V {
    this.#whole = {}
    try {
      return act()
    } finally {
      this.#whole = undefined
    }
  }

  alongside(takeBack: () => void): void {
    this.#group.add({ takeBack })
  }

  readonly assertOpen = (undone?: string): void => {
    if (this.isHeld) throw this.#refusal(undone)
  }

  assertGoesOn(line: KeptLine): void {
    this.assertOpen()
    if (this.#lines.hasNeverBeen(line)) throw new NotKept(NEVER_OPENED)
  }

  get isHeld(): boolean {
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
  async begin({ seed, isDrawn, base, isNew, lines, lastFold }: StoreStart): Promise<void> {
    const { now, seq, tables } = base
    const drawn = isDrawn ? { drawn: isDrawn } : {}
    this.#base = {
      seed,
      ...drawn,
      stored: { now: isoTime(now), seq, tables: rowsOf(tables).tables },
    }
    if (!isNew) this.#folds.goOn()
    this.#started = lines
    this.#taken += lines
    try {
      if (lastFold) await this.#files.goOn(lastFold)
      if (!lastFold?.journal) await this.#folds.now()
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
    await this.#folds.ended()
    const areGone = await this.#files.areGone().catch(() => false)
    try {
      await this.#watch.renewLock()
      await this.#files.cutBack()
      if (this.#folds.isDue || areGone) await this.#folds.now()
    } catch (error) {
      const why = this.#watch.isLost ? messageOf(error) : messageOf(error) + this.#rest(areGone)
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

  #forget(world: string, is: NonNullable<Line['is']>): void {
    const comeBack = this.#lines.remove(world, is)
    this.#files.forget(world)
    if (comeBack) this.alongside(comeBack)
    this.#add({ world, is })
    this.alongside(this.#leftovers.left(world, is, this.#taken))
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
          ? entryLine(item.line.id, item.entry, item.more)
          : noteLine(item.world, item.is)
      lines++
      if (text.length < PIECE) continue
      await journal.write(text)
      text = ''
    }
    await journal.flush(text, lines)
    for (const item of items) if ('line' in item) item.line.kept(item.entry.seq)
    const { foldAt = SMALLEST_JOURNAL } = this.#parts
    if (journal.size > Math.max(foldAt, snapshotSize) && !this.isHeld) this.#folds.soon()
  }

  /** What could not be written has never been: it is taken back, the newest first. */
  #takeBack(error: unknown, items: readonly Item[]): Error {
    // From here on nothing is begun, such as putting a world aside that comes back on the way.
    this.#watch.failed(error)
    for (const item of items.toReversed()) {
      if ('takeBack' in item) item.takeBack()
      else if ('line' in item) item.line.unmake(item.step)
    }
    this.#taken = this.#flushed
    return this.#refusal()
  }

  #refusal(undone = 'the change was not made'): NotKept {
    return new NotKept(
      this.#isClosed
        ? 'the sandbox is closed'
        : `${undone}: ${this.#name} cannot be written (${this.#watch.failing}); retry when it can`,
    )
  }

  #state(): StoredState {
    if (!this.#base) throw new DataError('a store that has not begun')
    const worlds = this.#lines.all.map((line) => [line.id, storedWorld(line)] as const)
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

const sourceOf = ({ input }: Entry): string => (input as Forking).from
