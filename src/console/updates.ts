import type { LiveWorld } from '../worlds/live-world.js'

/** The parts of a page: new ones, and the place and number of those that the viewer has. */
export type Update = readonly (string | readonly [start: number, count: number])[]

interface Shown {
  readonly id: string
  readonly page: string
  readonly parts: readonly string[]
  /** As JSON, by the page that the viewer has. */
  readonly updates: Map<string, string>
}

/** Beginnings of elements whose content changes as a whole. */
const PART = /(?=<(?:a|button|dd|div|form|h[1-3]|li|p|section|td|time|tr)\b)/

/** Of each page, viewers may have the newest update or the one before. */
const MAX_KEPT = 2
const MAX_PAGES = 100

const pages = new WeakMap<LiveWorld, Map<string, Shown[]>>()

let count = 0

const keep = (live: LiveWorld, address: string, page: string): Shown[] => {
  const known = pages.get(live) ?? new Map<string, Shown[]>()
  pages.set(live, known)
  const kept = known.get(address) ?? []
  if (kept[0]?.page === page) return kept
  const shown = { id: String(++count), page, parts: page.split(PART), updates: new Map() }
  const all = [shown, ...kept].slice(0, MAX_KEPT)
  // The newest address comes last, so that the first one is forgotten.
  known.delete(address)
  known.set(address, all)
  for (const old of known.keys()) if (known.size > MAX_PAGES) known.delete(old)
  return all
}

/** The update for a viewer of the page `has`: all of it if that page is forgotten. */
export const toUpdate = (live: LiveWorld, address: string, page: string, has: string) => {
  const [newest, ...older] = keep(live, address, page) as [Shown, ...Shown[]]
  const { id, parts, updates } = newest
  const before = [newest, ...older].find((it) => it.id === has)
  const known = updates.get(before?.id ?? '')
  if (known !== undefined) return { id, update: known }
  const update = JSON.stringify(findUpdate(before?.parts ?? [], parts))
  updates.set(before?.id ?? '', update)
  return { id, update }
}

const findUpdate = (before: readonly string[], after: readonly string[]): Update => {
  const places = new Map<string, number>()
  for (const [i, part] of before.entries()) if (!places.has(part)) places.set(part, i)
  const update: (string | [number, number])[] = []
  let next = 0
  for (const part of after) {
    const place = before[next] === part ? next : places.get(part)
    const last = update.at(-1)
    next = (place ?? next) + 1
    if (place === undefined) update.push(part)
    else if (typeof last === 'object' && last[0] + last[1] === place) last[1]++
    else update.push([place, 1])
  }
  return update
}
