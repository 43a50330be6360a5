import { Decimal } from '../../domain/money.js'
import { parseInstant } from '../../kernel/time.js'

/** Text that compares as a number. */
export const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?$/

/** Undefined for other values than numbers and numeric text. */
export const parseDecimal = (value: unknown): Decimal | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? new Decimal(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? new Decimal(value) : undefined
}

const toInstant = (value: unknown): number =>
  typeof value === 'string' ? parseInstant(value) : Number.NaN

/** Compares amounts by value, date-times as instants, other texts by spelling. */
export const compareOrdered = (
  operand: number | string,
  fits: (order: number) => boolean,
): ((value: unknown) => boolean) => {
  const wanted = parseDecimal(operand)
  const instant = toInstant(operand)
  return (value) => {
    const came = parseDecimal(value)
    if (wanted && came) return fits(came.cmp(wanted))
    const since = toInstant(value) - instant
    if (!Number.isNaN(since)) return fits(since)
    const texts = typeof value === 'string' && typeof operand === 'string'
    return texts && !wanted && fits(value < operand ? -1 : value > operand ? 1 : 0)
  }
}

type Bounds = { readonly [B in 'gt' | 'gte' | 'lt' | 'lte']?: number | string | undefined }

/** An upper bound below the lower one, and the accepted bounds: such a range could never match. */
export const emptyRange = (
  bounds: Bounds,
): { readonly upper: 'lt' | 'lte'; readonly accepted: string } | undefined => {
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
