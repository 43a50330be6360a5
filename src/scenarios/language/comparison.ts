import { Decimal } from '../../domain/decimal.js'
import { DECIMAL } from './operators.js'

/** Undefined for other values than numbers and numeric text. */
export const parseDecimal = (value: unknown): Decimal | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? new Decimal(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? new Decimal(value) : undefined
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const parseInstant = (value: unknown): number =>
  typeof value === 'string' && DATE_TIME.test(value) ? Date.parse(value) : Number.NaN

/** Compares amounts by value, date-times as instants, other texts by spelling. */
export const compareOrdered = (
  operand: number | string,
  fits: (order: number) => boolean,
): ((value: unknown) => boolean) => {
  const wanted = parseDecimal(operand)
  const instant = parseInstant(operand)
  return (value) => {
    const came = parseDecimal(value)
    if (wanted && came) return fits(came.cmp(wanted))
    const since = parseInstant(value) - instant
    if (!Number.isNaN(since)) return fits(since)
    const texts = typeof value === 'string' && typeof operand === 'string'
    return texts && !wanted && fits(value < operand ? -1 : value > operand ? 1 : 0)
  }
}
