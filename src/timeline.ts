import { Feed } from './journal/feed.js'
import { MemoryJournal } from './journal/memory.js'
import { Pulse, type PulseParts } from './pulse.js'
import type { Entry } from './world/kernel/journal.js'

/**
 * What stays of a world through its resets: its journal, those who read it as it grows, and the pulse
 * that lets time pass for them. A reset is an entry like others, so cursors and streams outlast it.
 */
export class Timeline {
  readonly journal = new MemoryJournal()
  readonly feed: Feed
  /** What the world starts from. Kept for good, since a reset goes back to it. */
  readonly beginning: readonly Entry[]

  constructor(beginning: readonly Entry[], parts: PulseParts) {
    this.beginning = beginning
    for (const entry of beginning) this.journal.add(entry)
    this.feed = new Feed(this.journal, new Pulse(parts), parts.later)
  }

  readonly record = (entry: Entry): void => {
    this.journal.add(entry)
    this.feed.notice()
  }
}
