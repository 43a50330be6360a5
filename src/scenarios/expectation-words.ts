import type { Conditions } from './conditions.js'
import { type Count, type Counted, type Expectation, nounOf, type Others } from './expectations.js'
import { conditionsInWords } from './words.js'

const SINGULAR: Readonly<Record<Counted, string>> = {
  requests: 'request',
  consents: 'consent',
  users: 'user',
  accounts: 'account',
  wallets: 'wallet',
  instructions: 'deposit address',
  offramps: 'offramp',
  deposits: 'deposit',
  transfers: 'transfer',
  payouts: 'payout',
}

const counted = (noun: Counted, isOne: boolean): string => {
  const one = SINGULAR[noun]
  if (isOne) return one
  return one.endsWith('s') ? `${one}es` : `${one}s`
}

/** How many: the words before the noun, and whether one is meant. */
const countInWords = (count: Count | undefined): [string, boolean] => {
  if (count === undefined) return ['at least 1', true]
  if (typeof count === 'number')
    return count === 0 ? ['no', true] : [`exactly ${count}`, count === 1]
  const words = Object.entries(count).map(
    ([name, n]) => `${COUNTS[name as keyof typeof COUNTS]} ${n}`,
  )
  return [words.sort().join(' and '), Object.values(count).at(-1) === 1]
}

const COUNTS = {
  eq: 'exactly',
  ne: 'not',
  lt: 'fewer than',
  lte: 'at most',
  gt: 'more than',
  gte: 'at least',
} as const

const named = (noun: Counted, conditions: Conditions, isOne: boolean): string => {
  const words = conditionsInWords(conditions)
  return counted(noun, isOne) + (words ? ` with ${words}` : '')
}

const besides = (word: string, others: Others | undefined): string => {
  const [noun, conditions] = (others && nounOf(others)) ?? []
  return noun ? `, ${word} the first ${named(noun, conditions ?? {}, true)}` : ''
}

/** Such as `exactly 1 payout with status PAYOUT_PROCESSED`. */
export const expectationInWords = (given: Expectation): string => {
  const [noun, conditions = {}] = nounOf(given) ?? []
  if (!noun) return 'a ledger without a mistake'
  const [many, isOne] = countInWords(given.count)
  const placed = besides('all before', given.before) + besides('all after', given.after)
  return `${many} ${named(noun, conditions, isOne)}${placed}`
}
