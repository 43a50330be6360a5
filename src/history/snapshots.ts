import { copyWorld, type World } from '../domain/world.js'

/** A named copy of a world. A restore copies it again, so it never changes. */
export interface Snapshot {
  readonly name: string
  /** Number of the entry that took it. */
  readonly seq: number
  readonly world: World
}

/** Snapshots per world. */
export const MAX_SNAPSHOTS = 100

/** Costs a shallow copy: records are shared. */
export const createSnapshot = (name: string, world: World): Snapshot => {
  const kept = copyWorld(world, {
    evaluateRules: () => undefined,
    record: () => {},
    seq: world.seq,
  })
  return { name, seq: world.seq, world: kept }
}
