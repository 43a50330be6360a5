import { formatUnknown } from '../lib/app-error.js'
import {
  CommandRecord,
  forEachWrite,
  mergeWrites,
  type UndoRecord,
  type Writes,
} from './command-record.js'
import type { Cause, RefusalNote, RuleCause } from './entry.js'
import { DeterministicRandom } from './prng.js'
import { Refusal } from './refusal.js'
import type { RuleContext, RuleEffects } from './rules.js'
import { runToEnd } from './run-to-end.js'
import { type Instant, MAX_INSTANT } from './time.js'
import { TimerQueue } from './timer-queue.js'
import {
  type ActionPlan,
  isDueAtOnce,
  nextStep,
  type Timer,
  TimerLoopError,
} from './timer-records.js'
import { type TableSet, Transaction } from './transaction.js'

/** Throws a Refusal, or changes records through its transaction. */
export type Command<T extends TableSet, R = unknown> = (
  tx: Transaction<T, R>,
  input: never,
) => unknown
type CommandTable<T extends TableSet, R = unknown> = Readonly<Record<string, Command<T, R>>>
export type InputOf<F> = F extends (tx: never, input: infer I) => unknown ? I : never

export interface KernelOptions<T extends TableSet, C extends CommandTable<T, R>, R = unknown> {
  tables: T
  commands: C
  seed: string
  now: Instant
  evaluateRules: (context: RuleContext, tables: T) => RuleEffects | undefined
  /** Creates the readings of a command whose caller passes none. */
  createReadings?: (tables: T, cause: Cause | RuleCause) => R
  record: (record: CommandRecord) => void
  seq?: number
  /** Entries so far, from which the PRNG continues. */
  count?: number
  /** Limit per call. Default 1,000,000. */
  maxFirings?: number
}

export const UNDO = 'world.undo'
export const REDO = 'world.redo'

const MAX_CASCADE_DEPTH = 10_000
const MAX_FIRINGS_PER_CALL = 1_000_000
/** Limit of an advance until idle, which would otherwise follow a loop as long as memory lasts. */
const MAX_GENERATIONS = 1_000

/** One world: tables, commands and time. It changes synchronously, and each change is an entry. */
export class Kernel<T extends TableSet, C extends CommandTable<T, R>, R = unknown> {
  readonly tables: T
  readonly seed: string
  readonly evaluateRules: KernelOptions<T, C, R>['evaluateRules']
  /** Throws while the world must not change; then there is no entry either. */
  assertWritable: (() => void) | undefined
  /** Throws a Refusal if the world has no room for what a command wrote. */
  assertRoom: ((writes: Writes) => void) | undefined
  /** Gets the readings of each command and step whose caller passed none. */
  noteReadings: ((readings: R) => void) | undefined
  #now: Instant
  #lastEntryAt: Instant
  /** Number of the newest entry. Continues after an undo. */
  #seq: number
  /** Entries of the world, from which random numbers derive. Goes back in an undo. */
  #count: number
  readonly #commands: C
  readonly #record: KernelOptions<T, C, R>['record']
  readonly #createReadings: KernelOptions<T, C, R>['createReadings']
  readonly #maxFirings: number
  readonly #timers: TimerQueue
  readonly #random: DeterministicRandom

  constructor(options: KernelOptions<T, C, R>) {
    this.tables = options.tables
    this.seed = options.seed
    this.#now = options.now
    this.#lastEntryAt = options.now
    this.#seq = options.seq ?? 0
    this.#count = options.count ?? 0
    this.#commands = options.commands
    this.evaluateRules = options.evaluateRules
    this.#record = options.record
    this.#createReadings = options.createReadings
    this.#maxFirings = options.maxFirings ?? MAX_FIRINGS_PER_CALL
    this.#random = new DeterministicRandom(options.seed)
    this.#timers = new TimerQueue((id) => this.tables.timers.get(id))
    for (const timer of this.tables.timers.all()) this.#timers.change(undefined, timer)
  }

  get now(): Instant {
    return this.#now
  }

  get seq(): number {
    return this.#seq
  }

  get count(): number {
    return this.#count
  }

  get lastEntryAt(): Instant {
    return this.#lastEntryAt
  }

  get nextDue(): Instant | undefined {
    return this.#timers.peek()?.due ?? undefined
  }

  /** In order; excludes timers that wait for status requests. */
  upcoming(most: number): Timer[] {
    return this.#timers.first(most)
  }

