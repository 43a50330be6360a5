import { dirname } from 'node:path'
import { Low } from 'lowdb'
import { DataError } from './data-error.js'
import type { Disk } from './disk.js'
import { JournalFile } from './journal-file.js'
import { FORMAT, type StoredState } from './state.js'
import { StateFile } from './state-file.js'

/** Files that fit one another, so that writing can go on behind what is there. */
export interface Standing {
  readonly journal: JournalFile
  /** How many lines the snapshot holds. */
  readonly folded: number
  readonly snapshotSize: number
}

/** How a fold goes along with what is written meanwhile. */
export interface Meanwhile {
  /** Settles once the lines are written that the state holds already; nothing when they are. */
  readonly written: Promise<void> | undefined
  /** Runs something while no line is being written. */
  readonly between: (run: () => Promise<void>) => Promise<void>
}

export const journalPath = (path: string): string => `${path}.journal`

/** Rounds in which a new journal takes over what has come, before the last, which others wait for. */
const ROUNDS = 3

/** The snapshot and its journal, and how the journal is folded into a new one. */
export class Files {
  journal: JournalFile | undefined
  /** How many lines the snapshot holds. */
  folded = 0
  snapshotSize = 0
  readonly #disk: Disk
  readonly #path: string
  readonly #file: StateFile
  readonly #db: Low<StoredState>
  #identity: string | undefined

  constructor(disk: Disk, path: string, name: string) {
    this.#disk = disk
    this.#path = path
    this.#file = new StateFile(disk, path, name)
    this.#db = new Low<StoredState>(this.#file, EMPTY)
  }

  /** Goes on behind what is there. */
  async goOn({ journal, folded, snapshotSize }: Standing): Promise<void> {
    this.journal = journal
    this.folded = folded
    this.snapshotSize = snapshotSize
    this.#identity = await this.#disk.identityOf(this.#path)
  }

  /** Whether somebody has removed or replaced one of them. */
  async areGone(): Promise<boolean> {
    const state = await this.#disk.identityOf(this.#path)
    const journal = await this.#disk.identityOf(journalPath(this.#path))
    return state !== this.#identity || journal !== this.journal?.identity
  }

  /**
   * Writes a state, then a journal with only what has come since `after` lines. Whatever a crash leaves
   * of this fits together: the new snapshot knows how many lines of the old journal it holds.
   */
  async fold(state: StoredState, after: number, { written, between }: Meanwhile): Promise<void> {
    const old = this.journal
    old?.remember()
    this.#db.data = state
    this.#file.mayReplace = async () => written
    try {
      await this.#db.write()
      this.#identity = await this.#disk.identityOf(this.#path)
      await this.#replaceJournal(old, after, between)
      this.folded = state.line
      this.snapshotSize = this.#file.print?.size ?? 0
    } finally {
      this.#db.data = EMPTY
      old?.forget()
    }
    await old?.close()
  }

  async #replaceJournal(
    old: JournalFile | undefined,
    after: number,
    between: Meanwhile['between'],
  ): Promise<void> {
    const snapshot = this.#file.print
    if (!snapshot) throw new DataError('a journal without its snapshot')
    const path = journalPath(this.#path)
    const next = await JournalFile.create(this.#disk, `${path}.new`, {
      format: FORMAT,
      after,
      snapshot,
    })
    const swap = async () => {
      await next.take(old?.remembered() ?? [], old?.lines ?? after)
      await this.#disk.rename(`${path}.new`, path)
      await this.#disk.flushFolder(dirname(path))
      this.journal = next
    }
    try {
      // What has come since is much after a long fold: most of it is taken over while more comes.
      for (let round = 0; round < ROUNDS; round++) {
        await next.take(old?.remembered() ?? [], next.lines)
      }
      await (old ? between(swap) : swap())
    } catch (error) {
      await next.close()
      await this.#disk.remove(`${path}.new`).catch(() => {})
      throw error
    }
  }

  async close(): Promise<void> {
    await this.journal?.close().catch(() => {})
  }
}

const EMPTY: StoredState = {
  format: FORMAT,
  line: 0,
  seed: '',
  base: { now: '', seq: 0, tables: {} },
  worlds: {},
}
