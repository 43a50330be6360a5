import { forEachWriteReversed, type Writes } from './command-record.js'
import type { DomainEvent, RuleCause } from './entry.js'
import { type DeterministicRandom, formatDigits, formatUuid } from './prng.js'
import type { Row } from './row.js'
import type { RuleCount } from './rules.js'
import type { Table } from './table.js'
import { type Instant, toIso } from './time.js'
import { type ActionPlan, type Timer, timerAt } from './timer-records.js'

/** The tables of a world by name. The kernel itself writes timers and counts of rules. */
export type TableSet = {
  readonly timers: Table<Timer, 'subject' | 'reads'>
  readonly rule_counts: Table<RuleCount, never>
}

export type RecordOf<T> = T extends Table<infer R, infer _ extends string> ? R : never

/** The origin of writes and events: a command, or one step within it. */
interface TransactionContext<R = unknown> {
  /** Steps in a row without a delay that led here. */
  readonly cascadeDepth: number
  readonly setter?: Timer | undefined
  readonly scenarios?: readonly string[] | undefined
  /** How the command reads what it may read in several ways. The kernel knows none of them. */
  readonly readings?: R | undefined
  readonly cause?: RuleCause
}

/**
 * The actions of a command: read tables, write records, emit events, draw random numbers, schedule
 * timers.
 */
export class Transaction<T extends TableSet, R = unknown> {
  readonly #events: DomainEvent[] = []
  readonly #writes: (string | Row | undefined)[] = []
  #draws = 0
  #timers = 0
  #countAfter: number
  #context: TransactionContext<R>

  constructor(
    readonly tables: T,
    readonly now: Instant,
    private readonly random: DeterministicRandom,
    /** Entries before this one: the random numbers derive from it. */
    readonly count: number,
    context: TransactionContext<R>,
  ) {
    this.#countAfter = count + 1
    this.#context = context
  }

  get cascadeDepth(): number {
    return this.#context.cascadeDepth
  }

  get setter(): Timer | undefined {
    return this.#context.setter
  }

  get at(): string {
    return toIso(this.now)
  }

  get readings(): R {
    return this.#context.readings as R
  }

  add<K extends keyof T & string>(table: K, record: RecordOf<T[K]> & Row): typeof record {
    const { scenarios } = this.#context
    const added = scenarios ? { ...record, scenarios } : record
    this.#write(table, undefined, added)
    return added
  }

  /** Records that follow also get the scenarios of this one. */
  inheritScenarios({ scenarios }: Row): void {
    if (!scenarios) return
    const active = this.#context.scenarios ?? []
    this.#context = { ...this.#context, scenarios: [...new Set([...active, ...scenarios])] }
  }

  get activeScenarios(): readonly string[] | undefined {
    return this.#context.scenarios
  }

  replace<K extends keyof T & string>(
    table: K,
    before: RecordOf<T[K]> & Row,
    after: RecordOf<T[K]> & Row,
  ): typeof after {
    this.#write(table, before, after)
    return after
  }

  remove<K extends keyof T & string>(table: K, record: RecordOf<T[K]> & Row): void {
    this.#write(table, record, undefined)
  }

  /** Rules react before the entry of the command is closed. */
  emit(event: DomainEvent): void {
    const { cause } = this.#context
    this.#events.push(cause ? withCause(event, cause) : event)
  }

  schedule(plan: ActionPlan, done = 0): void {
    this.#write('timers', undefined, timerAt(plan, done, this, this.#timers++))
  }

  reschedule(before: Timer, after: Timer): void {
    this.#write('timers', before, after)
  }

  unschedule(timer: Timer): void {
    this.#write('timers', timer, undefined)
  }

  saveRuleCount(count: RuleCount): void {
    const { rule_counts } = this.tables
    const known = rule_counts.get(count.id)
    this.#write('rule_counts', known, { ...count, n: known?.n ?? rule_counts.next })
  }

  uuid(): string {
    return formatUuid(this.bytes())
  }

  digits(length: number): string {
    return formatDigits(this.bytes(), length)
  }

  bytes(): Uint8Array {
    return this.random.bytes(this.count, this.#draws++)
  }

  /** Continues from this entry count, and so with the random numbers from there. */
  setEntryCount(count: number): void {
    this.#countAfter = count
  }

  get countAfter(): number {
    return this.#countAfter
  }

  events(from = 0): readonly DomainEvent[] {
    // A copy has no spare capacity; a list after push has.
    return this.#events.slice(from)
  }

  writes(): Writes {
    return this.#writes.slice()
  }

  /** Writes what each record of an earlier command was before it. */
  revert(writes: Writes): void {
    forEachWriteReversed(writes, (table, id, before) => {
      const now = this.#table(table).get(id)
      if (now || before) this.#write(table, now, before)
    })
  }

  /** Runs a step in its own context. If the step throws, undoes its writes and events, and returns false. */
  tryStep(context: TransactionContext<R>, step: () => void): boolean {
    const outer = this.#context
    const writes = this.#writes.length
    const events = this.#events.length
    this.#context = context
    try {
      step()
      return true
    } catch {
      this.#rollbackTo(writes, events)
      return false
    } finally {
      this.#context = outer
    }
  }

  rollback(): void {
    this.#rollbackTo(0, 0)
  }

  /** Ids and random numbers that were used stay used. */
  #rollbackTo(writes: number, events: number): void {
    forEachWriteReversed(this.#writes.slice(writes), (table, id, before, after) =>
      this.#table(table).write(id, after, before),
    )
    this.#writes.length = writes
    this.#events.length = events
  }

  #write(table: string, before: Row | undefined, after: Row | undefined): void {
    const id = (after ?? before)?.id ?? ''
    this.#table(table).write(id, before, after)
    this.#writes.push(table, id, before, after)
  }

  #table(name: string): Table<Row> {
    const tables: Readonly<Record<string, unknown>> = this.tables
    return tables[name] as Table<Row>
  }
}

const withCause = ({ type, id, ...details }: DomainEvent, cause: RuleCause): DomainEvent => ({
  type,
  id,
  cause,
  ...details,
})
