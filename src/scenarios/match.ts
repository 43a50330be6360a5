import { Big } from '../world/big.js'
import {
  type Condition,
  type Conditions,
  DECIMAL,
  isOperators,
  type Operators,
} from './conditions.js'
import { patternOf } from './patterns.js'

/** Gives a field of what a rule looks at; undefined when it is not there. */
export type View = (field: string) => unknown

/** Tells whether all conditions hold. */
export type Matcher = (view: View) => boolean

type Check = (value: unknown) => boolean

/** Makes conditions ready, so that asking costs next to nothing. */
export const matcherOf = (conditions: Conditions = {}): Matcher => {
  const checks = checksOf(conditions)
  return (view) => checks.every(({ field, holds }) => holds(view(field)))
}

const checksOf = (conditions: Conditions): { field: string; holds: Check }[] =>
  Object.entries(conditions).map(([field, condition]) => ({ field, holds: checkOf(condition) }))

/** A field of a plain object; what every object inherits is none. */
const fieldOf = (object: object, field: string): unknown =>
  Object.hasOwn(object, field) ? (object as Record<string, unknown>)[field] : undefined

/** A view of a plain object. */
export const viewOf =
  (object: object): View =>
  (field) =>
    fieldOf(object, field)

/** Makes one condition ready. */
export const checkOf = (condition: Condition): Check => {
  if (Array.isArray(condition)) return anyOf(condition)
  if (typeof condition !== 'object' || condition === null)
    return (value) => isSame(condition, value)
  if (isOperators(condition)) return allOf(condition)
  const checks = checksOf(condition as Conditions)
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(({ field, holds }) => holds(fieldOf(value, field)))
}

const anyOf =
  (wanted: readonly unknown[]): Check =>
  (value) =>
    wanted.some((one) => isSame(one, value))

const allOf = (operators: Operators): Check => {
  const checks = Object.entries(operators).map(([operator, operand]) =>
    CHECKS[operator as keyof Operators](operand as never),
  )
  return (value) => checks.every((holds) => holds(value))
}

const CHECKS: { [K in keyof Required<Operators>]: (operand: never) => Check } = {
  eq: (operand) => (value) => isSame(operand, value),
  ne: (operand) => (value) => !isSame(operand, value),
  lt: (operand) => ordered(operand, (order) => order < 0),
  lte: (operand) => ordered(operand, (order) => order <= 0),
  gt: (operand) => ordered(operand, (order) => order > 0),
  gte: (operand) => ordered(operand, (order) => order >= 0),
  in: (operand) => anyOf(operand),
  matches: (operand: string) => {
    const matches = patternOf(operand)
    return (value) => typeof value === 'string' && matches(value)
  },
  starts_with: (operand: string) => (value) =>
    typeof value === 'string' && value.startsWith(operand),
  ends_with: (operand: string) => (value) => typeof value === 'string' && value.endsWith(operand),
  exists: (operand: boolean) => (value) => (value !== undefined && value !== null) === operand,
}

const decimalOf = (value: unknown): Big | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? new Big(value) : undefined
}

/** Strings exactly; a number compares with an amount as a decimal. */
const isSame = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'number' || typeof value !== 'string') return wanted === value
  return decimalOf(value)?.eq(wanted) ?? false
}

/** Amounts by size; other texts, such as date-times, by their letters. */
const ordered = (operand: number | string, fits: (order: number) => boolean): Check => {
  const wanted = decimalOf(operand)
  return (value) => {
    const came = decimalOf(value)
    if (wanted && came) return fits(came.cmp(wanted))
    const texts = typeof value === 'string' && typeof operand === 'string'
    return texts && !wanted && fits(value < operand ? -1 : value > operand ? 1 : 0)
  }
}
