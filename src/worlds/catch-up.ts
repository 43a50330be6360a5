import { DEFAULT_WORLD } from '../lib/secrets.js'
import type { CaughtUp, Head, StoredCopy, WorldLog } from './port.js'

/*
 * Catching up, in phases. The log is asked what follows the head of a world. Commits of this process that are on their way
 * may be that news, or fail, so they settle first. Then the copy in memory follows the news. If the log no longer has the
 * world, the copy has ended.
 *
 * `Standing` (port.ts) says what a copy may do: one that is not fresh changes nothing until it has caught up.
 */

interface Stored {
  readonly log: WorldLog
  /** Resolves once all steps of a world are stored; undefined if they are. */
  stored(id: string): Promise<void> | undefined
  /** Resolves once all steps of a world are stored, or rolled back. */
  settled(id: string): Promise<void>
  setHead(copy: StoredCopy, head: Head | undefined): void
}

const hasEnded = ({ standing }: StoredCopy): boolean =>
  standing === 'deleted' || standing === 'gone'

/** Brings a copy up to what the log holds. `whole`: with all of its history. */
export const follow = async (stored: Stored, copy: StoredCopy, how?: 'whole'): Promise<void> => {
  // Its first commit may have landed long before the answer to it, and others may have gone on from there.
  if (!copy.head) await stored.settled(copy.id)
  while (!hasEnded(copy)) {
    const isWhole = copy.standing === 'unknown' || (how !== undefined && copy.isPartial)
    const found = await ask(stored, copy, isWhole)
    if (hasEnded(copy)) return
    // Its steps were stored, or rolled back, since the log was asked.
    const isOld = isWhole ? isBehind(found, copy) : copy.standing === 'unknown'
    if (!isOld) return adopt(stored, copy, found, isWhole)
  }
}

const ask = async (
  stored: Stored,
  copy: StoredCopy,
  isWhole: boolean,
): Promise<CaughtUp | undefined> => {
  const { id } = copy
  const known = isWhole ? undefined : copy.head
  const found = await stored.log.catchUp(id, known, isWhole ? 'whole' : undefined)
  // Own entries are the news, or they fail and are rolled back.
  while (stored.stored(id) && (isWhole || isNews(found, copy))) await stored.settled(id)
  return found
}

const adopt = (
  stored: Stored,
  copy: StoredCopy,
  found: CaughtUp | undefined,
  isWhole: boolean,
): void => {
  const isOther = found?.world && !isWhole && copy.id !== DEFAULT_WORLD
  if (!found || isOther) {
    stored.setHead(copy, undefined)
    copy.standing = 'deleted'
    return
  }
  if (isWhole || isNews(found, copy)) {
    // If it cannot follow, it is half way there.
    copy.standing = 'unknown'
    copy.follow(found)
    stored.setHead(copy, found.head)
    if (isWhole) copy.isPartial = false
  }
  copy.standing = 'fresh'
}

const isNews = (found: CaughtUp | undefined, { head }: StoredCopy): boolean =>
  !found || !head || found.world !== undefined || found.head.seq > head.seq

const isBehind = (found: CaughtUp | undefined, { head }: StoredCopy): boolean =>
  found !== undefined && found.head.seq < (head?.seq ?? 0)
