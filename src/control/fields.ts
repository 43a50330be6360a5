import * as z from 'zod'
import { amount, uuid } from '../contract/fields.js'
import { didYouMean } from '../nearest.js'
import { plainDecimal } from '../world/money.js'

/** An amount as a string or, for convenience by hand, as a plain JSON number. */
export const anyAmount = () =>
  z.union([amount(AMOUNT), z.number().positive().transform(plainDecimal)], { error: AMOUNT })

const AMOUNT = 'an amount above zero, as "12.50" or 12.5'

export const INSTANT_FORM = 'an ISO 8601 date-time with its zone such as 2026-06-15T09:30:00Z'

export const instant = () => z.iso.datetime({ offset: true, error: INSTANT_FORM })

export const idPath = z.object({ id: uuid().meta({ description: 'Identifier' }) })

/** What a body may hold, and nothing else: a misspelt field must not be missed in silence. */
export const fields = <S extends z.ZodRawShape>(shape: S) => {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? known.join(', ') + didYouMean(issue.keys[0] ?? '', known)
        : undefined,
  })
}
