import { Readings } from '../readings.js'
import { atOnce } from './at-once.js'
import { Dice } from './dice.js'
import { DueQueue } from './due-queue.js'
import type { Cause, Change, Entry, Fact } from './entry.js'
import { Refusal } from './refusal.js'
import type { Occasion, Reaction } from './rules.js'
import { runaway } from './runaway.js'
import { changesOf, type Step } from './step.js'
import { type Instant, isoTime, LAST_INSTANT } from './time.js'
import { type Plan, stepOf, type Timer } from './timers.js'
import { type TableSet, Transaction } from './transaction.js'

/** A named verb: reads and writes through its transaction, or throws a Refusal. */
export type Command<T extends TableSet> = (tx: Transaction<T>, input: never) => unknown
export type CommandTable<T extends TableSet> = Readonly<Record<string, Command<T>>>
export type InputOf<F> = F extends (tx: never, input: infer I) => unknown ? I : never

export interface KernelOptions<T extends TableSet, C extends CommandTable<T>> {
  tables: T
  commands: C
  seed: string
  now: Instant
  /** How rules take part: what a fact sets off. Pure. */
  react: (occasion: Occasion, tables: T) => Reaction | undefined
  /** Receives every entry once it is made, and what would take it back. */
  record: (entry: Entry, step: Step) => void
  /** Number entries from here on. */
  seq?: number
  /** How many entries the world consists of already: the dice go on from there. */
  count?: number
  /** How many timers may fire in one call (1,000,000). */
  mostFirings?: number
}

/** The command of an entry that goes back in time. */
export const UNDO = 'world.undo'
/** What was done of which it is not decided yet whether it stays. */
type Attempt = { readonly entry: Entry; readonly step: Step }[]

const LONGEST_CHAIN = 10_000
const FIRINGS_IN_ONE_CALL = 1_000_000
/** Memory is looked at after each so many of them, so that no call of an ordinary length is stopped by it. */
const FIRINGS_BETWEEN_LOOKS = 10_000
/** Of the plans begun last, so many tell which rules set one another off. */
const PLANS_LOOKED_AT = 100

/**
 * One world: its tables, its commands and its time. `run` and `advance` are the only ways in which
 * anything changes; both run to their end without yielding.
 */
export class Kernel<T extends TableSet, C extends CommandTable<T>> {
  readonly tables: T
  readonly seed: string
  /** Refuses, by throwing, while nothing may change: then there is no entry either. */
  gate: (() => void) | undefined
  /** Whether memory is short: what fires on and on ends then, rather than the process. */
  isMemoryShort: (() => boolean) | undefined
  #now: Instant
  /** The time at which the newest entry was made. */
  #settled: Instant
  #seq: number
  #count: number
  readonly #commands: C
  readonly #react: KernelOptions<T, C>['react']
  readonly #record: KernelOptions<T, C>['record']
  readonly #mostFirings: number
  readonly #due: DueQueue
  readonly #dice: Dice
  #attempt: Attempt | undefined

