import type { Condition, Conditions } from './conditions.js'
import { countWords } from './counts.js'
import { isNested } from './differences.js'
import { type Expectation, nounOf } from './expectations.js'
import { SINGULAR } from './things.js'

/** What was expected and what was found, for people. */

/** `at most 3 payouts with status PAYOUT_FAILED, before the first transfer, were expected` */
export const wish = (given: Expectation): string => {
  const named = nounOf(given)
  if (!named) return 'a clean audit was expected'
  const [noun, conditions] = named
  const order = (['before', 'after'] as const).flatMap((word) => {
    const others = given[word] && nounOf(given[word])
    return others ? [`${word} the first ${SINGULAR[others[0]]}${withConditions(others[1])}`] : []
  })
  const { words, isOne } = countWords(given.count)
  const many = `${words} ${isOne ? SINGULAR[noun] : noun}${withConditions(conditions)}`
  const whole = order.length > 0 ? `${many}, ${order.join(', ')},` : many
  return `${whole} ${isOne ? 'was' : 'were'} expected`
}

export const withConditions = (conditions: Conditions): string => {
  const words = conditionWords(conditions, '')
  return words.length > 0 ? ` with ${words.join(' and ')}` : ''
}

const conditionWords = (conditions: Conditions, prefix: string): string[] =>
  Object.entries(conditions).flatMap(([name, condition]) => {
    const field = `${prefix}${name}`
    return isNested(condition)
      ? conditionWords(condition, `${field}.`)
      : [`${field} ${wanted(condition)}`]
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

/** A condition in words. */
export const wanted = (condition: Condition | unknown): string => {
  if (Array.isArray(condition)) return condition.map(value).join(' or ')
  if (typeof condition !== 'object' || condition === null) return value(condition)
  return Object.entries(condition)
    .map(([operator, operand]) => {
      if (operator === 'exists') return operand ? 'present' : 'absent'
      const words = OPERATOR_WORDS[operator]
      return words === undefined ? `${operator} ${wanted(operand)}` : `${words}${wanted(operand)}`
    })
    .join(' and ')
}

/** A value in a sentence: words stand bare, other texts in quotes. */
export const value = (it: unknown): string =>
  typeof it === 'string' && /^[\w.:/+-]+$/.test(it) ? it : JSON.stringify(it)
