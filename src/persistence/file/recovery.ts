import { openWorld, type World } from '../../domain/world.js'
import { MemoryJournal } from '../../journal/memory-journal.js'
import type { Snapshot } from '../../journal/snapshots.js'
import { DataError } from '../errors.js'
import { damage, type JournalText } from './read-journal.js'
import { ReplayState } from './replay.js'
import {
  type Reopened,
  reopenWorld,
  type StoredBase,
  type StoredState,
  tablesFrom,
} from './state.js'
import type { WalHeader, WalRecord } from './wal-records.js'
import type { WorldArchiveFolder } from './world-archive.js'

/** A world as it was when the files were last written, and what of its entries they still tell. */
export interface FoundWorld extends Reopened {
  readonly journal: MemoryJournal
}

export interface RecoveredState {
  readonly seed: string
  /** Whether nobody has asked for that seed. */
  readonly isDrawn: boolean
  readonly base: World
  readonly worlds: ReadonlyMap<string, FoundWorld>
  /** How many lines there have ever been. */
  readonly lines: number
  /** Worlds that were deleted, and whose files still lie aside. */
  readonly leftovers: readonly string[]
  /** Whether a fork was made of a world whose file has to stay as it is while this is read from the journal. */
  readonly isForked: boolean
}

/** A journal, as it is to be read with a snapshot. */
export interface WalInput {
  readonly text: JournalText | undefined
  readonly name: string
  /** Whether the snapshot is the very one that it names, or the one that was to take its place, unedited. */
  readonly fits: boolean
  /** The header of a journal that was to take its place. */
  readonly next: WalHeader | undefined
}

/** Rebuilds all worlds: as they are in the snapshot, then line by line. */
export const recoverWorlds = (
  state: StoredState,
  { text: journal, name: journalName, fits, next }: WalInput,
  aside: WorldArchiveFolder,
): RecoveredState => {
  const base = baseFrom(state.base)
  const worlds = new RecoveringWorlds(base, aside)
  for (const [id, stored] of Object.entries(state.worlds)) {
    worlds.open(id, reopenWorld(stored, base.tables))
  }
  const { after = 0, line: held, seed, leftovers = [] } = journal?.header ?? {}
  // What was brought back from elsewhere may have brought their files along.
  if (fits) for (const id of leftovers) worlds.leftovers.add(id)
  if (!journal || journal.count === 0) return { ...rebuilt(state, base, worlds), lines: state.line }
  if (after > state.line) throw new DataError(wrongSnapshot(journalName, 'a later'))
  // One that was edited after a crash keeps its seed: what has come since is laid over the edit.
  const isEdited = seed === state.seed && isSameLine(state.line, held, next?.line)
  if (!fits && !isEdited) throw new DataError(wrongSnapshot(journalName, 'another'))
  let number = after
  for (const { walRecord, place } of journal.lines) {
    number++
    if (walRecord.is) worlds.leave(walRecord.world, walRecord.is)
    // A crash between two renames leaves lines that the snapshot holds already.
    const wrong = number > state.line ? worlds.take(walRecord, number) : undefined
    if (wrong) throw damage(journalName, place, wrong)
  }
  return { ...rebuilt(state, base, worlds), lines: Math.max(state.line, number) }
}

/** Whether a snapshot holds as many lines as one of those that this journal, or the next, goes on from. */
const isSameLine = (line: number, held: number | undefined, next: number | undefined): boolean =>
  held === undefined || line === held || line === next

const rebuilt = ({ seed, drawn }: StoredState, base: World, worlds: RecoveringWorlds) => ({
  seed,
  isDrawn: drawn ?? false,
  base,
  worlds: worlds.found(),
  leftovers: worlds.filesLeft,
  isForked: worlds.isForked,
})

/** What all worlds lie upon, as a file holds it. */
export const baseFrom = ({ now, seq, tables }: StoredBase): World =>
  openWorld(
    { tables: tablesFrom({ tables }), seed: 'fixtures', now: Date.parse(now), seq, count: seq },
    { evaluateRules: () => undefined, record: () => {} },
  )

const wrongSnapshot = (journalName: string, which: 'a later' | 'another'): string =>
  `${journalName}: it goes on from ${which} snapshot than the one that is there; bring that back, or remove ` +
  'the journal to go on without its changes; nothing was changed'

const withoutFile = (name: string): string =>
  `it goes on from ${name}, which is not there; bring that back, or remove the journal to go on without ` +
  'its changes'

interface RecoveringWorld {
  readonly redo: ReplayState
  readonly journal: MemoryJournal
  /** How many lines are in it already. */
  readonly line: number
}

/** The worlds on their way through the journal. */
class RecoveringWorlds {
  readonly leftovers = new Set<string>()
  readonly #deleted = new Set<string>()
  isForked = false
  readonly #base: World
  readonly #aside: WorldArchiveFolder
  readonly #all = new Map<string, RecoveringWorld>()

  constructor(base: World, aside: WorldArchiveFolder) {
    this.#base = base
    this.#aside = aside
  }

  open(id: string, from: Reopened | undefined, line = 0): RecoveringWorld {
    const redo = new ReplayState(this.#base, from, (world, name) => this.#snapshot(world, name))
    const opened = { redo, journal: new MemoryJournal(redo.seq), line }
    this.#all.set(id, opened)
    return opened
  }

  /** A world left memory: what lies aside of it is its own, or what is left of it. */
  leave(id: string, is: 'deleted' | 'aside'): void {
    if (is === 'deleted') this.leftovers.add(id)
    else this.leftovers.delete(id)
  }

  /** Answers in words what is wrong with a line. */
  take({ world, entry, is }: WalRecord, number: number): string | undefined {
    if (!entry) {
      this.#all.delete(world)
      if (is === 'deleted') this.#deleted.add(world)
      return undefined
    }
    const isFirst = entry.seq === this.#base.seq + 1
    // A request that was still at a world when that was deleted.
    if (!isFirst && this.#deleted.has(world)) return undefined
    const found = this.#all.get(world) ?? (isFirst ? undefined : this.#fromAside(world))
    if (!found && !isFirst) return withoutFile(this.#aside.nameOf(world))
    const { redo, journal, line } = found ?? this.open(world, undefined)
    if (number <= line) return undefined
    this.#deleted.delete(world)
    this.isForked ||= entry.command === 'world.fork'
    const wrong = redo.take(entry)
    if (wrong === undefined) journal.add(entry)
    return wrong
  }

  get filesLeft(): string[] {
    return [...this.leftovers].filter((id) => this.#aside.ids.has(id))
  }

  found(): Map<string, FoundWorld> {
    const found = new Map<string, FoundWorld>()
    for (const [id, { redo, journal }] of this.#all) found.set(id, { ...redo.state, journal })
    return found
  }

  #fromAside(id: string): RecoveringWorld | undefined {
    const found = this.#aside.find(id, this.#base)
    return found && this.open(id, found.world, found.line)
  }

  #snapshot(world: string, name: string): Snapshot | undefined {
    return (this.#all.get(world) ?? this.#fromAside(world))?.redo.snapshots.get(name)
  }
}
