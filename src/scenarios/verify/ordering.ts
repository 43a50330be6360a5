import { acceptedLiterals, type Conditions } from '../language/conditions.js'
import type { Counted } from '../language/expectations.js'
import { compareOrder } from './creation-order.js'
import { withConditions } from './format-expectation.js'
import type { Difference } from './near-misses.js'
import { type Subject, singular } from './subjects.js'

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
export const statusesIn = (noun: Counted, { status, shown }: Conditions, reached?: string) => {
  const literals = noun === 'requests' ? [] : acceptedLiterals(shown ?? reached ?? status)
  return literals.map(({ value }) => String(value))
}

/**
 * Without a first item, everything precedes it and nothing follows it. Items of one command are in
 * order both ways.
 */
export const satisfiesOrder = (
  subject: Subject,
  statuses: readonly string[],
  { word, noun, conditions, first }: Order,
): boolean => {
  if (!first) return word === 'before'
  if (first.noun === subject.noun && first.id === subject.id) return false
  const moment = first.moment(statusesIn(noun, conditions))
  const comparison = compareOrder(subject.moment(statuses), moment)
  return word === 'before' ? comparison <= 0 : comparison >= 0
}

/** The items that break an order: single ones, or all of them for `any_after`. */
export const unexpectedStatuses = (
  things: readonly Subject[],
  statuses: readonly string[],
  orders: readonly Order[],
): readonly Subject[] => {
  const broken = orders.find(
    (order) =>
      order.word === 'any_after' && !things.some((it) => satisfiesOrder(it, statuses, order)),
  )
  if (broken) return things
  const strict = orders.filter(({ word }) => word !== 'any_after')
  return things.filter(
    (subject) => !strict.every((order) => satisfiesOrder(subject, statuses, order)),
  )
}

export const orderViolations = (
  subject: Subject,
  statuses: readonly string[],
  orders: readonly Order[],
): Difference[] =>
  orders
    .filter((order) => !satisfiesOrder(subject, statuses, order))
    .map(({ word, noun, conditions, first }) => ({
      field: word,
      wanted: `${word === 'before' ? word : 'after'} the first ${singular(noun)}${withConditions(conditions)}`,
      came: first ? describeFound(subject, word, first) : `there is no such ${singular(noun)}`,
    }))

const describeFound = (subject: Subject, word: Order['word'], first: Subject): string => {
  if (first.noun === subject.noun && first.id === subject.id) return 'it is that one itself'
  return `${word === 'before' ? 'after' : 'before'} ${first.what}`
}
