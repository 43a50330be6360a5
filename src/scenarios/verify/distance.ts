import { editDistance } from '../../lib/suggest.js'
import { parseDecimal } from '../language/comparison.js'
import type { Difference } from './differences.js'

/** How far the values of differences are from what was wanted together: from 0 to 1 for each. */
export const measureDistance = (differs: readonly Difference[]): number =>
  differs.reduce((sum, { wanted, came }) => sum + findNearest(wanted, came), 0)

/** A condition may name several values: the nearest counts. */
const findNearest = (wanted: unknown, came: unknown): number => {
  const values = typeof wanted === 'object' && wanted !== null ? Object.values(wanted) : [wanted]
  return Math.min(1, ...values.flat().map((value) => between(value, came)))
}

const MAX_LENGTH = 200

const between = (wanted: unknown, came: unknown): number => {
  const [a, b] = [parseDecimal(wanted), parseDecimal(came)]
  if (a && b) {
    const larger = a.abs().gt(b.abs()) ? a.abs() : b.abs()
    return larger.eq(0) ? 0 : Math.min(1, a.minus(b).abs().div(larger).toNumber())
  }
  if (typeof wanted !== 'string' || typeof came !== 'string') return 1
  const longest = Math.max(wanted.length, came.length, 1)
  return longest > MAX_LENGTH ? 1 : editDistance(wanted, came) / longest
}
