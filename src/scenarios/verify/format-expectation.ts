import { type Condition, type Conditions, isNested } from '../language/conditions.js'
import { type Expectation, findNoun } from '../language/expectations.js'
import { formatCount, isUpperBound } from './counts.js'
import { singular } from './subjects.js'

/** `at most 3 payouts with status PAYOUT_FAILED, before the first transfer, were expected` */
export const formatExpectation = (given: Expectation): string => {
  const { words, isOne, isPlaced } = formatExpectationBody(given)
  return `${words}${isPlaced ? ',' : ''} ${isOne ? 'was' : 'were'} expected`
}

/** The expectation, whether it is singular, and whether it states an order. */
const formatExpectationBody = (
  given: Expectation,
): { words: string; isOne: boolean; isPlaced: boolean } => {
  const named = findNoun(given)
  if (given.fired !== undefined) {
    const { words, isOne } = formatCount(given.count)
    const noun = isOne ? 'firing' : 'firings'
    return { words: `${words} ${noun} of ${given.fired}`, isOne, isPlaced: false }
  }
  if (!named) return { words: 'a clean audit', isOne: true, isPlaced: false }
  const [noun, conditions] = named
  const one = isUpperBound(given.count) ? 'after' : 'one of them after'
  const side = { before: 'before', after: 'after', any_after: one }
  const places = (['before', 'after', 'any_after'] as const).flatMap((word) => {
    const others = given[word] && findNoun(given[word])
    return others
      ? [`${side[word]} the first ${singular(others[0])}${withConditions(others[1])}`]
      : []
  })
  const { words, isOne } = formatCount(given.count)
  const { reached, distinct, unique, sum = {} } = given
  const plain = isOne && distinct === undefined ? singular(noun) : noun
  const counted = distinct === undefined ? plain : `distinct ${distinct} of ${plain}`
  const state = reached === undefined ? '' : ` that reached ${reached}`
  const demands = [
    ...(unique === undefined ? [] : [`no two with the same ${[unique].flat().join(' and ')}`]),
    ...formatConditionList(sum).map((it) => `in sum with ${it}`),
  ]
  const many = `${words} ${counted}${withConditions(conditions)}${state}`
  const all = [...places, ...demands]
  return { words: [many, ...all].join(', '), isOne, isPlaced: all.length > 0 }
}

export const withConditions = (conditions: Conditions): string => {
  const words = formatConditionList(conditions)
  return words.length > 0 ? ` with ${words.join(' and ')}` : ''
}

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
