import * as z from 'zod'
import { MAX_SNAPSHOTS, type Snapshot } from '../history/snapshots.js'
import type { Cause } from '../kernel/entry.js'
import { notFound, ruleViolation } from '../kernel/refusal.js'
import type { LiveWorld } from './live-world.js'

const NAME = 'a name of a-z, 0-9 and -, 1 to 64 characters'
export const snapshotName = () => z.string(NAME).regex(/^[a-z0-9-]{1,64}$/, NAME)

/** Throws a Refusal that lists the snapshots if none has this name. */
export const findSnapshot = (live: LiveWorld, name: string): Snapshot => {
  const found = live.snapshot(name)
  if (found) return found
  const names = live.snapshots().map((it) => it.name)
  const known = names.length > 0 ? `This world has ${names.join(', ')}` : 'This world has none'
  throw notFound('name', `no snapshot has the name ${name}. ${known}`)
}

/** Replaces the snapshot of that name. Throws a Refusal beyond the limit. */
export const keepSnapshot = (live: LiveWorld, name: string, cause: Cause): Snapshot => {
  if (live.snapshot(name) || live.snapshots().length < MAX_SNAPSHOTS) {
    return live.takeSnapshot(name, cause)
  }
  throw ruleViolation(
    'name',
    `this world has ${MAX_SNAPSHOTS} snapshots, which is the limit. Delete one, or reuse a name`,
  )
}
