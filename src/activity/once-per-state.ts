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
  const known = new WeakMap<LiveWorld, ReturnType<typeof readState> & { readonly value: T }>()
  return (view) => {
    const state = readState(view.live)
    const kept = known.get(view.live)
    if (kept?.seq === state.seq && kept.requests === state.requests) return kept.value
    const value = compute(view)
    known.set(view.live, { ...state, value })
    return value
  }
}
