import { DEFAULT_WORLD } from '../lib/secrets.js'
import { DataError } from './errors.js'
import type { KnownWorld, KnownWorlds } from './known-worlds.js'
import type { CaughtUp, StoredCopy, WholeWorld, WorldLog } from './port.js'

/*
 * Catching up, in phases. The log is asked what follows the head of a world. Commits of this process that are on their way
 * may be that news, or fail, so they settle first. Then the copy in memory follows the news. If the log no longer has the
 * world, the copy has ended. A world without a copy is read as the log has it.
 *
 * `Standing` (port.ts) says what a copy may do: one that is not fresh changes nothing until it has caught up.
 */

interface Stored {
  readonly log: WorldLog
  readonly worlds: KnownWorlds
}

/**
 * Brings a world up to what the log holds; undefined if it is. `whole`: with all of its history. Resolves with what the
 * log has of a world that is not in memory.
 */
export const catchUp = (
  stored: Stored,
  id: string,
  how?: 'whole',
): Promise<WholeWorld | undefined> | undefined => {
  const world = stored.worlds.find(id)
  const { copy } = world ?? {}
  if (!world || !copy) return world?.stored ? undefined : read(stored, id, how)
  if (!stored.log.isShared && copy.standing === 'fresh') return undefined
  return follow(stored, world, copy, how).then(() => undefined)
}

const read = async (
  { log, worlds }: Stored,
  id: string,
  how?: 'whole',
): Promise<WholeWorld | undefined> => {
  const found = await log.catchUp(id, undefined, how)
  const known = worlds.find(id)
  if (known?.copy) return undefined
  if (!found) {
    if (known) worlds.forget(known)
    return undefined
  }
  const { head, world } = found
  if (!world) throw new DataError(`world ${id}: the log returned only a part of it`)
  const opened = worlds.know(id)
  worlds.setHead(opened, head)
  opened.isPartial = !how && world.seq !== log.origin?.base.seq
  return { ...found, world }
}

/** Brings a copy up to what the log holds. */
export const follow = async (
  stored: Stored,
  world: KnownWorld,
  copy: StoredCopy,
  how?: 'whole',
): Promise<void> => {
  // Its first commit may have landed long before the answer to it, and others may have gone on from there.
  if (!world.head) await world.settled()
  while (world.copy === copy) {
    const isWhole = copy.standing === 'unknown' || (how !== undefined && world.isPartial)
    const found = await ask(stored.log, world, isWhole)
    if (world.copy !== copy) return
    // Its steps were stored, or rolled back, since the log was asked.
    const isOld = isWhole ? world.isAheadOf(found) : copy.standing === 'unknown'
    if (!isOld) return adopt(stored.worlds, world, copy, found, isWhole)
  }
}

const ask = async (
  log: WorldLog,
  world: KnownWorld,
  isWhole: boolean,
): Promise<CaughtUp | undefined> => {
  const known = isWhole ? undefined : world.head
  const found = await log.catchUp(world.id, known, isWhole ? 'whole' : undefined)
  // Own entries are the news, or they fail and are rolled back.
  while (world.stored && (isWhole || world.lacks(found))) await world.settled()
  return found
}

const adopt = (
  worlds: KnownWorlds,
  world: KnownWorld,
  copy: StoredCopy,
  found: CaughtUp | undefined,
  isWhole: boolean,
): void => {
  const isOther = found?.world && !isWhole && world.id !== DEFAULT_WORLD
  if (!found || isOther) {
    worlds.forget(world)
    copy.standing = 'deleted'
    return
  }
  if (isWhole || world.lacks(found)) {
    // If it cannot follow, it is half way there.
    copy.standing = 'unknown'
    copy.follow(found)
    worlds.setHead(world, found.head)
    if (isWhole) world.isPartial = false
  }
  copy.standing = 'fresh'
}
