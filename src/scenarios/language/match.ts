import { compareOrdered, parseDecimal } from './comparison.js'
import {
  type Condition,
  type Conditions,
  isOperators,
  type Kind as KnownKind,
  type Operators,
} from './conditions.js'
import { compilePattern } from './patterns.js'

/** Returns a field of the subject of a rule; undefined if it is missing. */
export type FieldReader = (field: string) => unknown

export type Matcher = (reader: FieldReader) => boolean

type Check = (value: unknown) => boolean
type Kind = KnownKind | undefined

/** Compiles conditions, so that matching is fast. */
export const createMatcher = (conditions: Conditions = {}, fields: Kind = {}): Matcher => {
  const checks = compileChecks(conditions, fields)
  return (reader) => checks.every(({ field, holds }) => holds(reader(field)))
}

const compileChecks = (conditions: Conditions, fields: Kind): { field: string; holds: Check }[] =>
  Object.entries(conditions).map(([name, condition]) => ({
    field: nameIn(fields, name),
    holds: compileCheck(condition, kindIn(fields, name)),
  }))

/** The stored name of a field: header names match in any case. */
export const nameIn = (fields: Kind, name: string): string =>
  fields === 'headers' ? name.toLowerCase() : name

/** `nameIn` for a dotted path. */
export const pathIn = (fields: Kind, path: string): string => {
  const [first = '', ...rest] = path.split('.')
  const name = nameIn(fields, first)
  return rest.length > 0 ? `${name}.${pathIn(kindIn(fields, first), rest.join('.'))}` : name
}

/** The kind of a field; undefined inside a field of any content. */
export const kindIn = (fields: Kind, name: string): Kind => {
  if (fields === 'query') return fields
  return typeof fields === 'object' && Object.hasOwn(fields, name) ? fields[name]?.kind : undefined
}

/** Own properties only. */
const readField = (object: object, field: string): unknown =>
  Object.hasOwn(object, field) ? (object as Record<string, unknown>)[field] : undefined

export const createFieldReader =
  (object: object): FieldReader =>
  (field) =>
    readField(object, field)

/** Compiles a condition. One item of a list, or one value of a repeated query parameter, has to meet it. */
export const compileCheck = (condition: Condition, kind?: Kind): Check => {
  const holds = checkOne(condition, kind)
  return (value) => {
    if (!Array.isArray(value)) return holds(value)
    return value.some(holds) || (kind !== 'query' && holds(value))
  }
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
  lt: (operand) => compareOrdered(operand, (order) => order < 0),
  lte: (operand) => compareOrdered(operand, (order) => order <= 0),
  gt: (operand) => compareOrdered(operand, (order) => order > 0),
  gte: (operand) => compareOrdered(operand, (order) => order >= 0),
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

const isSame = (wanted: unknown, value: unknown): boolean => {
  if (typeof wanted !== 'number' || typeof value !== 'string') return wanted === value
  // YAML reads an unquoted phone number as a number with its sign.
  return parseDecimal(value.replace(/^\+/, ''))?.eq(wanted) ?? false
}

const isSameAmount = (wanted: unknown, value: unknown): boolean => {
  const came = parseDecimal(value)
  const amount = came && parseDecimal(wanted)
  return amount ? amount.eq(came) : wanted === value
}

/** Any case, because responses have lower case and records upper case. */
const isSameAsset = (wanted: unknown, value: unknown): boolean =>
  typeof wanted === 'string' && typeof value === 'string'
    ? wanted.toLowerCase() === value.toLowerCase()
    : wanted === value
