import { Ring } from '../ring.js'
import type { Cause, Entry } from '../world/kernel/entry.js'
import { UNDO } from '../world/kernel/kernel.js'
import type { Step } from '../world/kernel/step.js'
import type { World } from '../world/world.js'
import { Overwritten } from './overwritten.js'

/** Something that was done from outside, and all that followed from it. */
export interface Act {
  /** Tells it from those before and after it. */
  readonly n: number
  readonly cause: Cause
  /** What takes it back, oldest first, after what is in `overwritten`. */
  readonly steps: Step[]
  /** The older ones of many steps, merged. */
  overwritten: Overwritten | undefined
  /** The world that it put another one in the place of; then the steps do not matter. */
  readonly replaced: World | undefined
}

/** All steps that take an act back, oldest first. */
export const stepsOf = ({ overwritten, steps }: Act): readonly Step[] =>
  overwritten ? [overwritten.asStep(), ...steps] : steps

/** The number and the time at which an act began. */
export const beginningOf = ({ overwritten, steps }: Act): Pick<Step, 'seq' | 'now'> | undefined =>
  overwritten?.first ?? steps[0]

export const MOST_ACTS = 1_000
/** Worlds that resets and restores have replaced are kept whole, so there are fewer of them. */
export const MOST_REPLACED = 10
/** So many steps are merged: timers can go on for weeks without anything from outside. */
const MANY_STEPS = 1_000

const OUTSIDE: ReadonlySet<Cause['kind']> = new Set(['request', 'read', 'control', 'library'])

const NONE: readonly Act[] = []

/** An undo is none itself, and before a fork there was no world. */
const NOT_TAKEN_BACK: ReadonlySet<string> = new Set([UNDO, 'world.fork'])

/** The newest things that were done to a world from outside, and what takes them back. */
export class History {
  readonly #acts = new Ring<Act>(MOST_ACTS)
  #begun = 0

  get size(): number {
    return this.#acts.size
  }

  /**
   * Opens an act: what follows belongs to it, until something else is done from outside.
   * Answers the acts that made room for it, oldest first.
   */
  begin(cause: Cause, replaced?: World): readonly Act[] {
    if (this.newest?.cause === cause) return NONE
    const n = ++this.#begun
    const { leaving } = this.#acts
    this.#acts.add({ n, cause, steps: [], overwritten: undefined, replaced })
    const forgotten = replaced ? this.#forgetReplaced() : NONE
    return leaving ? [leaving, ...forgotten] : forgotten
  }

  /** Takes in an entry, and answers the acts that made room. What wrote nothing opens no act. */
  add({ cause, command }: Entry, step: Step): readonly Act[] {
    if (NOT_TAKEN_BACK.has(command)) return NONE
    const wrote = step.writes.length > 0
    const leaving = wrote && OUTSIDE.has(cause.kind) ? this.begin(cause) : NONE
    this.#addStep(step, wrote)
    return leaving
  }

  /** Puts acts back, as the oldest, that made room for one that has never been. */
  regain(acts: readonly Act[]): void {
    this.#holdOnly([...acts, ...this.#acts.all()])
  }

  /** What would be taken back first. */
  get newest(): Act | undefined {
    return this.#acts.newest
  }

  /**
   * The steps above a number, oldest first, as far back as the newest replacement of the world. Merged steps
   * that begin at or below the number are left out.
   */
  stepsAfter(seq: number): readonly Step[] {
    const acts = this.#acts.all()
    const own = acts.slice(acts.findLastIndex(({ replaced }) => replaced) + 1)
    return own.flatMap(stepsOf).filter((step) => step.seq > seq)
  }

  /** The newest act, which is in the history no more. */
  pop(): Act | undefined {
    const act = this.newest
    this.#acts.drop()
    return act
  }

  /** Puts an act back that was popped. */
  push(act: Act): void {
    this.#acts.add(act)
  }

  /** Forgets the newest step: it has never been. */
  drop(step: Step): void {
    const act = this.newest
    if (!act) return
    if (beginningOf(act)?.seq === step.seq) this.#acts.drop()
    else if (act.steps.at(-1) === step) act.steps.pop()
  }

  #addStep(step: Step, wrote: boolean): void {
    const act = this.newest
    if (!act || act.replaced) return
    // The first entry tells when the act began, even if it was refused.
    if (!wrote && (act.steps.length > 0 || act.overwritten)) return
    act.steps.push(step)
    if (act.steps.length < MANY_STEPS) return
    act.overwritten ??= new Overwritten(act.steps[0] ?? step)
    for (const done of act.steps.splice(0)) act.overwritten.add(done)
  }

  #forgetReplaced(): readonly Act[] {
    const acts = this.#acts.all()
    const oldest = acts.filter((act) => act.replaced).at(-MOST_REPLACED - 1)
    if (!oldest) return NONE
    const forgotten = acts.splice(0, acts.indexOf(oldest) + 1)
    this.#holdOnly(acts)
    return forgotten
  }

  #holdOnly(acts: readonly Act[]): void {
    this.#acts.clear()
    for (const act of acts) this.#acts.add(act)
  }
}
