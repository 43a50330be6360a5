import type { Entry } from './world/kernel/entry.js'
import type { Step } from './world/kernel/step.js'

/** A line, as far as it is kept beyond the process. */
export interface KeptLine {
  readonly id: string
  /** Its entries up to this number will outlast a crash, so that they may be shown. */
  kept(seq: number): void
  /** Takes its newest entry back, as if it had never been. */
  unmake(step: Step): void
}

/** What keeps lines beyond the process, where something does. */
export interface Keeping {
  /** Takes in what a line has just done. */
  entry(line: KeptLine, entry: Entry, step: Step): void
  /** Does several things that are kept as a whole, or not at all. */
  together<V>(act: () => V): V
  /** Takes in how to undo a change beside the journal, should the entries that follow not be kept. */
  alongside(takeBack: () => void): void
  /** Refuses, by throwing, while nothing can be kept, and tells what was not done: a change, unless told otherwise. */
  readonly assertOpen: (undone?: string) => void
  /** Refuses likewise, and also what is done at a line that could not be kept when it began. */
  assertGoesOn(line: KeptLine): void
  /** Resolves once all that was done so far will outlast a crash; undefined when it does already. */
  readonly pending: Promise<void> | undefined
  /** Whether nothing can be kept now, so that timers have to wait. */
  readonly isHeld: boolean
}
