import type { Count } from '../language/expectations.js'

const DEFAULT: Count = { gte: 1 }

type Bounds = Exclude<Count, number>
const toBounds = (count: Count = DEFAULT): Bounds => {
  if (typeof count === 'number') return { eq: count }
  const { gte, lte, ...others } = count
  return gte !== undefined && gte === lte ? { ...others, eq: gte } : count
}

type Bound = keyof Bounds
const eachBound = (count: Count | undefined): [Bound, number][] =>
  Object.entries(toBounds(count)).filter(([, number]) => number !== undefined) as [Bound, number][]

const HOLDS: Readonly<Record<Bound, (wanted: number, least: number, most: number) => boolean>> = {
  eq: (wanted, least, most) => least === wanted && most === wanted,
  ne: (wanted, least, most) => most < wanted || wanted < least,
  lt: (wanted, _, most) => most < wanted,
  lte: (wanted, _, most) => most <= wanted,
  gt: (wanted, least) => least > wanted,
  gte: (wanted, least) => least >= wanted,
}

/** Whether a count holds, although up to `gone` evicted items may belong to it. */
export const isCount = (found: number, count: Count | undefined, gone = 0): boolean =>
  eachBound(count).every(([bound, wanted]) => HOLDS[bound](wanted, found, found + gone))

/** Whether more items would have met the count. */
export const isTooFew = (found: number, count: Count | undefined): boolean =>
  eachBound(count).some(
    ([bound, wanted]) =>
      !HOLDS[bound](wanted, found, found) &&
      (bound === 'gt' || bound === 'gte' || (bound === 'eq' && found < wanted)),
  )

/** Whether fewer items always meet the count too. */
export const isUpperBound = (count: Count | undefined): boolean =>
  eachBound(count).every(
    ([bound, wanted]) => bound === 'lt' || bound === 'lte' || (bound === 'eq' && wanted === 0),
  )

const WORDS: Readonly<Record<Bound, string>> = {
  eq: 'exactly ',
  ne: 'any number but ',
  lt: 'fewer than ',
  lte: 'at most ',
  gt: 'more than ',
  gte: 'at least ',
}

/** `at least 1 and at most 3`, `none` */
export const formatCount = (count: Count | undefined): string =>
  eachBound(count)
    .map(([it, number]) => (it === 'eq' && number === 0 ? 'none' : `${WORDS[it]}${number}`))
    .join(' and ')
