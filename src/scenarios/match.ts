import Big from 'big.js'
import type { Rule } from './language.js'

type Condition = NonNullable<Rule['if']>[string]

/** Tells whether a record has all the fields that a rule asks for. */
export type Matcher = (subject: object) => boolean

export const matcherOf = (conditions: Rule['if'] = {}): Matcher => {
  const wanted = Object.entries(conditions)
  return (subject) =>
    wanted.every(([field, condition]) =>
      holds(condition, (subject as Record<string, unknown>)[field]),
    )
}

const holds = (condition: Condition, value: unknown): boolean =>
  Array.isArray(condition) ? condition.some((one) => isSame(one, value)) : isSame(condition, value)

/** Strings exactly; a number compares with an amount as a decimal. */
const isSame = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'number' || typeof value !== 'string') return wanted === value
  return /^-?\d+(\.\d+)?$/.test(value) && new Big(value).eq(wanted)
}
