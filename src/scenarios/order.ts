import type { Conditions } from './conditions.js'
import type { Difference } from './differences.js'
import type { Counted } from './expectations.js'
import { compareMoments } from './moments.js'
import { withConditions } from './sentences.js'
import { SINGULAR, type Thing } from './things.js'

/** What has to come before, or after, the first of some others. */
export interface Order {
  readonly word: 'before' | 'after'
  readonly noun: Counted
  readonly conditions: Conditions
  /** The first of them; undefined when there is none. */
  readonly first: Thing | undefined
}

/**
 * Whether something was made before, or after, the first of the others. Before nothing is everything, after
 * nothing is nothing. What one command made together is in order either way.
 */
export const inOrder = (thing: Thing, { word, first }: Pick<Order, 'word' | 'first'>): boolean => {
  if (!first) return word === 'before'
  if (first.noun === thing.noun && first.id === thing.id) return false
  const comparison = compareMoments(thing.moment(), first.moment())
  return word === 'before' ? comparison <= 0 : comparison >= 0
}

/** How something is out of order. */
export const disorderOf = (thing: Thing, orders: readonly Order[]): Difference[] =>
  orders
    .filter((order) => !inOrder(thing, order))
    .map(({ word, noun, conditions, first }) => ({
      field: word,
      wanted: `${word} the first ${SINGULAR[noun]}${withConditions(conditions)}`,
      came: first ? cameOf(thing, word, first) : `there is no such ${SINGULAR[noun]}`,
    }))

const cameOf = (thing: Thing, word: Order['word'], first: Thing): string => {
  if (first.noun === thing.noun && first.id === thing.id) return 'it is that one itself'
  return `${word === 'before' ? 'after' : 'before'} ${first.what}`
}
