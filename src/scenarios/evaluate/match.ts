import { ordered, parseDecimal } from '../language/comparison.js'
import {
  type Condition,
  type Conditions,
  isOperators,
  type Operators,
} from '../language/conditions.js'
import type { Fields } from '../language/fields.js'
import { compilePattern } from '../language/patterns.js'

/** Gives a field of what a rule looks at; undefined when it is not there. */
export type FieldReader = (field: string) => unknown

/** Tells whether all conditions hold. */
export type Matcher = (reader: FieldReader) => boolean

type Check = (value: unknown) => boolean
type Kind = Fields[string] | undefined

/** Makes conditions on these fields ready, so that asking costs next to nothing. */
export const createMatcher = (conditions: Conditions = {}, fields: Kind = {}): Matcher => {
  const checks = compileChecks(conditions, fields)
  return (reader) => checks.every(({ field, holds }) => holds(reader(field)))
}

const compileChecks = (conditions: Conditions, fields: Kind): { field: string; holds: Check }[] =>
  Object.entries(conditions).map(([name, condition]) => ({
    field: nameIn(fields, name),
    holds: compileCheck(condition, kindIn(fields, name)),
  }))

/** The name of a field as it is kept: headers are named in any case. */
export const nameIn = (fields: Kind, name: string): string =>
  fields === 'headers' ? name.toLowerCase() : name

/** The same for a dotted path. */
export const pathIn = (fields: Kind, path: string): string => {
  const [first = '', ...rest] = path.split('.')
  const name = nameIn(fields, first)
  return rest.length > 0 ? `${name}.${pathIn(kindIn(fields, first), rest.join('.'))}` : name
}

/** What kind of field is named so; undefined within what holds anything. */
export const kindIn = (fields: Kind, name: string): Kind => {
  if (fields === 'query') return fields
  return typeof fields === 'object' && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A field of a plain object; what every object inherits is none. */
const readField = (object: object, field: string): unknown =>
  Object.hasOwn(object, field) ? (object as Record<string, unknown>)[field] : undefined

/** A view of a plain object. */
export const createFieldReader =
  (object: object): FieldReader =>
  (field) =>
    readField(object, field)

/** Makes one condition ready. Of a query parameter that came several times, one value has to fulfil it. */
export const compileCheck = (condition: Condition, kind?: Kind): Check => {
  const holds = checkOne(condition, kind)
  if (kind !== 'query') return holds
  return (value) => (Array.isArray(value) ? value.some(holds) : holds(value))
}

const checkOne = (condition: Condition, kind: Kind): Check => {
  const same = chooseEquality(kind)
  if (Array.isArray(condition)) return anyOf(condition, same)
  if (typeof condition !== 'object' || condition === null) return (value) => same(condition, value)
  if (isOperators(condition)) return allOf(condition, same)
  const checks = compileChecks(condition as Conditions, kind)
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(({ field, holds }) => holds(readField(value, field)))
}

type Sameness = (wanted: unknown, value: unknown) => boolean

const chooseEquality = (kind: Kind): Sameness => {
  if (kind === 'amount') return isSameAmount
  return kind === 'asset' ? isSameAsset : isSame
}

const anyOf =
  (wanted: readonly unknown[], same: Sameness): Check =>
  (value) =>
    wanted.some((one) => same(one, value))

const allOf = (operators: Operators, same: Sameness): Check => {
  const checks = Object.entries(operators).map(([operator, operand]) =>
    CHECKS[operator as keyof Operators](operand as never, same),
  )
  return (value) => checks.every((holds) => holds(value))
}

const CHECKS: { [K in keyof Required<Operators>]: (operand: never, same: Sameness) => Check } = {
  eq: (operand, same) => (value) => same(operand, value),
  ne: (operand, same) => (value) => !same(operand, value),
  lt: (operand) => ordered(operand, (order) => order < 0),
  lte: (operand) => ordered(operand, (order) => order <= 0),
  gt: (operand) => ordered(operand, (order) => order > 0),
  gte: (operand) => ordered(operand, (order) => order >= 0),
  in: (operand, same) => anyOf(operand, same),
  matches: (operand: string) => {
    const matches = compilePattern(operand)
    return (value) => typeof value === 'string' && matches(value)
  },
  starts_with: (operand: string) => (value) =>
    typeof value === 'string' && value.startsWith(operand),
  ends_with: (operand: string) => (value) => typeof value === 'string' && value.endsWith(operand),
  exists: (operand: boolean) => (value) => (value !== undefined && value !== null) === operand,
}

/** Strings exactly; a number compares with a text that is one as a decimal. */
const isSame = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'number' || typeof value !== 'string') return wanted === value
  // To YAML a phone number without quotes is a number with its sign.
  return parseDecimal(value.replace(/^\+/, ''))?.eq(wanted) ?? false
}

/** Amounts by size, however they are written. */
const isSameAmount = (wanted: unknown, value: unknown): boolean => {
  const came = parseDecimal(value)
  const amount = came && parseDecimal(wanted)
  return amount ? amount.eq(came) : wanted === value
}

/** Currencies, tokens and chains in any case: answers have them in lower case, records in upper. */
const isSameAsset = (wanted: unknown, value: unknown): boolean =>
  typeof wanted === 'string' && typeof value === 'string'
    ? wanted.toLowerCase() === value.toLowerCase()
    : wanted === value
