import { basename, dirname } from 'node:path'
import { Low } from 'lowdb'
import type { World } from '../../domain/world.js'
import type { Entry } from '../../kernel/entry.js'
import { DataError, UNCHANGED } from '../errors.js'
import type { Origin } from '../port.js'
import { ReplayState } from '../replay.js'
import { type RecoveredWorld, restoreBase, restoreWorld } from '../stored-world.js'
import type { FileSystem } from './file-system.js'
import {
  checksum,
  damage,
  type LogContent,
  type LogEnd,
  type LogRecord,
  parseLog,
} from './log-lines.js'
import { logNumber, logPath } from './paths.js'
import { SnapshotFile, type StoredState } from './snapshot-file.js'
import { validateShapes, validateWorlds } from './validate.js'

export interface Recovered {
  readonly origin: Origin
  readonly worlds: ReadonlyMap<string, RecoveredEntries>
  /** The newest commit: the next log follows it. */
  readonly end: LogEnd
  /** Logs that the snapshot lacks, newest first. */
  readonly logs: readonly FoundLog[]
  /** Numbers of logs that the snapshot contains. */
  readonly spent: readonly number[]
  readonly snapshotSize: number
}

interface FoundLog {
  readonly number: number
  /** In bytes, with what a crash left behind its end. */
  readonly size: number
}

/** A world, and its entries since the snapshot. */
export interface RecoveredEntries {
  readonly world: RecoveredWorld
  readonly entries: readonly Entry[]
}

/**
 * Reads the snapshot, and replays the logs that it lacks over it. Changes no file. `until` ends the newest log, whose
 * end may be followed by commits that were refused.
 */
export const recover = async (
  path: string,
  fs: FileSystem,
  warn: (sentence: string) => void,
  until?: LogEnd,
): Promise<Recovered | undefined> => {
  const name = basename(path)
  const snapshot = new SnapshotFile(fs, path)
  const database = new Low<StoredState | null>(snapshot, null)
  await database.read()
  const numbers = await findLogs(path, fs)
  const { data: state } = database
  if (!state) {
    if (numbers.length === 0) return undefined
    const problem = `its snapshot ${name} is missing. Restore it, or remove all journals to start again`
    throw refuse(path, numbers[0], problem)
  }
  if (snapshot.isEdited) validateShapes(state, name)
  const { logs, found, spent } = await readLogs(path, fs, numbers, state.contains, until)
  const base = restoreBase(state.base)
  const replay = new Replay(state, base)
  replay.run(logs)
  if (snapshot.isEdited) {
    validateWorlds(replay.states, state, base, name)
    warn(
      `${name}: somebody changed it since it was written; its records and its money are consistent`,
    )
  }
  for (const { name, torn } of logs) if (torn > 0) warn(incompleteEnd(name, torn))
  return {
    origin: { seed: state.seed, isDrawn: state.drawn ?? false, base },
    worlds: replay.worlds,
    end: logs.at(-1)?.end ?? state.contains,
    logs: found,
    spent,
    snapshotSize: snapshot.size,
  }
}

/** Numbers of the logs beside the snapshot, oldest first. */
const findLogs = async (path: string, fs: FileSystem): Promise<number[]> => {
  const names = await fs.list(dirname(path))
  return names.flatMap((name) => logNumber(path, name) ?? []).sort((a, b) => a - b)
}

/**
 * Reads the logs after the snapshot. Each names the end of the one before it, so none is missing or another one. A log
 * that no later one follows was begun by a process that lost the files before it acknowledged anything.
 */
