import { type CommandReadings, NO_READINGS, type ReadingValues } from './command-readings.js'
import type { Cause, Change, DomainEvent, Entry } from './entry.js'
import { DeterministicRandom } from './prng.js'
import { Refusal } from './refusal.js'
import type { RuleContext, RuleEffects } from './rules.js'
import { runToEnd } from './run-to-end.js'
import { type Instant, MAX_INSTANT, toIso } from './time.js'
import { timerLoopError } from './timer-loop-error.js'
import { TimerQueue } from './timer-queue.js'
import { type ActionPlan, nextStep, type Timer } from './timers.js'
import { type TableSet, Transaction } from './transaction.js'
import { toChanges, type UndoRecord } from './undo-record.js'

/** A named verb: reads and writes through its transaction, or throws a Refusal. */
export type Command<T extends TableSet, R extends ReadingValues = ReadingValues> = (
  tx: Transaction<T, R>,
  input: never,
) => unknown
export type CommandTable<T extends TableSet, R extends ReadingValues = ReadingValues> = Readonly<
  Record<string, Command<T, R>>
>
export type InputOf<F> = F extends (tx: never, input: infer I) => unknown ? I : never

export interface KernelOptions<
  T extends TableSet,
  C extends CommandTable<T, R>,
  R extends ReadingValues = ReadingValues,
> {
  tables: T
  commands: C
  seed: string
  now: Instant
  /** How rules take part: what a fact sets off. Pure. */
  evaluateRules: (occasion: RuleContext, tables: T) => RuleEffects | undefined
  /** Creates the readings of a command whose caller passes none. */
  createReadings?: (tables: T, cause: Cause) => CommandReadings<R>
  /** Receives every entry once it is made, and what would take it back. */
  record: (entry: Entry, undoRecord: UndoRecord) => void
  /** Number entries from here on. */
  seq?: number
  /** How many entries the world consists of already: the dice go on from there. */
  count?: number
  /** How many timers may fire in one call (1,000,000). */
  maxFirings?: number
}

/** The command of an entry that goes back in time. */
export const UNDO = 'world.undo'
/** What was done of which it is not decided yet whether it stays. */
type Speculation = { readonly entry: Entry; readonly undoRecord: UndoRecord }[]

const MAX_CASCADE_DEPTH = 10_000
const MAX_FIRINGS_PER_CALL = 1_000_000
/** Of the plans begun last, so many tell which rules set one another off. */
const MAX_PLANS_CHECKED = 100

/**
 * One world: its tables, its commands and its time. `run` and `advance` are the only ways in which
 * anything changes; both run to their end without yielding.
 */
export class Kernel<
  T extends TableSet,
  C extends CommandTable<T, R>,
  R extends ReadingValues = ReadingValues,
