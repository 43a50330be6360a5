import type { Conditions } from '../language/conditions.js'
import type { Counted } from '../language/expectations.js'
import { acceptedLiterals } from '../language/literal-values.js'
import { compareOrder } from './creation-order.js'
import type { Difference } from './differences.js'
import { withConditions } from './format-expectation.js'
import { SINGULAR, type Subject } from './subjects.js'

/** What has to come before, or after, the first of some others; `any_after` is met by one of them. */
export interface Order {
  readonly word: 'before' | 'after' | 'any_after'
  readonly noun: Counted
  readonly conditions: Conditions
  /** The first of them; undefined when there is none. */
  readonly first: Subject | undefined
}

/** The statuses that conditions name: a record that meets them is placed where it reached one of them. */
export const statusesIn = (noun: Counted, { status }: Conditions): string[] =>
  noun === 'requests' ? [] : acceptedLiterals(status).map(({ value }) => String(value))

/**
 * Whether something came before, or after, the first of the others. Before nothing is everything, after
 * nothing is nothing. What one command made together is in order either way.
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

/** Those that break an order: each by itself, or with `any_after` all of them together. */
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

/** How something is out of order. */
export const orderViolations = (
  subject: Subject,
  statuses: readonly string[],
  orders: readonly Order[],
): Difference[] =>
  orders
    .filter((order) => !satisfiesOrder(subject, statuses, order))
    .map(({ word, noun, conditions, first }) => ({
      field: word,
      wanted: `${word === 'before' ? word : 'after'} the first ${SINGULAR[noun]}${withConditions(conditions)}`,
      came: first ? describeFound(subject, word, first) : `there is no such ${SINGULAR[noun]}`,
    }))

const describeFound = (subject: Subject, word: Order['word'], first: Subject): string => {
  if (first.noun === subject.noun && first.id === subject.id) return 'it is that one itself'
  return `${word === 'before' ? 'after' : 'before'} ${first.what}`
}
