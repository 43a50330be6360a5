import type { Conditions } from './conditions.js'
import type { Difference } from './differences.js'
import type { Counted } from './expectations.js'
import { compareMoments } from './moments.js'
import { letThrough } from './named.js'
import { withConditions } from './sentences.js'
import { SINGULAR, type Thing } from './things.js'

/** What has to come before, or after, the first of some others; `any_after` is met by one of them. */
export interface Order {
  readonly word: 'before' | 'after' | 'any_after'
  readonly noun: Counted
  readonly conditions: Conditions
  /** The first of them; undefined when there is none. */
  readonly first: Thing | undefined
}

/** The statuses that conditions name: a record that meets them is placed where it reached one of them. */
export const statusesIn = (noun: Counted, { status }: Conditions): string[] =>
  noun === 'requests' ? [] : letThrough(status).map(({ value }) => String(value))

/**
 * Whether something came before, or after, the first of the others. Before nothing is everything, after
 * nothing is nothing. What one command made together is in order either way.
 */
export const inOrder = (
  thing: Thing,
  statuses: readonly string[],
  { word, noun, conditions, first }: Order,
): boolean => {
  if (!first) return word === 'before'
  if (first.noun === thing.noun && first.id === thing.id) return false
  const moment = first.moment(statusesIn(noun, conditions))
  const comparison = compareMoments(thing.moment(statuses), moment)
  return word === 'before' ? comparison <= 0 : comparison >= 0
}

/** Those that break an order: each by itself, or with `any_after` all of them together. */
export const strays = (
  things: readonly Thing[],
  statuses: readonly string[],
  orders: readonly Order[],
): readonly Thing[] => {
  const broken = orders.find(
    (order) => order.word === 'any_after' && !things.some((it) => inOrder(it, statuses, order)),
  )
  if (broken) return things
  const strict = orders.filter(({ word }) => word !== 'any_after')
  return things.filter((thing) => !strict.every((order) => inOrder(thing, statuses, order)))
}

/** How something is out of order. */
export const disorderOf = (
  thing: Thing,
  statuses: readonly string[],
  orders: readonly Order[],
): Difference[] =>
  orders
    .filter((order) => !inOrder(thing, statuses, order))
    .map(({ word, noun, conditions, first }) => ({
      field: word,
      wanted: `${word === 'before' ? word : 'after'} the first ${SINGULAR[noun]}${withConditions(conditions)}`,
      came: first ? cameOf(thing, word, first) : `there is no such ${SINGULAR[noun]}`,
    }))

const cameOf = (thing: Thing, word: Order['word'], first: Thing): string => {
  if (first.noun === thing.noun && first.id === thing.id) return 'it is that one itself'
  return `${word === 'before' ? 'after' : 'before'} ${first.what}`
}
