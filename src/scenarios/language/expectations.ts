import * as z from 'zod'
import { strict } from '../../lib/yaml/strict.js'
import { isInBody } from './bodies.js'
import { type Condition, type Conditions, conditionsOn, onAmount } from './conditions.js'
import { balanceFields, type Fields, isField, type Noun, subjectFields } from './fields.js'
import { unknownOperations } from './operations.js'
import { emptyRange } from './ranges.js'
import { knownWords, listWords, unknownRecordValues, unknownUserValues } from './vocabulary.js'

/** Fields of conditions on requests, answered or not. */
const exchangeFields = {
  operation: 'value',
  method: 'value',
  path: 'value',
  query: 'query',
  status: 'http_status',
  user_id: 'value',
  fault: 'value',
  aborted: 'value',
  headers: 'headers',
  body: 'any',
  response: 'any',
} as const satisfies Fields

/** Subjects that have a time. */
type Timed = Noun | 'requests'
export type Counted = Timed | 'balances'
const timed = { requests: exchangeFields, ...subjectFields } as const
const counted = { ...timed, balances: balanceFields } as const
export const countedNouns = Object.keys(counted) as Counted[]
export const timedNouns = Object.keys(timed) as Timed[]

/** Fields of conditions on a noun. */
export const listFields = (noun: Counted): Fields => counted[noun]

/** Conditions on exactly one noun. */
export type Others = { readonly [N in Timed]?: Conditions | undefined }

