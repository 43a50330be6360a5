import { digitsOf, roll, uuidOf } from './dice.js'
import type { Change, Fact } from './journal.js'
import type { Row, Table } from './table.js'
import { type Instant, isoTime } from './time.js'
import { type Plan, type Timer, timerAt } from './timers.js'

/** The tables of a world by name; every world has timers. */
export type TableSet = { readonly timers: Table<Timer, 'subject'> }

export type RecordOf<T> = T extends Table<infer R, infer _ extends string> ? R : never

interface Write {
  readonly table: string
  readonly id: string
  readonly before: Row | undefined
}

/** What a command may do: read tables, write records, state facts, draw dice, set timers. */
export class Transaction<T extends TableSet> {
  readonly facts: Fact[] = []
  readonly #writes: Write[] = []
  #draws = 0
  #timers = 0

  constructor(
    readonly tables: T,
    readonly now: Instant,
    private readonly seed: string,
    private readonly count: number,
  ) {}

  /** The world's time as the contract writes it. */
  get at(): string {
    return isoTime(this.now)
  }

  put<K extends keyof T & string>(table: K, record: RecordOf<T[K]> & Row): typeof record {
    this.#write(table, record.id, Object.freeze(record))
    return record
  }

  remove<K extends keyof T & string>(table: K, id: string): void {
    this.#write(table, id, undefined)
  }

  /** States a fact about a record. Rules react to it before the command's entry is closed. */
  emit(type: string, id: string, details: Record<string, unknown> = {}): void {
    this.facts.push({ type, id, ...details })
  }

  schedule(plan: Plan, done = 0): void {
    const timer = timerAt(plan, done, this.now, this.count, this.#timers++)
    this.#write('timers', timer.id, timer)
  }

  uuid(): string {
    return uuidOf(this.bytes())
  }

  digits(length: number): string {
    return digitsOf(this.bytes(), length)
  }

  /** 32 bytes of dice. */
  bytes(): Uint8Array {
    return roll(this.seed, this.count, this.#draws++)
  }

  /** Each record touched, as it is now, in order of first touch. */
  changes(): Change[] {
    const seen = new Set<string>()
    const changes: Change[] = []
    for (const { table, id } of this.#writes) {
      const key = `${table} ${id}`
      if (seen.has(key)) continue
      seen.add(key)
      changes.push({ table, id, record: this.#table(table).get(id) ?? null })
    }
    return changes
  }

  rollback(): void {
    for (const { table, id, before } of this.#writes.reverse()) this.#table(table).write(id, before)
  }

  #write(table: string, id: string, record: Row | undefined): void {
    const target = this.#table(table)
    this.#writes.push({ table, id, before: target.get(id) })
    target.write(id, record)
  }

  #table(name: string): Table<Row> {
    return (this.tables as unknown as Record<string, Table<Row>>)[name] as Table<Row>
  }
}
