import * as z from 'zod'
import { MOST_SNAPSHOTS, type Snapshot } from '../journal/snapshots.js'
import type { Timeline } from '../timeline.js'
import type { Cause } from '../world/kernel/entry.js'
import { broken, unknown } from '../world/kernel/refusal.js'

const NAME = 'a name of a-z, 0-9 and -, 1 to 64 characters'
export const snapshotName = () => z.string(NAME).regex(/^[a-z0-9-]{1,64}$/, NAME)

/** The snapshot of this name; refuses one that is not there. */
export const findSnapshot = (line: Timeline, name: string): Snapshot => {
  const found = line.snapshot(name)
  if (found) return found
  const names = line.snapshots().map((it) => it.name)
  const known = names.length > 0 ? `this world has ${names.join(', ')}` : 'this world has none yet'
  throw unknown('name', `no snapshot is named ${name}; ${known}`)
}

/** Takes a snapshot, in place of an earlier one of that name, unless there are too many. */
export const keepSnapshot = (line: Timeline, name: string, cause: Cause): Snapshot => {
  if (line.snapshot(name) || line.snapshots().length < MOST_SNAPSHOTS) {
    return line.takeSnapshot(name, cause)
  }
  throw broken(
    'name',
    `${MOST_SNAPSHOTS} snapshots are there, which is the limit; delete one, or take one of their names`,
  )
}
