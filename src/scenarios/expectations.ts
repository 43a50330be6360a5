import * as z from 'zod'
import { strict } from '../yaml/strict.js'
import { emptyRange } from './bounds.js'
import { type Conditions, conditionsOn } from './conditions.js'
import { type Fields, type Noun, subjectFields } from './fields.js'
import { strangeInRequest } from './operations.js'
import { strangeInRecord } from './vocabulary.js'

/** What a condition can ask of a request that was answered. */
const exchangeFields = {
  operation: 'value',
  method: 'value',
  path: 'value',
  query: 'query',
  status: 'http_status',
  user_id: 'value',
  fault: 'value',
  headers: 'headers',
  body: 'any',
  response: 'any',
} as const satisfies Fields

export type Counted = Noun | 'requests'
const counted = { requests: exchangeFields, ...subjectFields } as const
export const countedNouns = Object.keys(counted) as Counted[]

/** What a condition can ask of a noun. */
export const fieldsOf = (noun: Counted): Fields => counted[noun]

/** Conditions on exactly one noun. */
export type Others = { readonly [N in Counted]?: Conditions | undefined }

/** So many, or as many as all of the operators ask for. */
export type Count =
  | number
  | { readonly [O in 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte']?: number | undefined }

/** One thing that has to be true in the end. Written out, since programs see it without the schema. */
export interface Expectation extends Others {
  /** How many there are; at least one when left out. */
  readonly count?: Count | undefined
  /**
   * Each of them came before the first of these; true when there is none of these. A record whose status is
   * named came when it reached that status, others when they were made.
   */
  readonly before?: Others | undefined
  /** Each of them came after the first of these; false when there is none of these. */
  readonly after?: Others | undefined
  /** At least one of them came after the first of these. */
  readonly any_after?: Others | undefined
  readonly audit?: 'clean' | undefined
}

const COUNT = 'a whole number from 0'
const number = z.int(COUNT).min(0, COUNT).optional()
const COUNTS = 'a whole number, or operators on one: eq, ne, lt, lte, gt, gte'
const count = z.union(
  [
    number.unwrap(),
    strict({
      eq: number,
      ne: number,
      lt: number,
      lte: number,
      gt: number,
      gte: number,
    }).superRefine((given, { issues, addIssue }) => {
      if (issues.length > 0) return
      if (Object.keys(given).length === 0) addIssue({ code: 'custom', message: COUNTS })
      const empty = emptyRange(given)
      if (empty) addIssue({ code: 'custom', path: [empty.upper], message: empty.accepted })
    }),
  ],
  COUNTS,
)

/** Conditions on a noun, with no word in them that does not exist. */
const conditionsFor = (noun: Counted, fields: Fields) =>
  conditionsOn(fields).superRefine((given, context) => {
    const strange = noun === 'requests' ? strangeInRequest(given) : strangeInRecord(given, noun)
    for (const { path, accepted } of strange) {
      context.addIssue({ code: 'custom', path: [...path], message: accepted })
    }
  })

const kinds = Object.fromEntries(
  Object.entries(counted).map(([noun, fields]) => [
    noun,
    conditionsFor(noun as Counted, fields).optional(),
  ]),
) as { [N in Counted]: z.ZodOptional<z.ZodType<Conditions>> }

const nounsIn = (given: object): Counted[] =>
  countedNouns.filter((noun) => (given as Record<string, unknown>)[noun] !== undefined)

const ONE_NOUN = `exactly one of ${countedNouns.join(', ')}`
const others = strict(kinds).superRefine((given, { issues, addIssue }) => {
  // A field that does not exist is most likely the noun, misspelt: that is told already.
  if (nounsIn(given).length === 1 || issues.length > 0) return
  addIssue({ code: 'custom', message: ONE_NOUN })
})

export const expectation: z.ZodType<Expectation> = strict({
  ...kinds,
  count: count.optional(),
  before: others.optional(),
  after: others.optional(),
  any_after: others.optional(),
  audit: z.literal('clean', 'clean').optional(),
}).superRefine((given, context) => {
  const refuse = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const nouns = nounsIn(given)
  if (given.audit === undefined) {
    if (nouns.length !== 1 && context.issues.length === 0) refuse([], `${ONE_NOUN}, or audit`)
    return
  }
  for (const key of [...nouns, 'count', 'before', 'after', 'any_after'] as const) {
    if (given[key] !== undefined) refuse([key], 'nothing beside audit')
  }
})

/** The noun that an expectation or its `before` or `after` counts, and on what conditions. */
export const nounOf = (given: Expectation | Others): [Counted, Conditions] | undefined => {
  const [noun] = nounsIn(given)
  return noun && [noun, given[noun] ?? {}]
}
