import { dirname } from 'node:path'
import type { FileSystem } from './file-system.js'
import { writeSnapshot } from './snapshot.js'
import { FORMAT, type StoredState } from './state.js'
import { WalFile } from './wal-file.js'
import { type Fingerprint, isPrint, type WalHeader } from './wal-records.js'

/** The last fold, as the files hold it: what is written from here on goes behind it. */
export interface Checkpoint {
  readonly snapshot: Fingerprint
  /** How many lines had been folded when the journal began. */
  readonly folded: number
  /** The journal that goes on from it, and that can be written on; undefined when a new one is needed. */
  readonly journal: WalFile | undefined
  /** Whether a crash has left something behind its last whole line. */
  readonly isTorn: boolean
}

/** What a new journal tells of the one before. */
export type CompactionCoordination = Pick<WalHeader, 'after' | 'leftovers'>

/** How a fold goes along with what is written meanwhile. */
export interface CompactionInput {
  /** Settles once the lines are written that the state holds already; nothing when they are. */
  readonly written: Promise<void> | undefined
  /** Runs something while no line is being written. */
  readonly between: (run: () => Promise<void>) => Promise<void>
}

export const journalPath = (path: string): string => `${path}.journal`

/** Where a journal is begun that is to take the place of the one that is there. */
export const nextJournalPath = (path: string): string => `${journalPath(path)}.new`

/** Rounds in which a new journal takes over what has come, before the last, which others wait for. */
const ROUNDS = 3

/** The snapshot and its journal, and how the journal is folded into a new one. */
export class DataFiles {
  journal: WalFile | undefined
  /** How many lines had been folded when the journal began: those beyond are in it. */
  folded = 0
  snapshotSize = 0
  readonly #fs: FileSystem
  readonly #path: string
  /** Of the snapshot as it was last read or written. */
  #print: Fingerprint | undefined
  #identity: string | undefined

  constructor(fs: FileSystem, path: string) {
    this.#fs = fs
    this.#path = path
  }

  /** Goes on behind what is there. */
  async goOn({ journal, isTorn, folded, snapshot }: Checkpoint): Promise<void> {
    this.journal = journal
    if (isTorn) await journal?.cutTail()
    this.folded = folded
    this.snapshotSize = snapshot.size
    this.#print = snapshot
    this.#identity = (await this.#fs.stat(this.#path))?.identity
  }

  /** Whether somebody has removed or replaced one of them, or cut it off; a fold that has done so is nobody. */
  async areGone(): Promise<boolean> {
    const { journal } = this
    const state = await this.#fs.stat(this.#path)
    // What is flushed by now is a part of what is found afterwards.
    const { identity, size = 0 } = journal ?? {}
    const beside = await this.#fs.stat(journalPath(this.#path))
    const isAsLeft =
      state?.identity === this.#identity &&
      state?.size === this.#print?.size &&
      beside?.identity === identity &&
      (beside?.size ?? 0) >= size &&
      (await journal?.isWhole())
    return !isAsLeft && this.journal === journal
  }

  /**
   * Writes a state, then a journal with only what has come since `after` lines. Whatever a crash leaves
   * of this fits together: the new snapshot knows how many lines of the old journal it holds, and the new
   * journal, which is begun before, knows the new snapshot, and which files of deleted worlds are to go.
   */
  async fold(
    state: StoredState,
    { after, leftovers }: CompactionCoordination,
    { written, between }: CompactionInput,
  ): Promise<void> {
    const old = this.journal
    const before = this.#print
    let next: WalFile | undefined
    old?.remember()
    const beside = `${this.#path}.new`
    try {
      const snapshot = await writeSnapshot(this.#fs, beside, state)
      const { line, seed } = state
      next = await this.#beginJournal({
        format: FORMAT,
        after,
        line,
        seed,
        snapshot,
        before,
        leftovers,
      })
      await written
      await this.#fs.rename(beside, this.#path)
      // The file is there from now on, even if it does not outlast a loss of power yet.
      this.#print = snapshot
      await this.#fs.flushFolder(dirname(this.#path))
      await this.#replaceJournal(old, next, after, between)
    } catch (error) {
      await this.#fs.remove(beside).catch(() => {})
      if (this.journal !== next) await next?.close()
      if (!this.#isBetween) await this.#fs.remove(nextJournalPath(this.#path)).catch(() => {})
      throw error
    } finally {
      old?.forget()
      // Either may be in its place, and only the folder not be flushed.
      if (this.#print !== before) {
        this.#identity = (await this.#fs.stat(this.#path).catch(() => undefined))?.identity
      }
      if (this.journal !== old) await old?.close()
    }
  }

  /** Whether a fold has broken off between its two files: only the journal beside tells of the snapshot that is there. */
  get #isBetween(): boolean {
    const print = this.#print
    return print !== undefined && !(this.journal && isPrint(this.journal.snapshot, print))
  }

  async #beginJournal(header: WalHeader): Promise<WalFile> {
    const begun = `${journalPath(this.#path)}.begun`
    const next = await WalFile.create(this.#fs, begun, header)
    try {
      await next.take([], header.after)
      // One that is there may be all that tells of the snapshot: it is replaced by a whole one.
      await this.#fs.rename(begun, nextJournalPath(this.#path))
      await this.#fs.flushFolder(dirname(this.#path))
    } catch (error) {
      await next.close()
      throw error
    }
    return next
  }

  async #replaceJournal(
    old: WalFile | undefined,
    next: WalFile,
    after: number,
    between: CompactionInput['between'],
  ): Promise<void> {
    const swap = async () => {
      await next.take(old?.remembered() ?? [], old?.lines ?? after)
      await this.#fs.rename(nextJournalPath(this.#path), journalPath(this.#path))
      this.journal = next
      this.folded = after
      this.snapshotSize = next.snapshot.size
      await this.#fs.flushFolder(dirname(this.#path))
    }
    // What has come since is much after a long fold: most of it is taken over while more comes.
    for (let round = 0; round < ROUNDS; round++) {
      await next.take(old?.remembered() ?? [], next.lines)
    }
    await (old ? between(swap) : swap())
  }

  /** Cuts off what was refused, where that could not be done then. Where it cannot be now either, a fold leaves it out. */
  async cutBack(): Promise<void> {
    if (this.journal?.hasTail) await this.journal.cutTail().catch(() => {})
  }

  async close(): Promise<void> {
    await this.journal?.close().catch(() => {})
  }
}
