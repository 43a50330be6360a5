import * as z from 'zod'
import { type Conditions, conditionsOn } from './conditions.js'
import { type Fields, type Noun, subjectFields } from './fields.js'
import { strict } from './strict.js'

/** What a condition can ask of a request that was answered. */
export const exchangeFields = {
  operation: 'value',
  method: 'value',
  path: 'value',
  query: 'any',
  status: 'value',
  user_id: 'value',
  fault: 'value',
  headers: 'any',
  body: 'any',
  response: 'any',
} as const satisfies Fields

export type Counted = Noun | 'requests'
const counted = { requests: exchangeFields, ...subjectFields } as const
export const countedNouns = Object.keys(counted) as Counted[]

const COUNT = 'a whole number from 0'
const number = z.int(COUNT).min(0, COUNT)
const COUNTS = 'a whole number, or operators on one: eq, ne, lt, lte, gt, gte'
const count = z.union(
  [
    number,
    z
      .strictObject({ eq: number, ne: number, lt: number, lte: number, gt: number, gte: number })
      .partial()
      .refine((it) => Object.keys(it).length > 0, COUNTS),
  ],
  COUNTS,
)

const kinds = Object.fromEntries(
  Object.entries(counted).map(([noun, fields]) => [noun, conditionsOn(fields).optional()]),
) as { [N in Counted]: z.ZodOptional<z.ZodType<Conditions>> }

const nounsIn = (given: object): Counted[] =>
  countedNouns.filter((noun) => (given as Record<string, unknown>)[noun] !== undefined)

const ONE_NOUN = `exactly one of ${countedNouns.join(', ')}`
const others = strict(kinds).refine((it) => nounsIn(it).length === 1, ONE_NOUN)

/** One thing that has to be true in the end. */
export const expectation = strict({
  ...kinds,
  /** How many there are; at least one when left out. */
  count: count.optional(),
  /** Each of them was made before the first of these. */
  before: others.optional(),
  /** Each of them was made after the first of these. */
  after: others.optional(),
  audit: z.literal('clean', 'clean').optional(),
}).superRefine((given, context) => {
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const nouns = nounsIn(given)
  if (given.audit === undefined) {
    if (nouns.length !== 1) refuse([], `${ONE_NOUN}, or audit`)
    return
  }
  for (const key of [...nouns, 'count', 'before', 'after'] as const) {
    if (given[key] !== undefined) refuse([key], 'audit alone')
  }
})
export type Expectation = z.output<typeof expectation>
export type Others = z.output<typeof others>
export type Count = z.output<typeof count>

/** The noun that an expectation or its `before` or `after` counts, and on what conditions. */
export const nounOf = (given: Expectation | Others): [Counted, Conditions] | undefined => {
  const [noun] = nounsIn(given)
  return noun && [noun, given[noun] ?? {}]
}