const readLogs = async (
  path: string,
  fs: FileSystem,
  numbers: readonly number[],
  contains: LogEnd,
  until: LogEnd | undefined,
): Promise<{ logs: LogContent[]; found: FoundLog[]; spent: number[] }> => {
  const read = async (number: number) => (await fs.read(logPath(path, number))) ?? Buffer.alloc(0)
  const isContained = (number: number) => number <= contains.log
  const spent = numbers.filter(isContained)
  if (spent.length > 0) {
    const bytes = (await read(contains.log)).subarray(0, contains.size)
    if (checksum(bytes) !== contains.crc) throw refuse(path, spent[0], OTHER)
  }
  const logs: LogContent[] = []
  const found: FoundLog[] = []
  let known = until
  for (const number of numbers.filter((it) => !isContained(it)).reverse()) {
    const bytes = await read(number)
    found.push({ number, size: bytes.length })
    if (known && number > known.log) continue
    const log = parseLog(bytes, basename(logPath(path, number)), known)
    // Its first line is not written yet, or a crash came before that.
    if (!log) continue
    if (log.end.log !== number || (known && known.log !== number)) throw refuse(path, number, OTHER)
    logs.unshift(log)
    known = log.follows
  }
  const [first] = logs
  if (first && !isSameEnd(first.follows, contains)) throw refuse(path, first.end.log, OTHER)
  return { logs, found, spent }
}

const isSameEnd = (one: LogEnd, other: LogEnd): boolean =>
  one.log === other.log && one.size === other.size && one.crc === other.crc

const OTHER =
  'it belongs to another snapshot, or a journal before it is missing. Restore what is missing, or remove all ' +
  'journals to go on without their changes'

const refuse = (path: string, number = 0, problem: string): DataError =>
  new DataError({ problem: `${basename(logPath(path, number))}: ${problem}`, hint: UNCHANGED })

const incompleteEnd = (name: string, bytes: number): string =>
  `${name}: a crash cut its end off; those ${bytes} bytes are dropped, nothing that was answered is in them`

interface ReplayedWorld {
  readonly replay: ReplayState
  readonly entries: Entry[]
}

class Replay {
  readonly #base: World
  readonly #worlds = new Map<string, ReplayedWorld>()

  constructor({ worlds }: StoredState, base: World) {
    this.#base = base
    for (const [id, stored] of Object.entries(worlds)) {
      if (stored) this.#add(id, restoreWorld(stored, base.tables))
    }
  }

  /** Records before the deletion of a world do not matter: it may have begun again since. */
  run(logs: readonly LogContent[]): void {
    // The header is line 1.
    const lines = logs.flatMap(({ name, records }) =>
      records.map((record, i) => ({ name, place: i + 2, record })),
    )
    const starts = new Map<string, number>()
    for (const [i, { record }] of lines.entries()) if (record.ends) starts.set(record.world, i)
    for (const id of starts.keys()) this.#worlds.delete(id)
    for (const [i, { name, place, record }] of lines.entries()) {
      if (i <= (starts.get(record.world) ?? -1)) continue
      const world = this.#worlds.get(record.world) ?? this.#add(record.world, undefined)
      const problem = apply(world, record)
      if (problem !== undefined) throw damage(name, place, problem)
    }
  }

  get states(): ReadonlyMap<string, RecoveredWorld> {
    return new Map([...this.#worlds].map(([id, { replay }]) => [id, replay.state]))
  }

  get worlds(): ReadonlyMap<string, RecoveredEntries> {
    const all = [...this.#worlds]
    return new Map(all.map(([id, { replay, entries }]) => [id, { world: replay.state, entries }]))
  }

  #add(id: string, from: RecoveredWorld | undefined): ReplayedWorld {
    const world = { replay: new ReplayState(this.#base, from), entries: [] }
    this.#worlds.set(id, world)
    return world
  }
}

/** The snapshot may have an entry already: worlds went on while it was written. */
const apply = (world: ReplayedWorld, { entries, origin }: LogRecord): string | undefined => {
  for (const entry of entries) {
    if (entry.seq <= world.replay.seq) continue
    const problem = world.replay.apply(entry, origin)
    if (problem !== undefined) return problem
    world.entries.push(entry)
  }
  return undefined
}
