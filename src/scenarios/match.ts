import Big from 'big.js'
import type { Rule } from './language.js'

type Conditions = Rule['if']
type Condition = NonNullable<Conditions>[string]

/** Whether a record has all the fields that a rule asks for. */
export const matches = (conditions: Conditions, subject: object): boolean => {
  if (!conditions) return true
  for (const [field, condition] of Object.entries(conditions)) {
    if (!holds(condition, (subject as Record<string, unknown>)[field])) return false
  }
  return true
}

const holds = (condition: Condition, value: unknown): boolean =>
  Array.isArray(condition) ? condition.some((one) => isSame(one, value)) : isSame(condition, value)

/** Strings exactly; a number compares with an amount as a decimal. */
const isSame = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'number' || typeof value !== 'string') return wanted === value
  return /^-?\d+(\.\d+)?$/.test(value) && new Big(value).eq(wanted)
}