/** A number, or operators. */
export type Count =
  | number
  | { readonly [O in 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte']?: number | undefined }

/**
 * A statement that has to hold at the end. Written out, because users of the library see this type
 * without the schema.
 */
export interface Expectation extends Others {
  /** Fiat balances of users, fixtures included. */
  readonly balances?: Conditions | undefined
  /** Firings of a rule, `<scenario>/<rule>`, or of any rule of a scenario. */
  readonly fired?: string | undefined
  readonly count?: Count | undefined
  /**
   * Each precedes the first of these; true without any of these. A record whose status is named
   * counts from that status, others from their creation. Beside an upper bound alone, `count` counts
   * only what is on this side; so with `after` and `any_after`.
   */
  readonly before?: Others | undefined
  /** Each follows the first of these; false without any of these. */
  readonly after?: Others | undefined
  /** At least one follows the first of these. */
  readonly any_after?: Others | undefined
  /** They have had this status at some time. */
  readonly reached?: string | undefined
  /** `count` counts distinct values of this field. */
  readonly distinct?: string | undefined
  /** No two have the same values in this field, or in all of these. */
  readonly unique?: string | readonly string[] | undefined
  /** Conditions on the sums of amounts, by field. */
  readonly sum?: Readonly<Record<string, Condition>> | undefined
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

const findUnknown = (given: Conditions, noun: Counted) => {
  if (noun === 'requests') return unknownOperations(given)
  return noun === 'balances' ? unknownUserValues(given) : unknownRecordValues(given, noun)
}

/** Conditions on a noun that use only known values. */
const conditionsFor = (noun: Counted, fields: Fields) =>
  conditionsOn(fields).superRefine((given, context) => {
    const strange = findUnknown(given, noun)
    for (const { path, accepted, isKey } of strange) {
      const params = { isKey }
      context.addIssue({ code: 'custom', path: [...path], message: accepted, params })
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
const ONE_TIMED = `exactly one of ${timedNouns.join(', ')}`
const { balances, ...timedKinds } = kinds
const others = strict(timedKinds).superRefine((given, { issues, addIssue }) => {
  if (nounsIn(given).length === 1 || issues.length > 0) return
  addIssue({ code: 'custom', message: ONE_TIMED })
})

const ORDERS = ['before', 'after', 'any_after'] as const
const RULE = 'a scenario such as flaky-gateway, or one of its rules such as flaky-gateway/0'
const FIELD = 'the path of a field of what is counted, such as '
const SUM = 'an object of amounts by field, such as { amount: { lte: 1500 } }'
const field = z.string('the name of a field').min(1, 'the name of a field')
const FIELDS = 'the name of a field, or a list of them'

export const expectation: z.ZodType<Expectation> = strict({
  ...timedKinds,
  balances,
  fired: z
    .string(RULE)
    .regex(/^[a-z0-9-]{1,64}(\/\d{1,3})?$/, RULE)
    .optional(),
  count: count.optional(),
  before: others.optional(),
  after: others.optional(),
  any_after: others.optional(),
  reached: z.string('a status').optional(),
  distinct: field.optional(),
  unique: z.union([field, z.array(field).min(1)], FIELDS).optional(),
  sum: z.record(z.string(), onAmount, SUM).optional(),
  audit: z.literal('clean', 'clean').optional(),
}).superRefine((given, context) => {
  const refuse: Refuse = (path, message, params) =>
    context.addIssue({ code: 'custom', path, message, ...(params && { params }) })
  const nouns = nounsIn(given)
  const alone =
    given.audit !== undefined ? 'audit' : given.fired !== undefined ? 'fired' : undefined
  if (alone) {
    const besides = [...nouns, ...ORDERS, 'reached', 'distinct', 'unique', 'sum'] as const
    const refused = alone === 'audit' ? (['fired', 'count', ...besides] as const) : besides
    for (const key of refused)
      if (given[key] !== undefined) refuse([key], `nothing beside ${alone}`)
    return
  }
  const [noun, ...more] = nouns
  if (!noun || more.length > 0) {
    if (context.issues.length === 0) refuse([], `${ONE_NOUN}, or fired or audit`)
    return
  }
  for (const key of ORDERS) {
    if (noun === 'balances' && given[key]) refuse([key], 'nothing beside balances')
  }
  const { distinct = [], unique = [] } = given
  for (const [key, paths] of Object.entries({ distinct, unique })) {
    for (const path of [paths].flat()) {
      if (!isCountedField(noun, path)) refuse([key], FIELD + EXAMPLES[noun])
    }
  }
  if (given.reached !== undefined) checkReached(noun, given.reached, refuse)
  if (given.sum) checkSum(noun, given.sum, refuse)
}) as unknown as z.ZodType<Expectation>

const isCountedField = (noun: Counted, path: string): boolean => {
  const [first, ...rest] = path.split('.')
  return isField(counted[noun], path) && (first !== 'body' || isInBody(rest))
}

/** With `isKey` the last name of the path is wrong, not its value. */
type Refuse = (path: PropertyKey[], message: string, params?: { isKey: true }) => void

const checkReached = (noun: Counted, status: string, refuse: Refuse): void => {
  const words = noun === 'requests' || noun === 'balances' ? undefined : knownWords(noun).status
  if (!words) refuse(['reached'], 'nothing beside what has no status of its own')
  else if (!words.includes(status)) refuse(['reached'], listWords('status', words))
}

const checkSum = (noun: Counted, sum: object, refuse: Refuse): void => {
  const amounts = Object.entries(counted[noun]).flatMap(([name, kind]) =>
    kind === 'amount' ? [name] : [],
  )
  if (Object.keys(sum).length === 0) refuse(['sum'], SUM)
  else if (amounts.length === 0) refuse(['sum'], 'nothing beside what has no amount')
  else {
    const unknown = Object.keys(sum).filter((name) => !amounts.includes(name))
    for (const name of unknown) refuse(['sum', name], amounts.join(', '), { isKey: true })
  }
}

/** An example field per noun, for messages. */
const EXAMPLES: Readonly<Record<Counted, string>> = {
  requests: 'body.customer_payout_id',
  balances: 'currency',
  consents: 'used_by',
  users: 'email_address',
  accounts: 'account_number',
  wallets: 'wallet_address',
  instructions: 'address',
  offramps: 'transfer_id',
  deposits: 'address',
  transfers: 'user_id',
  payouts: 'customer_payout_id',
}

/** The noun that an expectation, or its `before` or `after`, is about. */
export const findNoun = <N extends Counted>(
  given: { readonly [It in N]?: Conditions | undefined },
): [N, Conditions] | undefined => {
  const [noun] = nounsIn(given) as N[]
  return noun && [noun, given[noun] ?? {}]
}