  /**
   * Runs a command atomically, then the timers that are due. Throws its Refusal after journalling
   * it. `readings` records the readings of the command; those of timers are not part of the response.
   */
  run<K extends keyof C & string>(
    name: K,
    input: InputOf<C[K]>,
    cause: Cause,
    readings?: R,
  ): ReturnType<C[K]> {
    const value = this.#commit(name, input, cause, undefined, readings)
    this.advance(this.#now)
    return value as ReturnType<C[K]>
  }

  /**
   * Fires due timers at their own times, then sets the clock to `to`. An earlier `to` fires only
   * what is due now; `idle` fires until none is pending, and the clock stops at the last one.
   * Returns the number of timers.
   */
  advance(to: Instant | 'idle'): number {
    return runToEnd(this.advancing(to))
  }

  /** `advance` in steps: pauses before each timer, in a consistent state. */
  *advancing(to: Instant | 'idle'): Generator<void, number> {
    if (to === 'idle') return yield* this.#firing(MAX_INSTANT, MAX_GENERATIONS)
    const fired = yield* this.#firing(Math.max(to, this.#now))
    if (to > this.#now) this.#now = to
    return fired
  }

  /** `run` without the timers that are due, for a world that another one is about to replace. */
  runAlone<K extends keyof C & string>(name: K, input: InputOf<C[K]>, cause: Cause): void {
    this.#commit(name, input, cause)
  }

  /**
   * Undoes the newest commands of this world in one entry, whose input gets `details`. Time and random
   * numbers go back too. A redo undoes an undo.
   */
  undo(
    records: readonly UndoRecord[],
    cause: Cause,
    details: object = {},
    command: typeof UNDO | typeof REDO = UNDO,
  ): void {
    const [first] = records
    if (!first) return
    const { seq, previousTime, previousCount: count } = first
    const tx = this.#begin(previousTime, this.#count)
    for (const { writes } of records.toReversed()) tx.revert(mergeWrites(writes))
    tx.setEntryCount(count)
    this.#now = previousTime
    tx.emit({ type: command === UNDO ? 'world.undone' : 'world.redone', id: this.seed })
    this.#journal(cause, command, { after: seq - 1, count, seed: this.seed, ...details }, tx)
  }

  /** Removes the newest command without a trace, its entry number included. */
  rollbackLatest(record: UndoRecord): void {
    const { previousTime, previousCount } = record
    const tx = this.#begin(previousTime, previousCount)
    tx.revert(record.writes)
    this.#enqueueTimers(tx.writes())
    this.#now = previousTime
    this.#lastEntryAt = previousTime
    this.#count = previousCount
    this.#seq--
  }

  #begin(now: Instant, count: number): Transaction<T, R> {
    return new Transaction<T, R>(this.tables, now, this.#random, count, { cascadeDepth: 0 })
  }

  *#firing(to: Instant, maxGenerations = Number.POSITIVE_INFINITY): Generator<void, number> {
    let fired = 0
    for (;;) {
      const timer = this.#timers.peek()
      if (!timer || timer.due === null || timer.due > to) return fired
      if (fired > 0) yield
      // Checked first: a refusal leaves the clock at the newest entry.
      this.assertWritable?.()
      if (timer.due > this.#now) this.#now = timer.due
      const limit = this.#findExceededLimit(timer, fired, maxGenerations)
      if (limit !== undefined) this.#dropLoopingTimer(timer, limit)
      this.#fire(timer)
      fired++
    }
  }

  #findExceededLimit(
    { chain, generation = 0 }: Timer,
    fired: number,
    maxGenerations: number,
  ): string | undefined {
    if (generation > maxGenerations) return `${formatCount(maxGenerations)} generations`
    if (chain >= MAX_CASCADE_DEPTH)
      return `${formatCount(MAX_CASCADE_DEPTH)} firings at one instant`
    if (fired === this.#maxFirings) return `${formatCount(fired)} firings in one call`
    return undefined
  }

  /** Drops the timer, so that the world can continue, and names its rule. */
  #dropLoopingTimer(timer: Timer, limit: string): never {
    const error = new TimerLoopError(timer, limit)
    this.#commit('timer.drop', { timer: timer.id, why: error.message }, createCause(timer))
    throw error
  }

  #fire(timer: Timer): void {
    const cause = createCause(timer)
    const step = nextStep(timer)
    try {
      if (step) this.#commit(step.command, step.input, cause, timer)
    } catch {
      // The error is in the journal, a bug too. The plan continues with its next step.
      this.#commit('timer.pass', { timer: timer.id }, cause, timer)
    }
  }

  /** Runs a command, evaluates rules and journals; or rolls back, journals the error and throws it. */
  #commit(name: string, input: unknown, cause: Cause, timer?: Timer, given?: R): unknown {
    this.assertWritable?.()
    const cascadeDepth = timer ? timer.chain + 1 : 0
    const { scenarios, key } = findOrigin(cause, timer)
    const readings = given ?? this.#createReadings?.(this.tables, cause)
    const context = { cascadeDepth, setter: timer, scenarios, readings }
    const tx = new Transaction(this.tables, this.#now, this.#random, this.#count, context)
    try {
      if (timer) this.#advancePlan(tx, timer)
      const value = this.#findCommand(name)(tx, input as never)
      const plans = this.#applyRules(tx, 0, key)
      // Other timers that are due come before the steps that a timer sets off.
      if (timer) for (const plan of plans) tx.schedule(plan)
      else this.#runSteps(tx, plans)
      this.assertRoom?.(tx.writes())
      this.#journal(cause, name, input, tx)
      return value
    } catch (error) {
      tx.rollback()
      const code = error instanceof Refusal ? error.code : 'bug'
      const message = error instanceof Error ? error.message : String(error)
      // There is no room for the input either.
      this.#journal(cause, name, code === 'full' ? {} : input, tx, { code, message })
      throw error
    } finally {
      if (readings && !given) this.noteReadings?.(readings)
    }
  }