  constructor(options: KernelOptions<T, C>) {
    this.tables = options.tables
    this.seed = options.seed
    this.#now = options.now
    this.#settled = options.now
    this.#seq = options.seq ?? 0
    this.#count = options.count ?? 0
    this.#commands = options.commands
    this.#react = options.react
    this.#record = options.record
    this.#mostFirings = options.mostFirings ?? FIRINGS_IN_ONE_CALL
    this.#dice = new Dice(options.seed)
    this.#due = new DueQueue((id) => this.tables.timers.get(id))
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
    asked?: Readings,
  ): ReturnType<C[K]> {
    const value = this.#commit(name, input, cause, undefined, asked)
    this.advance(this.#now)
    return value as ReturnType<C[K]>
  }

  /**
   * Runs something, then asks whether it may stay. If not, all that it did is undone as if it had never
   * been: no record, no entry, no number. What it gives or throws goes on to the caller either way.
   */
  attempt<V>(act: () => V, mayStay: () => boolean): V {
    const now = this.#now
    const attempt: Attempt = []
    this.#attempt = attempt
    try {
      return act()
    } finally {
      this.#attempt = undefined
      if (mayStay()) for (const { entry, step } of attempt) this.#record(entry, step)
      else {
        for (const { step } of attempt.toReversed()) this.revert(step)
        this.#now = now
      }
    }
  }

  /**
   * Fires the timers due until `to`, each at its own time, and lands exactly on `to`. Time never
   * goes back: an earlier `to` only fires what is due now. Answers how many were fired.
   */
  advance(to: Instant): number {
    return atOnce(this.advancing(to))
  }

  /** Fires timers until none is pending; the clock stands at the last one's time. */
  advanceUntilIdle(): number {
    return atOnce(this.advancing('idle'))
  }

  /** Does what `advance` does, and pauses before each timer: nothing is half done then. */
  *advancing(to: Instant | 'idle'): Generator<void, number> {
    if (to === 'idle') return yield* this.#firing(LAST_INSTANT)
    const fired = yield* this.#firing(Math.max(to, this.#now))
    if (to > this.#now) this.#now = to
    return fired
  }

  /**
   * Goes back to before these steps, the newest of this world, in one entry. Time and dice go back too;
   * only the numbers of entries go on.
   */
  takeBack(steps: readonly Step[], cause: Cause): void {
    const [first] = steps
    if (!first) return
    const { seq, now, count } = first
    const tx = new Transaction(this.tables, now, this.#dice, this.#count, 0, undefined)
    for (const step of steps.toReversed()) tx.restore(step)
    tx.recount(count)
    this.#now = now
    tx.emit({ type: 'world.undone', id: this.seed })
    this.#journal(cause, UNDO, { after: seq - 1, count, seed: this.seed }, tx.facts(), tx)
  }

  /** Takes its place back from the world that had replaced it, in one entry: `changes` lead from that one to this. */
  comeBack({ seq }: { readonly seq: number }, changes: readonly Change[], cause: Cause): void {
    const { seed } = this
    const count = this.#count
    const input = { after: this.#seq, count, seed }
    const events = [{ type: 'world.undone', id: seed }]
    this.#seq = seq + 1
    const at = isoTime(this.#now)
    this.#record(
      { seq: this.#seq, at, cause, command: UNDO, input, events, changes },
      { seq: this.#seq, now: this.#settled, count, writes: [], before: [] },
    )
  }

  /** Gives that place up again: the entry by which it came back could not be kept, and has never been. */
  standBack(seq: number): void {
    this.#seq = seq
  }

  /** Takes back the newest step as if it had never been, its entry's number included. */
  revert(step: Step): void {
    const tx = new Transaction(this.tables, step.now, this.#dice, step.count, 0, undefined)
    tx.restore(step)
    this.#follow(tx.changes())
    this.#now = step.now
    this.#settled = step.now
    this.#count = step.count
    this.#seq--
  }

  *#firing(to: Instant): Generator<void, number> {
    let fired = 0
    let begun = 0
    const plans: Plan[] = []
    for (;;) {
      const timer = this.#due.peek()
      if (!timer || timer.due === null || timer.due > to) return fired
      if (fired > 0) yield
      // A closed gate leaves the clock at the newest entry.
      this.gate?.()
      if (timer.due > this.#now) this.#now = timer.due
      const tooMany = this.#tooMany(timer, fired)
      if (tooMany !== undefined) this.#giveUp(timer, plans, tooMany)
      if (timer.done === 0) plans[begun++ % PLANS_LOOKED_AT] = timer.plan
      this.#fire(timer)
      fired++
    }
  }

  /** Which limit is reached when this timer is the next of a call, in words; undefined when none is. */
  #tooMany({ chain }: Timer, fired: number): string | undefined {
    if (chain >= LONGEST_CHAIN) return `${inDigits(LONGEST_CHAIN)} firings at one instant`
    if (fired === this.#mostFirings) return `${inDigits(fired)} firings in one call`
    const isDue = fired > 0 && fired % FIRINGS_BETWEEN_LOOKS === 0
    return isDue && this.isMemoryShort?.()
      ? `${inDigits(fired)} firings in one call, with which memory is nearly used up`
      : undefined
  }

  /** Drops a timer that never comes to rest, so that the world can go on, and says whose it was. */
  #giveUp(timer: Timer, plans: readonly Plan[], tooMany: string): never {
    const error = runaway(plans, timer.plan, tooMany)
    this.#commit('timer.drop', { timer: timer.id, why: error.message }, causeOf(timer))
    throw error
  }

  #fire(timer: Timer): void {
    const cause = causeOf(timer)
    const step = stepOf(timer)
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
    asked = new Readings(this.tables.readings, 'readings' in cause ? cause.readings : undefined),
  ): unknown {
    this.gate?.()
    const chain = timer ? timer.chain + 1 : 0
    const { scenarios, key } = originOf(cause, timer)
    const dice = this.#dice
    const tx = new Transaction(this.tables, this.#now, dice, this.#count, chain, scenarios, asked)
    try {
      if (timer) this.#takeStep(tx, timer)
      const command = own(this.#commands, name) ?? own(KERNEL_COMMANDS, name)
      if (!command) {
        const names = Object.keys(this.#commands).join(', ')
        throw new Error(`no command is named ${name}; accepted: ${names}`)
      }
      const value = command(tx, input as never)
      for (const fact of tx.facts()) {
        const { now, seed } = this
        const occasion = { fact, now, seed, scenarios: tx.goesBy, key }
        const reaction = this.#react(occasion, this.tables)
        if (reaction) take(tx, reaction)
      }
      this.#journal(cause, name, input, tx.facts(), tx)
      return value
    } catch (error) {
      tx.rollback()
      const code = error instanceof Refusal ? error.code : 'bug'
      const message = error instanceof Error ? error.message : String(error)
      this.#journal(cause, name, input, [], tx, { code, message })
      throw error
    }
  }

  #takeStep(tx: Transaction<T>, timer: Timer): void {
    tx.unschedule(timer)
    if (timer.done + 1 < timer.plan.steps.length) tx.schedule(timer.plan, timer.done + 1)
  }

  #follow(changes: readonly Change[]): void {
    for (const { table, record } of changes) {
      if (table === 'timers' && record) this.#due.change(undefined, record as Timer)
    }
  }

  #journal(
    cause: Cause,
    command: string,
    input: unknown,
    events: readonly Fact[],
    tx: Transaction<T>,
    refused?: Entry['refused'],
  ): void {
    const seq = ++this.#seq
    const at = isoTime(this.#now)
    const step = tx.step(seq, this.#settled, this.#count)
    const changes = changesOf(step.writes)
    this.#follow(changes)
    this.#settled = this.#now
    this.#count = tx.countAfter
    // Written out, not spread: entries are kept by the thousand, and so they take half the room.
    const entry: Entry = { seq, at, cause, command, input, events, changes }
    const made = refused ? { ...entry, refused } : entry
    if (this.#attempt) this.#attempt.push({ entry: made, step })
    else this.#record(made, step)
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
const take = (tx: Transaction<TableSet>, { plan, counts }: Reaction): void => {
  for (const count of counts) tx.keepCount(count)
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
const originOf = (cause: Cause, timer: Timer | undefined): Origin =>
  timer ? timer.plan : 'request' in cause ? cause : NOBODY

const NOBODY: Origin = {}

const causeOf = ({ id, plan: { scenario, rule, source }, done }: Timer): Cause => ({
  kind: 'timer',
  timer: id,
  scenario,
  rule,
  step: done,
  source,
})
