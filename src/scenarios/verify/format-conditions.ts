import { type Condition, type Conditions, isNested } from '../language/conditions.js'

/** One phrase per field, such as `status FAILED` and `amount above 100`. */
export const formatConditionList = (conditions: Conditions, prefix = ''): string[] =>
  Object.entries(conditions).flatMap(([name, condition]) => {
    const field = `${prefix}${name}`
    return isNested(condition)
      ? formatConditionList(condition, `${field}.`)
      : [`${field} ${formatCondition(condition)}`]
  })

const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  eq: '',
  ne: 'other than ',
  lt: 'below ',
  lte: 'of at most ',
  gt: 'above ',
  gte: 'of at least ',
  in: '',
  matches: 'matching ',
  starts_with: 'starting with ',
  ends_with: 'ending with ',
}

const formatCondition = (condition: Condition | unknown): string => {
  if (Array.isArray(condition)) return condition.map(value).join(' or ')
  if (typeof condition !== 'object' || condition === null) return value(condition)
  return Object.entries(condition)
    .map(([operator, operand]) => {
      if (operator === 'exists') return operand ? 'present' : 'absent'
      const words = OPERATOR_WORDS[operator]
      return words === undefined
        ? `${operator} ${formatCondition(operand)}`
        : `${words}${formatCondition(operand)}`
    })
    .join(' and ')
}

/** Single words without quotes, other texts in quotes. */
const value = (it: unknown): string =>
  typeof it === 'string' && /^[\w.:/+-]+$/.test(it) ? it : JSON.stringify(it)
