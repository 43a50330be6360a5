import type { LiveWorld } from '../worlds/live-world.js'

/** A page or a judgement is out of date when one of these numbers changes. */
export const readState = ({ journal, requests }: LiveWorld) => ({
  seq: journal.newest,
  requests: requests.revision,
})

/** Computes once for each state of a world: readers look around in it. */
export const oncePerState = <V extends { readonly live: LiveWorld }, T>(
  compute: (view: V) => T,
): ((view: V) => T) => {
  const known = new WeakMap<LiveWorld, { readonly state: string; readonly value: T }>()
  return (view) => {
    const state = JSON.stringify(readState(view.live))
    const kept = known.get(view.live)
    if (kept?.state === state) return kept.value
    const value = compute(view)
    known.set(view.live, { state, value })
    return value
  }
}
