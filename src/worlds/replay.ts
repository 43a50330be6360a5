import type { Tables } from '../domain/schema.js'
import { copyTables, loadTables, type World, type WorldState } from '../domain/world.js'
import { CommandRecord } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { parseInstant } from '../kernel/time.js'
import type { Snapshot } from './snapshots.js'
import {
  copyToSnapshot,
  type RecoveredWorld,
  restoreState,
  type StoredLayer,
} from './stored-world.js'

/** Input of the commands that replace a world's state. */
interface ReplacingInput {
  readonly name: string
  readonly seed: string
  readonly count: number
  /** The entry that took the restored snapshot. */
  readonly after: number
  /** The snapshot that an undo of a reset or restore, or its redo, returns to. */
  readonly snapshot?: string
}

/**
 * Rebuilds a world from its entries. It applies their changes and runs no command, so that a later version
 * of this program restores exactly what an earlier one stored.
 */
export class ReplayState {
  #state: WorldState
  readonly #snapshots: Map<string, Snapshot>
  /** The snapshot that the newest one replaced: a restore of `before-restore` first takes that name again. */
  #replaced: Snapshot | undefined
  readonly #base: World

  constructor(base: World, from: RecoveredWorld) {
    this.#base = base
    this.#state = from
    this.#snapshots = new Map(from.snapshots)
  }

  get state(): RecoveredWorld {
    return { ...this.#state, snapshots: this.#snapshots }
  }

  get snapshots(): ReadonlyMap<string, Snapshot> {
    return this.#snapshots
  }

  /** Number of the newest entry. */
  get seq(): number {
    return this.#state.seq
  }

  /** Applies the next entry. Returns it as the kernel recorded it, for undo, or why it cannot be the next one. */
  apply(entry: Entry, origin?: StoredLayer): CommandRecord | string {
    const { seq, at, cause, command, events, changes, refused } = entry
    if (seq !== this.#state.seq + 1) {
      return `entry ${seq} cannot follow entry ${this.#state.seq} of that world`
    }
    const input: ReplacingInput = Object(entry.input)
    const next = refused ? this.#nextState() : this.#stateBefore(command, input, origin)
    if (typeof next === 'string') return next
    const before = this.#state
    const now = parseInstant(at)
    this.#state = { ...next, now, seq }
    const writes: Write[] = []
    for (const { table, id, record } of changes) {
      const rows = tableNamed(next.tables, table)
      if (!rows) return `no table is named ${table}`
      writes.push({ table, rows, id, record: record ?? undefined })
    }
    // An undo removes the newest records first, so that their numbers are free again.
    if (command === 'world.undo' || command === 'world.redo')
      writes.sort((a, b) => numberOf(b) - numberOf(a))
    const written = writes.flatMap(write)
    if (!refused) this.#updateSnapshots(command, input.name)
    const { count, now: previous } = before
    return new CommandRecord(
      seq,
      now,
      previous,
      count,
      cause,
      command,
      entry.input,
      events,
      written,
      refused,
    )
  }

  #nextState(): WorldState {
    return { ...this.#state, count: this.#state.count + 1 }
  }

  /** The state to which an entry's changes apply. */
  #stateBefore(
    command: string,
    { name, seed, count, after, snapshot }: ReplacingInput,
    origin: StoredLayer | undefined,
  ): WorldState | string {
    switch (command) {
      case 'world.begin': {
        const { tables, seq } = this.#base
        return { ...this.#state, tables: loadTables(tables), seed, count: seq + 1 }
      }
      case 'world.undo':
      case 'world.redo':
        return snapshot === undefined
          ? { ...this.#state, seed, count }
          : this.#stateOf(this.#snapshots.get(snapshot), snapshot, count)
      case 'snapshot.restore': {
        const isReplaced = this.#replaced?.seq === after
        return this.#stateOf(isReplaced ? this.#replaced : this.#snapshots.get(name), name, count)
      }
      case 'world.fork': {
        if (!origin)
          return `it does not contain the snapshot ${name} that the world was forked from`
        const { tables, seed } = restoreState(origin, this.#base.tables)
        return { ...this.#state, tables, seed, count }
      }
      default:
        return this.#nextState()
    }
  }

  #stateOf(snapshot: Snapshot | undefined, name: string, count: number): WorldState | string {
    if (!snapshot) return `no snapshot is named ${name}`
    const { tables, seed } = snapshot.world
    return { ...this.#state, tables: copyTables(tables), seed, count }
  }

  #updateSnapshots(command: string, name: string): void {
    if (command !== 'snapshot.take' && command !== 'snapshot.drop') return
    this.#replaced = this.#snapshots.get(name)
    this.#snapshots.delete(name)
    if (command === 'snapshot.take') this.#snapshots.set(name, copyToSnapshot(name, this.#state))
  }
}

interface Write {
  readonly table: string
  readonly rows: Table<Row>
  readonly id: string
  readonly record: Row | undefined
}

/** Writes a record. Returns the write as a list that `CommandRecord` takes. */
const write = ({ table, rows, id, record }: Write): (string | Row | undefined)[] => {
  const before = rows.get(id)
  rows.write(id, before, record)
  return [table, id, before, record]
}

/** The number of a record that is removed. Other writes come last. */
const numberOf = ({ rows, id, record }: Write): number => (record ? 0 : (rows.get(id)?.n ?? 0))

const tableNamed = (tables: Tables, name: string): Table<Row> | undefined =>
  Object.hasOwn(tables, name) && name !== 'balances' ? (tables as never)[name] : undefined
