import type { World } from '../domain/world.js'
import type { RequestStore, StoredExchange } from '../history/request-log.js'
import type { CommandRecord } from '../kernel/command-record.js'
import type { Cause, Entry } from '../kernel/entry.js'
import type { Schedule } from '../lib/machine-clock.js'
import type { Snapshot } from './snapshots.js'
import type { RecoveredWorld, StoredLayer, StoredWorld } from './stored-world.js'

/** Of the process that opens a log. */
export interface LogHost {
  readonly schedule: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
}

/** Stores worlds beyond the process. `test/persistence/contract.test.ts` holds what all logs promise. */
export interface WorldLog {
  /** Other processes append too: a world is asked for its news before each use. */
  readonly isShared: boolean
  /** For messages that anybody may read. */
  readonly name: string
  /** The log's time less this machine's, in milliseconds. */
  readonly clockOffset?: number
  /** Seed and base of all worlds; undefined until a new log has begun. */
  readonly origin: Origin | undefined
  /** Starts to accept commits. The first proposal wins and is returned. `source` returns the worlds in memory. */
  begin(proposal: Origin, source: CompactionSource): Promise<Origin>
  /** Ids of the worlds that a start loads into memory. */
  list(): readonly string[]
  /**
   * Reads what follows the known head of a world; without one, or if it is no longer in the list, the world from its
   * newest checkpoint, or from its beginning (`whole`). Undefined if the log has no such world.
   */
  catchUp(id: string, known?: Head, how?: 'whole'): Promise<CaughtUp | undefined>
  /** Appends each commit whose `head` is still the world's newest; one result per commit, in order. */
  append(commits: readonly Commit[]): Promise<readonly AppendResult[]>
  /**
   * Stores a world as it is at a head, so that less has to be read. Nothing depends on it. Entries before `neededFrom` may
   * be forgotten.
   */
  compact(id: string, head: Head, world: StoredWorld, neededFrom?: number): Promise<void>
  /** Of a shared log: it has more worlds than those in memory. */
  readonly index?: WorldIndex | undefined
  /** Of a shared log. */
  readonly requests?: RequestStore | undefined
  /** How many characters of JSON the copies in memory may be read from. */
  readonly room?: number
  /** False after a failed write, until the log can write again. */
  readonly isWritable: boolean
  readonly health: LogHealth
  /** Rejects if the log cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A partner with worlds of its own. */
export interface Tenant {
  readonly name: string
  readonly prefix_hash: string
  readonly token_hash: string
  /** Verifies its sessions; null until it calls with its token. */
  session_key: string | null
  /** Null without a limit. */
  readonly max_worlds: number | null
  readonly rate: string | null
  /** How many there are. */
  worlds: number
  /** The size of all of them, to 64 KiB of each. */
  bytes: number
  readonly created_at: Date
}

/** Finds stored worlds without reading them. */
export interface WorldIndex {
  /** All but removed ones, by name. */
  listTenants(): Promise<readonly Tenant[]>
  /** Stores the key of a tenant that has none. Its failure costs a sign-in. */
  keepSessionKey(tenant: string, key: string): void
  /** The world in which a key was created. It may have lost the key since. */
  worldOfKey(hash: string): Promise<string | undefined>
  /** One page of all worlds, most recently used first. */
  listWorlds(query: WorldQuery): Promise<WorldPage>
  /** Suspects that changed since they were judged: the next ones by id. */
  listUnjudged(after: string, tenants?: readonly string[]): Promise<readonly string[]>
  keepVerdicts(verdicts: readonly Verdict[]): Promise<void>
  /** A world that nobody uses for long is deleted. */
  noteUse(id: string): void
  /** A use is noted at most this late. */
  readonly noteDelay_ms: number
}

export interface WorldQuery {
  /** From 0. */
  readonly page: number
  readonly size: number
  /** In lower case: a part of what `describeWorld` returns. */
  readonly text?: string | undefined
  /** Only worlds with this label. */
  readonly name?: string | undefined
  /** Only the worlds of these tenants. */
  readonly tenants?: readonly string[] | undefined
  /** Only worlds that were judged to have a problem; of a shared log. */
  readonly problems?: boolean | undefined
}

export interface WorldPage {
  readonly worlds: readonly ListedWorld[]
  /** On all pages, without the filter `problems`. */
  readonly total: number
  /** How many of them have a problem; of a shared log. */
  readonly with_problems?: number
}

/** Whether a world has a problem, as of its newest commit and exchange. */
export interface Verdict {
  readonly id: string
  readonly head: Head
  readonly exchange: StoredExchange | undefined
  readonly hasProblem: boolean
}

export interface ListedWorld {
  readonly id: string
  /** Of its key; null for the default world. */
  readonly last_four: string | null
  /** Its label. */
  readonly name: string | null
  readonly tenant?: string | undefined
  readonly used_at: number
}

export interface Origin {
  readonly seed: string
  /** True if the seed was generated: then a reset of the default world generates another one. */
  readonly isDrawn: boolean
  readonly base: World
}

/** The newest commit of a world, as the log returned it. Other logs add what they need. */
export interface Head {
  /** Number of its last entry. */
  readonly seq: number
  /** Of a shared log, in characters of JSON: what the copy in memory was read from. */
  readonly held?: number
}

export interface CaughtUp {
  readonly head: Head
  /** Undefined if `commits` follow the known head. */
  readonly world?: RecoveredWorld
  /** The owner of `world`. */
  readonly tenant?: string | undefined
  /** When `world` began; unknown if an earlier build stored it. */
  readonly created_at?: string | undefined
  /** The newest entries of `world`, as far as the log still has them. */
  readonly entries: readonly Entry[]
  /** Commits that follow `world`, or the known head, oldest first. */
  readonly commits: readonly StoredCommit[]
}

/** A world that was read without a known head. */
export interface WholeWorld extends CaughtUp {
  readonly world: RecoveredWorld
  readonly isPartial: boolean
}

export type StoredCommit = Pick<Commit, 'entries' | 'origin' | 'acts'>

/** An act of a user that its entries do not show: an advance fires timers before it sets the clock. */
export interface Act {
  /** Number of its first entry. */
  readonly seq: number
  readonly cause: Cause
}

/** Entries of a world, stored as a whole or not at all. */
export interface Commit {
  readonly id: string
  /** Undefined if the world begins with this commit. */
  readonly head: Head | undefined
  readonly entries: readonly Entry[]
  /** The snapshot that a fork begins from: the source world may be gone when this is read. */
  readonly origin?: StoredLayer | undefined
  readonly acts?: readonly Act[] | undefined
  /** The owner of a world that begins. */
  readonly tenant?: string | undefined
  /** When a world begins, by the machine's time. */
  readonly created_at?: string | undefined
  /** The size of the world, if that is limited. */
  readonly bytes?: number | undefined
  /** The entries may make a problem. A lost answer may, too: `RequestStore` learns of it. */
  readonly isSuspect?: boolean | undefined
  /** The world is deleted. */
  readonly ends?: true | undefined
}

export type AppendResult =
  | SettledResult
  /** It is large, so the others do not wait for it. */
  | { readonly is: 'apart'; readonly result: Promise<SettledResult> }

export type SettledResult =
  /** `isLong`: a checkpoint would make the world quicker to read. */
  | { readonly is: 'appended'; readonly head: Head | undefined; readonly isLong?: boolean }
  /** The world has a newer head. */
  | { readonly is: 'behind' }
  /** Nothing was stored. */
  | { readonly is: 'failed' }
  /** The log could not be asked whether it was stored. */
  | { readonly is: 'unknown' }

export interface CompactionSource {
  readonly worlds: () => WorldsToStore
  /** Commits are accepted again after a failure. */
  readonly onWritable: () => void
}

/** The worlds in memory, by id. Each is taken when it is read; a world that is gone by then is undefined. */
export interface WorldsToStore {
  readonly worlds: Readonly<Record<string, StoredWorld | undefined>>
  /** Resolves once all that the worlds held when they were taken is stored. */
  persisted(): Promise<unknown>
}

export interface LogHealth {
  readonly kind: 'file' | 'postgres'
  /** The path; of a file. */
  readonly file?: string
  readonly status: 'ok' | 'failing'
  readonly error: string | null
  readonly journal_bytes?: number
  /** Of a shared log, since the start: commits sent, those that others preceded, those of unknown outcome. */
  readonly counts?: Readonly<Record<'attempts' | 'reruns' | 'unknown' | 'checkpoints', number>>
}

/**
 * A copy shows what the log has (`fresh`), less (`behind`: others stored something first), or what was not stored
 * (`unknown`: it is read again as a whole). Copies that are `deleted` or `gone` (never stored, or out of memory) have ended,
 * and requests may still hold them.
 */
export type Standing = 'fresh' | 'behind' | 'unknown' | 'deleted' | 'gone'

/** A world in memory, as persistence knows it. */
export interface StoredCopy {
  readonly id: string
  /** `Commits` moves these three. */
  standing: Standing
  /** Its newest stored commit. */
  head: Head | undefined
  /** It was read from a checkpoint, so it lacks older entries. */
  isPartial: boolean
  readonly tenant?: string | undefined
  readonly created_at: string
  readonly world: World
  /** The snapshot that it was forked from. */
  readonly origin?: World | undefined
  readonly budget?: { readonly bytes: number } | undefined
  snapshots(): readonly Snapshot[]
  /** Whether an entry may make a problem. */
  isSuspect(record: CommandRecord): boolean
  /** The oldest entry that journal and undo history need; undefined if unknown. */
  neededFrom(): number | undefined
  /** Entries up to this number are stored, so readers may see them. */
  onPersisted(seq: number): void
  /** Undoes the newest entry, number included. */
  rollbackLatest(record: CommandRecord): void
  /** Timers waited while nothing could be stored. */
  resumeTimers(): void
  /** Applies what the log holds beyond this copy, or replaces the copy. */
  follow(found: CaughtUp): void
}
