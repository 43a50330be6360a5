import type { Tables } from '../../domain/schema.js'
import { copyTables, loadTables, type World, type WorldState } from '../../domain/world.js'
import type { Snapshot } from '../../journal/snapshots.js'
import type { Entry } from '../../kernel/entry.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { type Reopened, storeState } from './state.js'

/** What some commands say of the world that they put in place of another, or go back to. */
interface Placing {
  readonly name: string
  /** The world whose snapshot it is. */
  readonly from: string
  readonly seed: string
  readonly count: number
}

/** Snapshots of another world, for one that was made from it. */
export type FindSnapshot = (world: string, name: string) => Snapshot | undefined

/**
 * Rebuilds a world from its entries, by what they changed and not by what their commands would do now:
 * whatever a version of this program has written, a later one opens as it was.
 */
export class ReplayState {
  #state: WorldState
  readonly snapshots: Map<string, Snapshot>
  readonly #base: World
  readonly #findSnapshot: FindSnapshot

  constructor(base: World, from: Reopened | undefined, findSnapshot: FindSnapshot) {
    const { tables, seed, now, seq } = base
    this.#base = base
    this.#state = from ?? { tables: loadTables(tables), seed, now, seq, count: seq }
    this.snapshots = new Map(from?.snapshots)
    this.#findSnapshot = findSnapshot
  }

  get state(): Reopened {
    return { ...this.#state, snapshots: this.snapshots }
  }

  /** Number of the newest entry. */
  get seq(): number {
    return this.#state.seq
  }

  /** Takes in the next entry; answers in words why it cannot be the next one. */
  take(entry: Entry): string | undefined {
    const { seq, at, command, changes, refused } = entry
    if (seq !== this.#state.seq + 1) {
      return `entry ${seq} cannot follow entry ${this.#state.seq} of that world`
    }
    const placed = refused ? this.#onward() : this.#placed(command, findPlacing(entry))
    if (typeof placed === 'string') return placed
    const now = Date.parse(at)
    this.#state = { ...placed, now, seq }
    const writes: Write[] = []
    for (const { table, id, record } of changes) {
      const rows = tableNamed(placed.tables, table)
      if (!rows) return `no table is named ${table}`
      writes.push({ rows, id, record: record ?? undefined })
    }
    // What is taken back goes the newest first, so that its numbers are given anew.
    if (command === 'world.undo') writes.sort((a, b) => numberOf(b) - numberOf(a))
    for (const { rows, id, record } of writes) rows.write(id, rows.get(id), record)
    if (!refused) this.#keepSnapshots(command, findPlacing(entry))
    return undefined
  }

  #onward(): WorldState {
    return { ...this.#state, count: this.#state.count + 1 }
  }

  /** The state that an entry's changes belong on top of. */
  #placed(command: string, { name, from, seed, count }: Placing): WorldState | string {
    switch (command) {
      case 'world.begin': {
        const { tables, seq } = this.#base
        return { ...this.#state, tables: loadTables(tables), seed, count: seq + 1 }
      }
      case 'world.undo':
        return { ...this.#state, seed, count }
      case 'snapshot.restore':
        return this.#copied(this.snapshots.get(name), name, count)
      case 'world.fork':
        return this.#copied(this.#findSnapshot(from, name), name, count)
      default:
        return this.#onward()
    }
  }

  #copied(snapshot: Snapshot | undefined, name: string, count: number): WorldState | string {
    if (!snapshot) return `no snapshot is named ${name}`
    const { tables, seed } = snapshot.world
    return { ...this.#state, tables: copyTables(tables), seed, count }
  }

  #keepSnapshots(command: string, { name }: Placing): void {
    if (command !== 'snapshot.take' && command !== 'snapshot.drop') return
    this.snapshots.delete(name)
    if (command === 'snapshot.take') this.snapshots.set(name, storeState(name, this.#state))
  }
}

interface Write {
  readonly rows: Table<Row>
  readonly id: string
  readonly record: Row | undefined
}

/** The number of a record that is removed; others go behind. */
const numberOf = ({ rows, id, record }: Write): number => (record ? 0 : (rows.get(id)?.n ?? 0))

const findPlacing = ({ input }: Entry): Placing => Object(input)

const tableNamed = (tables: Tables, name: string): Table<Row> | undefined =>
  Object.hasOwn(tables, name) && name !== 'balances' ? (tables as never)[name] : undefined
