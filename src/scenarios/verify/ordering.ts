import { acceptedLiterals, type Condition, type Conditions } from '../language/conditions.js'
import type { Counted } from '../language/expectations.js'
import { compareOrder } from './creation-order.js'
import { withConditions } from './format-expectation.js'
import type { Difference } from './near-misses.js'
import { type Since, type Subject, singular } from './subjects.js'

/**
 * Items that have to precede or follow the first of others; for `any_after` one of them is enough.
 */
export interface Order {
  readonly word: 'before' | 'after' | 'any_after'
  readonly noun: Counted
  readonly conditions: Conditions
  readonly first: Subject | undefined
}

/** A record that meets a condition on a status counts from that status, or from the response that showed it. */
export const sinceIn = (noun: Counted, { status, shown }: Conditions): Since => ({
  statuses: noun === 'requests' ? [] : literals(shown ?? status),
  isShown: shown !== undefined,
})

const literals = (condition: Condition | undefined): string[] =>
  acceptedLiterals(condition).map(({ value }) => String(value))

/**
 * Without a first item, everything precedes it and nothing follows it. Items of one command are in
 * order both ways.
 */
export const satisfiesOrder = (
  subject: Subject,
  since: Since,
  { word, noun, conditions, first }: Order,
): boolean => {
  if (!first) return word === 'before'
  if (first.noun === subject.noun && first.id === subject.id) return false
  const moment = first.moment(sinceIn(noun, conditions))
  const comparison = compareOrder(subject.moment(since), moment)
  return word === 'before' ? comparison <= 0 : comparison >= 0
}

/** The items that break an order: single ones, or all of them for `any_after`. */
export const unexpectedStatuses = (
  things: readonly Subject[],
  since: Since,
  orders: readonly Order[],
): readonly Subject[] => {
  const broken = orders.find(
    (order) => order.word === 'any_after' && !things.some((it) => satisfiesOrder(it, since, order)),
  )
  if (broken) return things
  const strict = orders.filter(({ word }) => word !== 'any_after')
  return things.filter((subject) => !strict.every((order) => satisfiesOrder(subject, since, order)))
}

export const orderViolations = (
  subject: Subject,
  since: Since,
  orders: readonly Order[],
): Difference[] =>
  orders
    .filter((order) => !satisfiesOrder(subject, since, order))
    .map(({ word, noun, conditions, first }) => ({
      field: word,
      wanted: `${word === 'before' ? word : 'after'} the first ${singular(noun)}${withConditions(conditions)}`,
      came: first ? describeFound(subject, word, first) : `there is no such ${singular(noun)}`,
    }))

const describeFound = (subject: Subject, word: Order['word'], first: Subject): string => {
  if (first.noun === subject.noun && first.id === subject.id) return 'it is that one itself'
  return `${word === 'before' ? 'after' : 'before'} ${first.what}`
}
