import type { Entry } from '../kernel/entry.js'
import { UNDO } from '../kernel/kernel.js'

/** Where an entry that goes back in time goes on from. */
interface JumpBack {
  readonly after?: number
}

/**
 * The entries that made a world what it is now, oldest first: what was undone, or came after a snapshot
 * that was restored, is not among them, nor is what was before a reset. `entries` have no gap.
 */
export const buildLineage = (entries: readonly Entry[]): Entry[] => {
  const first = entries[0]?.seq ?? 0
  const line: Entry[] = []
  let at = entries.at(-1)
  while (at) {
    // What an undo put back was there before: the entries that it goes on from tell of it.
    if (at.command !== UNDO) line.push(at)
    at = entries[seqBefore(at) - first]
  }
  return line.reverse()
}

/** Whether a command leads back to what a world was before: timers come again that had been set already. */
export const goesBack = (command: string): boolean =>
  command === UNDO || command === 'snapshot.restore'

const NOTHING = -1

/** The number of the entry that an entry goes on from. */
const seqBefore = ({ seq, command, input }: Entry): number => {
  if (command === 'world.begin') return NOTHING
  return (goesBack(command) ? (input as JumpBack).after : undefined) ?? seq - 1
}
