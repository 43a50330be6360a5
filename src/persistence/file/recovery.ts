import { basename } from 'node:path'
import type { World } from '../../domain/world.js'
import type { Entry } from '../../kernel/entry.js'
import { DataError } from '../errors.js'
import type { Origin } from '../port.js'
import { ReplayState } from '../replay.js'
import { type RecoveredWorld, restoreBase, restoreWorld } from '../stored-world.js'
import type { EvictedWorlds } from './evicted-worlds.js'
import type { FileSystem } from './file-system.js'
import { walPath } from './paths.js'
import { parseState } from './state-file.js'
import type { StoredState, WalPrefix } from './stored-state.js'
import { validateShapes, validateWorlds } from './validate.js'
import {
  checksum,
  damage,
  isSameFile,
  parseWal,
  type StateId,
  type WalContent,
  type WalRecord,
} from './wal-records.js'

export interface Recovered {
  readonly origin: Origin
  readonly worlds: ReadonlyMap<string, RecoveredEntries>
  /** Worlds that the log deleted, whose files may still be there. */
  readonly deleted: readonly string[]
  readonly stateId: StateId
  /** The log that continues the state file; undefined if a new one is needed. */
  readonly wal: WalContent | undefined
  /** The commits of the log on disk. */
  readonly walPrefix: WalPrefix | undefined
}

/** A world, and its entries since the state file. */
export interface RecoveredEntries {
  readonly world: RecoveredWorld
  readonly entries: readonly Entry[]
}

/**
 * Reads the state file and replays the log over it. An entry that the state has already is skipped, so a
 * crash between the two renames of a compaction does no harm. Changes no file.
 */
export const recover = async (
  path: string,
  fs: FileSystem,
  evicted: EvictedWorlds,
  warn: (sentence: string) => void,
): Promise<Recovered | undefined> => {
  const [name, walName] = [basename(path), basename(walPath(path))]
  const walBytes = await fs.read(walPath(path))
  const wal = walBytes && parseWal(walBytes, walName)
  const bytes = await fs.read(path)
  if (!bytes) {
    if (wal && wal.records.length > 0) throw new DataError(missingState(walName, name))
    return undefined
  }
  const state = parseState(bytes, name)
  const print = { crc: checksum(bytes), size: bytes.length }
  const isUnedited = wal !== undefined && isSameFile(wal.header.snapshot, print)
  if (!isUnedited) validateShapes(state, name)
  const base = restoreBase(state.base)
  const replay = new Replay(state, base, evicted)
  if (wal && wal.records.length > 0) {
    const { snapshot } = wal.header
    if (snapshot.id !== state.id && !(state.previous && wal.hasPrefix(state.previous))) {
      throw new DataError(otherState(walName))
    }
    await replay.run(wal.records, walName)
  }
  if (!isUnedited) validateWorlds(replay.worlds(), state, base, name)
  if (wal && wal.torn > 0) warn(incompleteEnd(walName, wal.torn))
  return {
    origin: { seed: state.seed, isDrawn: state.drawn ?? false, base },
    worlds: replay.recovered(),
    deleted: replay.deleted,
    stateId: { id: state.id, ...print },
    wal: isUnedited && wal.header.snapshot.id === state.id ? wal : undefined,
    walPrefix: wal?.prefix,
  }
}

interface ReplayedWorld {
  readonly replay: ReplayState
  readonly entries: Entry[]
}

class Replay {
  readonly #base: World
  readonly #evicted: EvictedWorlds
  readonly #worlds = new Map<string, ReplayedWorld>()
  readonly #deleted = new Set<string>()

  constructor(state: StoredState, base: World, evicted: EvictedWorlds) {
    this.#base = base
    this.#evicted = evicted
    for (const [id, stored] of Object.entries(state.worlds)) {
      this.#add(id, restoreWorld(stored, base.tables))
    }
  }

  /** Records before the deletion of a world do not matter: it may have begun again since. */
  async run(records: readonly WalRecord[], name: string): Promise<void> {
    const starts = new Map<string, number>()
    for (const [i, { world, ends }] of records.entries()) if (ends) starts.set(world, i)
    for (const id of starts.keys()) {
      this.#worlds.delete(id)
      this.#deleted.add(id)
    }
    for (const [i, record] of records.entries()) {
      if (i <= (starts.get(record.world) ?? -1)) continue
      const world = this.#worlds.get(record.world) ?? (await this.#begin(record))
      const problem = world ? apply(world, record) : missingFile(this.#evicted.nameOf(record.world))
      // The header is line 1.
      if (problem !== undefined) throw damage(name, i + 2, problem)
    }
  }

  get deleted(): readonly string[] {
    return [...this.#deleted]
  }

  worlds(): Map<string, RecoveredWorld> {
    return new Map([...this.#worlds].map(([id, { replay }]) => [id, replay.state]))
  }

  recovered(): Map<string, RecoveredEntries> {
    return new Map(
      [...this.#worlds].map(([id, { replay, entries }]) => [id, { world: replay.state, entries }]),
    )
  }

  /** The world of the first record that names it; undefined if it was evicted and its file is missing. */
  async #begin({ world: id, entries }: WalRecord): Promise<ReplayedWorld | undefined> {
    if (entries[0]?.seq === this.#base.seq + 1) return this.#add(id, undefined)
    const stored = await this.#evicted.read(id)
    return stored && this.#add(id, restoreWorld(stored, this.#base.tables))
  }

  #add(id: string, from: RecoveredWorld | undefined): ReplayedWorld {
    const world: ReplayedWorld = { replay: new ReplayState(this.#base, from), entries: [] }
    this.#worlds.set(id, world)
    return world
  }
}

const apply = (world: ReplayedWorld, { entries, origin }: WalRecord): string | undefined => {
  for (const entry of entries) {
    if (entry.seq <= world.replay.seq) continue
    const problem = world.replay.apply(entry, origin)
    if (problem !== undefined) return problem
    world.entries.push(entry)
  }
  return undefined
}

const missingState = (walName: string, name: string): string =>
  `${walName}: its snapshot ${name} is missing. Restore it, or remove both to start again. Nothing was changed.`

const otherState = (walName: string): string =>
  `${walName}: it belongs to another snapshot. Restore that one, or remove the journal to continue ` +
  'without its changes. Nothing was changed.'

const missingFile = (name: string): string =>
  `it goes on from ${name}, which is not there; bring that back, or remove the journal to go on without ` +
  'its changes'

const incompleteEnd = (name: string, bytes: number): string =>
  `${name}: a crash cut its end off; those ${bytes} bytes are dropped, nothing that was answered is in them`
