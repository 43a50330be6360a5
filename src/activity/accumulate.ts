import { goesBack, replacesWorld } from '../history/lineage.js'
import type { Entry } from '../kernel/entry.js'
import type { LiveWorld } from '../worlds/live-world.js'
import type { View } from './view.js'

interface Kept<T> {
  readonly value: T
  readonly rewinds: number
  seq: number
}

/**
 * Keeps a value that the entries of a world add up to. A reader pays for the entries since the last look, and for all of
 * them only if the world went back, or if `isFull`.
 */
export const accumulate = <T>(
  begin: (view: View) => T,
  add: (value: T, entry: Entry, view: View) => void,
  isFull: (value: T) => boolean = () => false,
): ((view: View) => T) => {
  const known = new WeakMap<LiveWorld, Kept<T>>()
  return (view) => {
    const { journal } = view.live
    const kept = known.get(view.live)
    const isUsable = kept?.rewinds === journal.rewinds && journal.hasAllAfter(kept.seq)
    const since = isUsable ? journal.newestAfter(kept.seq, Number.POSITIVE_INFINITY) : undefined
    const isBack = since?.some((it) => goesBack(it.command) || replacesWorld(it))
    if (kept && since && !isBack && !isFull(kept.value)) {
      for (const entry of since) add(kept.value, entry, view)
      kept.seq = journal.newest
      return kept.value
    }
    const value = begin(view)
    known.set(view.live, { value, rewinds: journal.rewinds, seq: journal.newest })
    return value
  }
}
