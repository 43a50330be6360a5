import * as z from 'zod'
import { MAX_SNAPSHOTS, type Snapshot } from '../journal/snapshots.js'
import type { Cause } from '../kernel/entry.js'
import { notFound, ruleViolation } from '../kernel/refusal.js'
import type { LiveWorld } from '../runtime/live-world.js'

const NAME = 'a name of a-z, 0-9 and -, 1 to 64 characters'
export const snapshotName = () => z.string(NAME).regex(/^[a-z0-9-]{1,64}$/, NAME)

/** The snapshot of this name; refuses one that is not there. */
export const findSnapshot = (live: LiveWorld, name: string): Snapshot => {
  const found = live.snapshot(name)
  if (found) return found
  const names = live.snapshots().map((it) => it.name)
  const known = names.length > 0 ? `this world has ${names.join(', ')}` : 'this world has none yet'
  throw notFound('name', `no snapshot is named ${name}; ${known}`)
}

/** Takes a snapshot, in place of an earlier one of that name, unless there are too many. */
export const keepSnapshot = (live: LiveWorld, name: string, cause: Cause): Snapshot => {
  if (live.snapshot(name) || live.snapshots().length < MAX_SNAPSHOTS) {
    return live.takeSnapshot(name, cause)
  }
  throw ruleViolation(
    'name',
    `${MAX_SNAPSHOTS} snapshots are there, which is the limit; delete one, or take one of their names`,
  )
}
