import { type Condition, type Conditions, isNested } from '../language/conditions.js'
import { type Counted, type Expectation, findNoun } from '../language/expectations.js'
import { formatCount, isUpperBound } from './counts.js'
import { singular } from './subjects.js'

/** `createPayout requests: at least 3`, or with what was found, `createPayout requests: 2 (at least 3)` */
export const formatExpectation = (given: Expectation, found?: number | string): string => {
  const named = findNoun(given)
  const isAudit = !named && given.fired === undefined
  const subject = named ? formatSubject(given, ...named) : `firings of ${given.fired}`
  const wanted = isAudit ? 'clean' : formatCount(given.count)
  return `${isAudit ? 'audit' : subject}: ${found === undefined ? wanted : `${found} (${wanted})`}`
}

const formatSubject = (given: Expectation, noun: Counted, conditions: Conditions): string => {
  const one = isUpperBound(given.count) ? 'after' : 'one of them after'
  const side = { before: 'before', after: 'after', any_after: one }
  const places = (['before', 'after', 'any_after'] as const).flatMap((word) => {
    const others = given[word] && findNoun(given[word])
    return others
      ? [`${side[word]} the first ${singular(others[0])}${withConditions(others[1])}`]
      : []
  })
  const { reached, distinct, unique, sum = {}, repaired, paid_twice } = given
  const items = formatItems(noun, conditions)
  const counted = distinct === undefined ? items : `distinct ${distinct} of ${items}`
  const state = reached === undefined ? '' : ` that reached ${reached}`
  const demands = [
    ...(unique === undefined ? [] : [`no two with the same ${[unique].flat().join(' and ')}`]),
    ...formatConditionList(sum).map((it) => `in sum with ${it}`),
    ...(repaired ? ['each trouble repaired'] : []),
    ...(paid_twice === undefined ? [] : [`${formatCount(paid_twice)} paid twice`]),
  ]
  return [`${counted}${state}`, ...places, ...demands].join(', ')
}

/** `createPayout requests with status 503` */
export const formatItems = (noun: string, { operation, ...others }: Conditions): string =>
  typeof operation === 'string'
    ? `${operation} ${noun}${withConditions(others)}`
    : `${noun}${withConditions({ ...(operation && { operation }), ...others })}`

export const withConditions = ({ shown, ...others }: Conditions): string => {
  const words = formatConditionList(others)
  const seen = shown === undefined ? '' : ` that a response showed as ${formatCondition(shown)}`
  return `${words.length > 0 ? ` with ${words.join(' and ')}` : ''}${seen}`
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
