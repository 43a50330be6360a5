import { copyWorld, type World } from '../domain/world.js'

/** A world as it was when it was kept under a name. It is only ever copied. */
export interface Snapshot {
  readonly name: string
  /** Number of the entry that took it. */
  readonly seq: number
  readonly world: World
}

/** So many snapshots a world can have. */
export const MAX_SNAPSHOTS = 100

/** Keeps a world as it is now. Costs a shallow copy: the records are shared. */
export const createSnapshot = (name: string, world: World): Snapshot => {
  const kept = copyWorld(world, {
    evaluateRules: () => undefined,
    record: () => {},
    seq: world.seq,
  })
  return { name, seq: world.seq, world: kept }
}
