import * as z from 'zod'
import { copyWorld, type World } from '../domain/world.js'
import { invalidInput, ruleViolation } from '../kernel/refusal.js'

/** A named copy of a world. A restore copies it again, so it never changes. */
export interface Snapshot {
  readonly name: string
  /** Number of the entry that took it. */
  readonly seq: number
  readonly world: World
}

/** Snapshots per world, automatic ones not counted. */
export const MAX_SNAPSHOTS = 100

/** A reset, a restore, and the undo of either first take a snapshot of this name. */
export const BEFORE_RESET = 'before-reset'
export const BEFORE_RESTORE = 'before-restore'
export const BEFORE_UNDO = 'before-undo'
const RESERVED = 'before-'

const NAME = 'a name of a-z, 0-9 and -, 1 to 64 characters'
export const snapshotName = () => z.string(NAME).regex(/^[a-z0-9-]{1,64}$/, NAME)

export const isAutomatic = ({ name }: Pick<Snapshot, 'name'>): boolean => name.startsWith(RESERVED)

/** Costs a shallow copy: records are shared. */
export const createSnapshot = (name: string, world: World): Snapshot => ({
  name,
  seq: world.seq,
  world: copyWorld(world),
})

/** Throws a Refusal for a reserved name, and beyond the limit. */
export const assertMayTake = (name: string, snapshots: readonly Snapshot[]): void => {
  if (isAutomatic({ name })) {
    throw invalidInput(
      'name',
      name,
      `a name that does not begin with ${RESERVED}`,
      'Only a reset, a restore and an undo take snapshots of such names',
    )
  }
  const taken = snapshots.filter((snapshot) => !isAutomatic(snapshot))
  if (taken.length < MAX_SNAPSHOTS || taken.some((snapshot) => snapshot.name === name)) return
  throw ruleViolation(
    'name',
    `this world has ${MAX_SNAPSHOTS} snapshots, which is the limit. Delete one, or reuse a name`,
  )
}
