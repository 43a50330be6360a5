import { compareOrdered } from './comparison.js'

/** Bounds of conditions and counts. */
export interface Bounds {
  readonly gt?: number | string | undefined
  readonly gte?: number | string | undefined
  readonly lt?: number | string | undefined
  readonly lte?: number | string | undefined
}

/** An upper bound below the lower one, and the accepted bounds. */
export interface EmptyRange {
  readonly upper: 'lt' | 'lte'
  readonly accepted: string
}

/** A rule or an expectation with an empty range could never match. */
export const emptyRange = (bounds: Bounds): EmptyRange | undefined => {
  for (const lower of ['gt', 'gte'] as const) {
    for (const upper of ['lt', 'lte'] as const) {
      const from = bounds[lower]
      const to = bounds[upper]
      if (from === undefined || to === undefined) continue
      const mayBeSame = lower === 'gte' && upper === 'lte'
      const leavesSome = compareOrdered(from, (order) => order > 0 || (mayBeSame && order === 0))
      if (leavesSome(to)) continue
      const accepted = `${mayBeSame ? 'at least' : 'more than'} the ${lower}, ${JSON.stringify(from)}`
      return { upper, accepted }
    }
  }
  return undefined
}
