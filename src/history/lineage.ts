import type { Entry } from '../kernel/entry.js'
import { REDO, UNDO } from '../kernel/kernel.js'

/** The target of an undo, redo, reset or restore. */
interface JumpBack {
  readonly after?: number
}

/**
 * The entries that lead to the present state, oldest first, without entries that an undo, a restore
 * or a reset removed. `entries` must have no gap.
 */
export const buildLineage = (entries: readonly Entry[]): Entry[] => {
  const first = entries[0]?.seq ?? 0
  const line: Entry[] = []
  let at = entries.at(-1)
  while (at) {
    // The restored state is that of earlier entries, so the undo or redo itself adds nothing.
    if (at.command !== UNDO && at.command !== REDO) line.push(at)
    at = entries[seqBefore(at) - first]
  }
  return line.reverse()
}

/** Such a command can restore timers that rules set earlier. */
export const goesBack = (command: string): boolean =>
  command === UNDO || command === REDO || command === 'snapshot.restore'

/** Whether another world takes the place of the one before: by a reset, a restore, or the undo of one. */
export const replacesWorld = ({ command, input }: Entry): boolean =>
  command === 'world.begin' ||
  command === 'snapshot.restore' ||
  ((command === UNDO || command === REDO) && Object(input).snapshot !== undefined)

const NOTHING = -1

/** Returns the number of the previous entry in the lineage. */
const seqBefore = ({ seq, command, input }: Entry): number => {
  if (command === 'world.begin') return NOTHING
  return (goesBack(command) ? (input as JumpBack).after : undefined) ?? seq - 1
}
