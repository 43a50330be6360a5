import * as z from 'zod'
import { amount, uuid } from '../contract/fields.js'

/** An amount as a string or, for convenience by hand, as a plain JSON number. */
export const anyAmount = () =>
  z.union([amount(), z.number().positive().transform(plainDecimal)], {
    error: 'an amount above zero, as "12.50" or 12.5',
  })

/** A number's shortest decimal digits; tiny and huge ones keep an exponent and are refused later. */
const plainDecimal = (value: number): string => String(value)

export const idPath = z.object({ id: uuid().meta({ description: 'Identifier' }) })