> {
  readonly tables: T
  readonly seed: string
  /** Refuses, by throwing, while nothing may change: then there is no entry either. */
  assertWritable: (() => void) | undefined
  #now: Instant
  /** The time at which the newest entry was made. */
  #lastQuietSeq: Instant
  #seq: number
  #count: number
  readonly #commands: C
  readonly #evaluateRules: KernelOptions<T, C, R>['evaluateRules']
  readonly #record: KernelOptions<T, C, R>['record']
  readonly #createReadings: KernelOptions<T, C, R>['createReadings']
  readonly #maxFirings: number
  readonly #due: TimerQueue
  readonly #random: DeterministicRandom
  #speculation: Speculation | undefined

  constructor(options: KernelOptions<T, C, R>) {
    this.tables = options.tables
    this.seed = options.seed
    this.#now = options.now
    this.#lastQuietSeq = options.now
    this.#seq = options.seq ?? 0
    this.#count = options.count ?? 0
    this.#commands = options.commands
    this.#evaluateRules = options.evaluateRules
    this.#record = options.record
    this.#createReadings = options.createReadings
    this.#maxFirings = options.maxFirings ?? MAX_FIRINGS_PER_CALL
    this.#random = new DeterministicRandom(options.seed)
    this.#due = new TimerQueue((id) => this.tables.timers.get(id))
    for (const timer of this.tables.timers.all()) this.#due.change(undefined, timer)
  }

  get now(): Instant {
    return this.#now
  }

  /** The number of the newest entry; 0 in a world without history. */
  get seq(): number {
    return this.#seq
  }

  /** How many entries the world consists of, which its dice depend on. */
  get count(): number {
    return this.#count
  }

  /** When the next timer is due. */
  get nextDue(): Instant | undefined {
    return this.#due.peek()?.due ?? undefined
  }

  /** The timers that fire next, in order; those that wait for reads are not among them. */
  upcoming(most: number): Timer[] {
    return this.#due.first(most)
  }

  /**
   * Runs one command, all or nothing, then the timers that are due at once. Throws the command's
   * Refusal after journalling it. `asked` goes by the readings that the cause names, and hears which
   * ones the command relied on; what timers rely on is nobody's answer.
   */
  run<K extends keyof C & string>(
    name: K,
    input: InputOf<C[K]>,
    cause: Cause,
    asked?: CommandReadings<R>,
  ): ReturnType<C[K]> {
    const value = this.#commit(name, input, cause, undefined, asked)
    this.advance(this.#now)
    return value as ReturnType<C[K]>
  }

  /**
   * Runs something, then asks whether it may stay. If not, all that it did is undone as if it had never
   * been: no record, no entry, no number. What it gives or throws goes on to the caller either way.
   */
  speculate<V>(act: () => V, mayStay: () => boolean): V {
    const now = this.#now
    const attempt: Speculation = []
    this.#speculation = attempt
    try {
      return act()
    } finally {
      this.#speculation = undefined
      if (mayStay()) for (const { entry, undoRecord } of attempt) this.#record(entry, undoRecord)
      else {
        for (const { undoRecord } of attempt.toReversed()) this.rollbackLatest(undoRecord)
        this.#now = now
      }
    }
  }

  /**
   * Fires the timers due until `to`, each at its own time, and lands exactly on `to`. Time never
   * goes back: an earlier `to` only fires what is due now. Answers how many were fired.
   */
  advance(to: Instant): number {
    return runToEnd(this.advancing(to))
  }

  /** Fires timers until none is pending; the clock stands at the last one's time. */
  advanceUntilIdle(): number {
    return runToEnd(this.advancing('idle'))
  }

  /** Does what `advance` does, and pauses before each timer: nothing is half done then. */
  *advancing(to: Instant | 'idle'): Generator<void, number> {
    if (to === 'idle') return yield* this.#firing(MAX_INSTANT)
    const fired = yield* this.#firing(Math.max(to, this.#now))
    if (to > this.#now) this.#now = to
    return fired
  }

  /**
   * Goes back to before these steps, the newest of this world, in one entry. Time and dice go back too;
   * only the numbers of entries go on.
   */
  undo(steps: readonly UndoRecord[], cause: Cause): void {
    const [first] = steps
    if (!first) return
    const { seq, now, count } = first
    const tx = new Transaction<T, R>(this.tables, now, this.#random, this.#count, 0, undefined)
    for (const undoRecord of steps.toReversed()) tx.restore(undoRecord)
    tx.setEntryCount(count)
    this.#now = now
    tx.emit({ type: 'world.undone', id: this.seed })
    this.#journal(cause, UNDO, { after: seq - 1, count, seed: this.seed }, tx.events(), tx)
  }

  /** Takes its place back from the world that had replaced it, in one entry: `changes` lead from that one to this. */
  restore({ seq }: { readonly seq: number }, changes: readonly Change[], cause: Cause): void {
    const { seed } = this
    const count = this.#count
    const input = { after: this.#seq, count, seed }
    const events = [{ type: 'world.undone', id: seed }]
    this.#seq = seq + 1
    const at = toIso(this.#now)
    this.#record(
      { seq: this.#seq, at, cause, command: UNDO, input, events, changes },
      { seq: this.#seq, now: this.#lastQuietSeq, count, writes: [], before: [] },
    )
  }

  /** Gives that place up again: the entry by which it came back could not be kept, and has never been. */
  revertRestore(seq: number): void {
    this.#seq = seq
  }

  /** Takes back the newest step as if it had never been, its entry's number included. */
  rollbackLatest(undoRecord: UndoRecord): void {
    const tx = new Transaction<T, R>(
      this.tables,
      undoRecord.now,
      this.#random,
      undoRecord.count,
      0,
      undefined,
    )
    tx.restore(undoRecord)
    this.#evaluateEvents(tx.changes())
    this.#now = undoRecord.now
    this.#lastQuietSeq = undoRecord.now
    this.#count = undoRecord.count
    this.#seq--
  }

  *#firing(to: Instant): Generator<void, number> {
    let fired = 0
    let begun = 0
    const plans: ActionPlan[] = []
    for (;;) {
      const timer = this.#due.peek()
      if (!timer || timer.due === null || timer.due > to) return fired
      if (fired > 0) yield
      // A closed gate leaves the clock at the newest entry.
      this.assertWritable?.()
      if (timer.due > this.#now) this.#now = timer.due
      const tooMany = this.#assertNoLoop(timer, fired)
      if (tooMany !== undefined) this.#giveUp(timer, plans, tooMany)
      if (timer.done === 0) plans[begun++ % MAX_PLANS_CHECKED] = timer.plan
      this.#fire(timer)
      fired++
    }
  }

  /** Which limit is reached when this timer is the next of a call, in words; undefined when none is. */
  #assertNoLoop({ chain }: Timer, fired: number): string | undefined {
    if (chain >= MAX_CASCADE_DEPTH) return `${inDigits(MAX_CASCADE_DEPTH)} firings at one instant`
    if (fired === this.#maxFirings) return `${inDigits(fired)} firings in one call`
    return undefined
  }

  /** Drops a timer that never comes to rest, so that the world can go on, and says whose it was. */
  #giveUp(timer: Timer, plans: readonly ActionPlan[], tooMany: string): never {
    const error = timerLoopError(plans, timer.plan, tooMany)
    this.#commit('timer.drop', { timer: timer.id, why: error.message }, createCause(timer))
    throw error
  }

  #fire(timer: Timer): void {
    const cause = createCause(timer)
    const step = nextStep(timer)
    try {
      if (step) this.#commit(step.command, step.input, cause, timer)
    } catch {
      // The refusal is in the journal; the plan goes on with its next step.
      this.#commit('timer.pass', { timer: timer.id }, cause, timer)
    }
  }

  /** The one door: run, react, journal; or undo, journal the refusal, throw. */
  #commit(
    name: string,
    input: unknown,
    cause: Cause,
    timer?: Timer,
    asked: CommandReadings<R> = this.#createReadings?.(this.tables, cause) ?? NO_READINGS,
  ): unknown {
    this.assertWritable?.()
    const chain = timer ? timer.chain + 1 : 0
    const { scenarios, key } = findOrigin(cause, timer)
    const random = this.#random
    const tx = new Transaction(this.tables, this.#now, random, this.#count, chain, scenarios, asked)
    try {
      if (timer) this.#runStep(tx, timer)
      const command = own(this.#commands, name) ?? own(KERNEL_COMMANDS, name)
      if (!command) {
        const names = Object.keys(this.#commands).join(', ')
        throw new Error(`no command is named ${name}; accepted: ${names}`)
      }
      const value = command(tx, input as never)
      for (const event of tx.events()) {
        const { now, seed } = this
        const occasion = { event, now, seed, scenarios: tx.activeScenarios, key }
        const reaction = this.#evaluateRules(occasion, this.tables)
        if (reaction) take(tx, reaction)
      }
      this.#journal(cause, name, input, tx.events(), tx)
      return value
    } catch (error) {
      tx.rollback()
      const code = error instanceof Refusal ? error.code : 'bug'
      const message = error instanceof Error ? error.message : String(error)
      this.#journal(cause, name, input, [], tx, { code, message })
      throw error
    }
  }

  #runStep(tx: Transaction<T, R>, timer: Timer): void {
    tx.unschedule(timer)
    if (timer.done + 1 < timer.plan.steps.length) tx.schedule(timer.plan, timer.done + 1)
  }

  #evaluateEvents(changes: readonly Change[]): void {
    for (const { table, record } of changes) {
      if (table === 'timers' && record) this.#due.change(undefined, record as Timer)
    }
  }

  #journal(
    cause: Cause,
    command: string,
    input: unknown,
    events: readonly DomainEvent[],
    tx: Transaction<T, R>,
    refused?: Entry['refused'],
  ): void {
    const seq = ++this.#seq
    const at = toIso(this.#now)
    const undoRecord = tx.undoRecord(seq, this.#lastQuietSeq, this.#count)
    const changes = toChanges(undoRecord.writes)
    this.#evaluateEvents(changes)
    this.#lastQuietSeq = this.#now
    this.#count = tx.countAfter
    // Written out, not spread: entries are kept by the thousand, and so they take half the room.
    const entry: Entry = { seq, at, cause, command, input, events, changes }
    const made = refused ? { ...entry, refused } : entry
    if (this.#speculation) this.#speculation.push({ entry: made, undoRecord })
    else this.#record(made, undoRecord)
  }
}

/** Commands of the kernel itself: a step that was refused is passed over, a runaway timer dropped. */
const KERNEL_COMMANDS: Readonly<Record<string, (tx: Transaction<TableSet>, input: never) => void>> =
  {
    'timer.pass': () => {},
    'timer.drop': (tx, { timer }: { readonly timer: string }) => {
      const dropped = tx.tables.timers.get(timer)
      if (dropped) tx.unschedule(dropped)
    },
  }

const inDigits = (count: number): string => count.toLocaleString('en')

/** What a table holds itself: `toString` is no command. */
const own = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Sets the timers that a rule asks for. A rule that does nothing, so that others do not, leaves a fact. */
const take = (tx: Transaction<TableSet>, { plan, counts }: RuleEffects): void => {
  for (const count of counts) tx.saveRuleCount(count)
  if (!plan) return
  const { subject, scenario, rule, source, steps } = plan
  if (steps.length > 0) tx.schedule(plan)
  else tx.emit({ type: 'rule.fired', id: `${scenario}/${rule}`, subject, source })
}

interface Origin {
  readonly scenarios?: readonly string[]
  readonly key?: string
}

/** Whose scenarios and whose key a command goes by: those of its request, or of its timer's plan. */
const findOrigin = (cause: Cause, timer: Timer | undefined): Origin =>
  timer ? timer.plan : 'request' in cause ? cause : NOBODY

const NOBODY: Origin = {}

const createCause = ({ id, plan: { scenario, rule, source }, done }: Timer): Cause => ({
  kind: 'timer',
  timer: id,
  scenario,
  rule,
  step: done,
  source,
})
