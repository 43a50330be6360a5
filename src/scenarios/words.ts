import { type Condition, type Conditions, isOperators, type Operators } from './conditions.js'

/** Conditions in words, for people who have not learned the language yet. */

const either = (values: readonly unknown[]): string => values.map(String).join(' or ')

const OPERATORS: { [K in keyof Required<Operators>]: (operand: unknown) => string } = {
  eq: (operand) => String(operand),
  ne: (operand) => `other than ${operand}`,
  lt: (operand) => `below ${operand}`,
  lte: (operand) => `up to ${operand}`,
  gt: (operand) => `above ${operand}`,
  gte: (operand) => `from ${operand}`,
  in: (operand) => either(operand as readonly unknown[]),
  matches: (operand) => `like /${operand}/`,
  starts_with: (operand) => `beginning with ${operand}`,
  ends_with: (operand) => `ending in ${operand}`,
  exists: (operand) => (operand ? 'that is there' : 'that is not there'),
}

const operatorsInWords = (operators: Operators): string =>
  Object.entries(operators)
    .map(([name, operand]) => OPERATORS[name as keyof Operators](operand))
    .join(' and ')

const conditionInWords = (path: string, condition: Condition): string[] => {
  if (typeof condition !== 'object' || condition === null) return [`${path} ${condition}`]
  if (Array.isArray(condition)) return [`${path} ${either(condition)}`]
  if (isOperators(condition)) return [`${path} ${operatorsInWords(condition)}`]
  return Object.entries(condition as Conditions).flatMap(([name, inner]) =>
    conditionInWords(`${path}.${name}`, inner),
  )
}

/** Such as `status FAILED, reason account_closed`; empty when there are none. */
export const conditionsInWords = (conditions: Conditions = {}): string =>
  Object.entries(conditions)
    .flatMap(([name, condition]) => conditionInWords(name, condition))
    .join(', ')
