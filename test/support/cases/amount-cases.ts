import { MISSING } from '../with-field.js'
import { type FieldCase, field } from './field-cases.js'

/** Refused values of an amount in the control API, which accepts text and numbers. */
export const amountCases = (name: string): FieldCase[] => {
  const text = field(name, 'amount')
  return [
    {
      field: name,
      accepted: 'an amount above zero, as "12.50" or 12.5',
      wrong: [
        ...text.wrong.filter(([value]) => typeof value === 'string'),
        [MISSING, 'nothing'],
        [null, 'null'],
        [0, '0'],
        [-5, '-5'],
        [-1e-9, '-1e-9'],
        [true, 'true'],
        [[], 'an empty array'],
        [['5'], 'an array'],
        [{}, 'an object'],
      ],
    },
  ]
}
