import { basename, dirname } from 'node:path'
import { Low } from 'lowdb'
import type { World } from '../../domain/world.js'
import type { Entry } from '../../kernel/entry.js'
import { DataError, UNCHANGED } from '../errors.js'
import type { Origin, WholeWorld } from '../port.js'
import { ReplayState } from '../replay.js'
import { restoreBase, restoreWorld, type StoredWorld } from '../stored-world.js'
import {
  checksum,
  damage,
  formatHeader,
  type LogContent,
  type LogEnd,
  type LogRecord,
  parseLog,
} from './log-lines.js'
import { logNumber, logPath } from './paths.js'
import type { SnapshotFile, StoredState } from './snapshot-file.js'

export interface Recovered {
  readonly origin: Origin
  readonly worlds: Map<string, RecoveredEntries>
  /** The newest commit: the next log follows it. */
  readonly end: LogEnd
  /** Sizes of the logs that the snapshot lacks, by number, with what a crash left behind their ends. */
  readonly logs: Map<number, number>
  /** Numbers of those that are not empty, but hold no commit that was answered. */
  readonly unread: ReadonlySet<number>
  /** Numbers of logs that the snapshot contains. */
  readonly spent: readonly number[]
}

/** A world, and its entries since the snapshot. */
export type RecoveredEntries = Pick<WholeWorld, 'world' | 'entries' | 'created_at'>

/**
 * Reads the snapshot, and replays the logs that it lacks over it. Changes no file. `until` ends the newest log, whose
 * end may be followed by commits that were refused.
 */
export const recover = async (
  snapshot: SnapshotFile,
  warn: (sentence: string) => void,
  until?: LogEnd,
): Promise<Recovered | undefined> => {
  const { path, fs } = snapshot
  const name = basename(path)
  const database = new Low<StoredState | null>(snapshot, null)
  await database.read()
  const names = await fs.list(dirname(path))
  const numbers = names.flatMap((it) => logNumber(path, it) ?? []).sort((a, b) => a - b)
  const { data: state } = database
  if (!state) {
    if (numbers.length === 0) return undefined
    const problem = `its snapshot ${name} is missing. Restore it, or remove all journals to start again`
    throw refuse(path, numbers[0], problem)
  }
  const { contents, ...logs } = await readLogs(snapshot, numbers, state.contains, until, warn)
  const base = restoreBase(state.base)
  const worlds = replay(state, base, contents)
  for (const { name, torn } of contents) if (torn > 0) warn(incompleteEnd(name, torn))
  const origin = { seed: state.seed, isDrawn: state.drawn ?? false, base }
  return { origin, worlds, end: contents.at(-1)?.end ?? state.contains, ...logs }
}

/**
 * Reads the logs after the snapshot. Each names the end of the one before it, so none is missing or another one. A log
 * that no later one follows was begun by a process that lost the files before it acknowledged anything.
 */
const readLogs = async (
  snapshot: SnapshotFile,
  numbers: readonly number[],
  contains: LogEnd,
  until: LogEnd | undefined,
  warn: (sentence: string) => void,
): Promise<
  Pick<Recovered, 'logs' | 'spent' | 'unread'> & { readonly contents: readonly LogContent[] }
> => {
  const isContained = (number: number) => number <= contains.log
  const spent = numbers.filter(isContained)
  if (spent.length > 0) await assertContained(snapshot, contains, spent[0])
  const { path } = snapshot
  const contents: LogContent[] = []
  const unread = new Set<number>()
  const unfinished: { number: number; length: number }[] = []
  const logs = new Map<number, number>()
  let known = until
  for (const number of numbers.filter((it) => !isContained(it)).reverse()) {
    const bytes = await readLog(snapshot, number)
    logs.set(number, bytes.length)
    const isSkipped = known && number > known.log
    const log = isSkipped ? undefined : parseLog(bytes, basename(logPath(path, number)), known)
    if (!log) {
      if (bytes.length > 0) unread.add(number)
      if (!isSkipped) unfinished.push({ number, length: bytes.length })
      continue
    }
    assertFollowed(path, number, log, known)
    contents.unshift(log)
    known = log.follows
  }
  assertNeverBegun(path, unfinished, contents.at(-1) ?? { end: contains }, warn)
  const [first] = contents
  if (first && !isSameEnd(first.follows, contains)) throw refuse(path, first.end.log, OTHER)
  return { contents, logs, spent, unread }
}

/** Throws unless the log has its number, which is the one that the next log names. */
const assertFollowed = (path: string, number: number, { end }: LogContent, known?: LogEnd) => {
  if (end.log !== number || (known && known.log !== number)) throw refuse(path, number, OTHER)
}

const readLog = async ({ path, fs }: SnapshotFile, number: number): Promise<Buffer> =>
  (await fs.read(logPath(path, number))) ?? Buffer.alloc(0)

const assertContained = async (
  snapshot: SnapshotFile,
  { log, size, crc }: LogEnd,
  spent?: number,
) => {
  const bytes = (await readLog(snapshot, log)).subarray(0, size)
  if (checksum(bytes) !== crc) throw refuse(snapshot.path, spent, OTHER)
}

/** A process creates a log and writes its first line. A crash may come between, and cut the end of the log before too. */
const assertNeverBegun = (
  path: string,
  unfinished: readonly { readonly number: number; readonly length: number }[],
  { end }: Pick<LogContent, 'end'>,
  warn: (sentence: string) => void,
): void => {
  for (const { number, length } of unfinished) {
    const name = basename(logPath(path, number))
    if (length >= formatHeader(number, end).length)
      throw damage(name, 1, `none of its ${length} bytes can be read, and they may hold changes`)
    warn(`${name}: it has ${length} bytes of its first line, so it counts as never begun`)
  }
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

/** The place of a commit, for messages. */
interface Line {
  readonly name: string
  readonly place: number
  readonly record: LogRecord
}

const replay = (
  { worlds: stored }: StoredState,
  base: World,
  logs: readonly LogContent[],
): Map<string, RecoveredEntries> => {
  const lines = new Map(Object.keys(stored).map((id): [string, Line[]] => [id, []]))
  const ended = new Set<string>()
  for (const { name, records } of logs) {
    for (const [i, record] of records.entries()) {
      const { world, ends } = record
      if (ends) {
        // Its earlier lines do not matter: the snapshot may have a world of the same key that began since.
        lines.delete(world)
        ended.add(world)
        continue
      }
      const own = lines.get(world) ?? []
      // The header is line 1.
      own.push({ name, place: i + 2, record })
      lines.set(world, own)
    }
  }
  const read = ([id, own]: [string, readonly Line[]]): [string, RecoveredEntries] => {
    return [id, replayWorld(base, ended.has(id) ? undefined : stored[id], own)]
  }
  return new Map([...lines].map(read))
}

const replayWorld = (
  base: World,
  stored: StoredWorld | undefined,
  lines: readonly Line[],
): RecoveredEntries => {
  const state = new ReplayState(base, restoreWorld(stored, base))
  const entries: Entry[] = []
  for (const { name, place, record } of lines) {
    for (const entry of record.entries) {
      // The snapshot may have it already: worlds went on while it was written.
      if (entry.seq <= state.seq) continue
      const applied = state.apply(entry, record.origin)
      if (typeof applied === 'string') throw damage(name, place, applied)
      entries.push(entry)
    }
  }
  const created_at = stored ? stored.created_at : lines[0]?.record.created_at
  return { world: state.state, entries, created_at }
}
