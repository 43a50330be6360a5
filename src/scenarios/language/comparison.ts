import { Decimal } from '../../domain/decimal.js'
import { parseInstant } from '../../kernel/time.js'
import { DECIMAL } from './operators.js'

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
