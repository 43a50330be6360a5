import type { Count } from './expectations.js'

/** How many were wanted; at least one when nothing is said. */
const DEFAULT: Count = { gte: 1 }

type Bounds = Exclude<Count, number>
const boundsOf = (count: Count = DEFAULT): Bounds =>
  typeof count === 'number' ? { eq: count } : count

type Bound = keyof Bounds
const eachBound = (count: Count | undefined): [Bound, number][] =>
  Object.entries(boundsOf(count)).filter(([, number]) => number !== undefined) as [Bound, number][]

const HOLDS: Readonly<Record<Bound, (found: number, wanted: number) => boolean>> = {
  eq: (found, wanted) => found === wanted,
  ne: (found, wanted) => found !== wanted,
  lt: (found, wanted) => found < wanted,
  lte: (found, wanted) => found <= wanted,
  gt: (found, wanted) => found > wanted,
  gte: (found, wanted) => found >= wanted,
}

/** Whether so many are as many as wanted, however many of those that are `gone` were among them. */
export const isCount = (found: number, count: Count | undefined, gone = 0): boolean =>
  eachBound(count).every(([bound, wanted]) => {
    const most = found + gone
    const isBetween = found < wanted && wanted < most
    return (
      HOLDS[bound](found, wanted) && HOLDS[bound](most, wanted) && !(bound === 'ne' && isBetween)
    )
  })

/** Whether a count was missed because more would have been needed. */
export const isTooFew = (found: number, count: Count | undefined): boolean =>
  eachBound(count).some(
    ([bound, wanted]) =>
      !HOLDS[bound](found, wanted) &&
      (bound === 'gt' || bound === 'gte' || (bound === 'eq' && found < wanted)),
  )

const WORDS: Readonly<Record<Bound, string>> = {
  eq: '',
  ne: 'any number but ',
  lt: 'fewer than ',
  lte: 'at most ',
  gt: 'more than ',
  gte: 'at least ',
}

/** A count in words, and whether the noun after it stands in the singular. */
export const countWords = (count: Count | undefined): { words: string; isOne: boolean } => {
  const bounds = eachBound(count)
  const [bound, wanted] = bounds.at(-1) ?? ['gte', 0]
  if (bound === 'eq' && wanted === 0 && bounds.length === 1) return { words: 'no', isOne: true }
  const words = bounds.map(([it, number]) => `${WORDS[it]}${number}`).join(' and ')
  return { words, isOne: wanted === 1 }
}