  #findCommand(name: string): Command<T, R> {
    const command = getOwn(this.#commands, name) ?? getOwn(KERNEL_COMMANDS, name)
    if (command) return command
    const names = Object.keys(this.#commands).join(', ')
    throw new Error(formatUnknown('command', name, names))
  }

  /** Evaluates the rules for the events from a place on. Returns the plans that are due at once. */
  #applyRules(tx: Transaction<T, R>, from: number, key: string | undefined): ActionPlan[] {
    const { now, seed } = this
    const dueAtOnce: ActionPlan[] = []
    for (const event of tx.events(from)) {
      const context = { event, now, seed, scenarios: tx.activeScenarios, key }
      const { plan, counts = [] } = this.evaluateRules(context, this.tables) ?? {}
      for (const count of counts) tx.saveRuleCount(count)
      if (plan && isDueAtOnce(plan)) dueAtOnce.push(plan)
      else if (plan) applyPlan(tx, plan)
    }
    return dueAtOnce
  }

  /**
   * Runs the steps that are due at once within their command. After a refusal the rest get timers: the
   * refused step is refused again, in an entry of its own.
   */
  #runSteps(tx: Transaction<T, R>, plans: readonly ActionPlan[]): void {
    const queue = plans.map((plan) => ({ plan, done: 0 }))
    let isRefused = false
    for (const { plan, done } of queue) {
      isRefused ||= !this.#runStep(tx, plan, done)
      const next = isRefused ? done : done + 1
      if (!isRefused && isDueAtOnce(plan, next)) queue.push({ plan, done: next })
      else if (next < plan.steps.length) tx.schedule(plan, next)
    }
  }

  #runStep(tx: Transaction<T, R>, plan: ActionPlan, done: number): boolean {
    const { subject, scenario, rule, source, scenarios, key } = plan
    const cause: RuleCause = { kind: 'rule', subject, scenario, rule, step: done, source }
    const readings = this.#createReadings?.(this.tables, cause)
    const context = { cascadeDepth: done + 1, scenarios, readings, cause }
    const isDone = tx.tryStep(context, () => {
      const from = tx.events().length
      const step = nextStep({ plan, done })
      if (step) this.#findCommand(step.command)(tx, step.input as never)
      for (const due of this.#applyRules(tx, from, key)) tx.schedule(due)
    })
    if (readings) this.noteReadings?.(readings)
    return isDone
  }

  #advancePlan(tx: Transaction<T, R>, timer: Timer): void {
    tx.unschedule(timer)
    if (timer.done + 1 < timer.plan.steps.length) tx.schedule(timer.plan, timer.done + 1)
  }

  #enqueueTimers(writes: Writes): void {
    forEachWrite(writes, (table, _id, _before, after) => {
      if (table === 'timers' && after) this.#timers.change(undefined, after as Timer)
    })
  }

  #journal(
    cause: Cause,
    command: string,
    input: unknown,
    tx: Transaction<T, R>,
    refused?: RefusalNote,
  ): void {
    const record = new CommandRecord(
      ++this.#seq,
      this.#now,
      this.#lastEntryAt,
      this.#count,
      cause,
      command,
      input,
      tx.events(),
      tx.writes(),
      refused,
    )
    this.#enqueueTimers(record.writes)
    this.#lastEntryAt = this.#now
    this.#count = tx.countAfter
    this.#record(record)
  }
}

/**
 * The kernel's own commands: skip a refused step, drop the timer of a loop. The timer of a command
 * advances in `#commit`, so a skip does nothing else.
 */
const KERNEL_COMMANDS: Readonly<Record<string, (tx: Transaction<TableSet>, input: never) => void>> =
  {
    'timer.pass': () => {},
    'timer.drop': (tx, { timer }: { readonly timer: string }) => {
      const dropped = tx.tables.timers.get(timer)
      if (dropped) tx.unschedule(dropped)
    },
  }

const formatCount = (count: number): string => count.toLocaleString('en')

/** Own properties only: `toString` is no command. */
const getOwn = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/**
 * Schedules the plan of a rule. A rule without steps emits an event, because it still suppresses
 * later rules.
 */
const applyPlan = (tx: Transaction<TableSet>, plan: ActionPlan): void => {
  const { subject, scenario, rule, source, steps } = plan
  if (steps.length > 0) tx.schedule(plan)
  else tx.emit({ type: 'rule.fired', id: `${scenario}/${rule}`, subject, source })
}

interface Origin {
  readonly scenarios?: readonly string[]
  readonly key?: string
}

const findOrigin = (cause: Cause, timer: Timer | undefined): Origin =>
  timer ? timer.plan : 'request' in cause ? cause : NO_ORIGIN

const NO_ORIGIN: Origin = {}

const createCause = ({ id, plan: { scenario, rule, source }, done }: Timer): Cause => ({
  kind: 'timer',
  timer: id,
  scenario,
  rule,
  step: done,
  source,
})
