import * as z from 'zod'
import { exactlyOne, strict } from '../../lib/yaml/strict.js'
import { emptyRange } from './comparison.js'
import {
  type Condition,
  type Conditions,
  conditionsOn,
  type Fields,
  listWords,
  OPERATORS,
  onAmount,
} from './conditions.js'
import { balanceFields, exchangeFields, isField, type Noun, recordFields } from './fields.js'
import { checkRequest } from './operations.js'
import { checkIds } from './record-ids.js'

type Timed = Noun | 'requests'
export type Counted = Timed | 'balances'
const timed = { requests: exchangeFields, ...recordFields }
const counted: Readonly<Record<Counted, Fields>> = { ...timed, balances: balanceFields }
export const countedNouns = Object.keys(counted) as Counted[]
const timedNouns = Object.keys(timed) as Timed[]

export const listFields = (noun: Counted): Fields => counted[noun]

/** Conditions on exactly one noun. */
export type Others = { readonly [N in Timed]?: Conditions | undefined }

const COUNT = 'a whole number from 0'
const number = z.int(COUNT).min(0, COUNT)
const BOUNDS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const
const bound = (operator: keyof typeof OPERATORS) => number.optional().describe(OPERATORS[operator])
const bounds = Object.fromEntries(BOUNDS.map((it) => [it, bound(it)])) as {
  readonly [O in (typeof BOUNDS)[number]]: ReturnType<typeof bound>
}
const COUNTS = `a whole number, or operators on one: ${BOUNDS.join(', ')}`
const count = z.union(
  [
    number,
    strict(bounds).superRefine((given, { issues, addIssue }) => {
      if (issues.length > 0) return
      if (Object.keys(given).length === 0) addIssue({ code: 'custom', message: COUNTS })
      const empty = emptyRange(given)
      if (empty) addIssue({ code: 'custom', path: [empty.upper], message: empty.accepted })
    }),
  ],
  COUNTS,
)

/** The words of each noun in descriptions, and an example field for messages. */
const NOUNS: Readonly<Record<Counted, readonly [description: string, example: string]>> = {
  requests: ['Requests of the service, answered or not', 'body.customer_payout_id'],
  balances: ['Fiat balances of users, fixtures included', 'currency'],
  consents: ['Consents created after the fixtures', 'used_by'],
  users: ['Users created after the fixtures', 'email_address'],
  accounts: ['Destination accounts created after the fixtures', 'account_number'],
  wallets: ['Custody wallets created after the fixtures', 'wallet_address'],
  instructions: ['Deposit addresses created after the fixtures', 'address'],
  offramps: ['Offramp transactions created after the fixtures', 'transfer_id'],
  deposits: ['Deposits created after the fixtures', 'address'],
  transfers: ['Transfers created after the fixtures', 'user_id'],
  payouts: ['Payouts created after the fixtures', 'customer_payout_id'],
}

const conditionsFor = (noun: Counted) => {
  const conditions = conditionsOn(counted[noun])
  const checked = noun === 'requests' ? conditions.superRefine(checkRequest) : conditions
  return checked.optional().describe(NOUNS[noun][0])
}

const kinds = Object.fromEntries(countedNouns.map((noun) => [noun, conditionsFor(noun)])) as {
  [N in Counted]: z.ZodOptional<z.ZodType<Conditions>>
}

const nounsIn = (given: object): Counted[] =>
  countedNouns.filter((noun) => (given as Record<string, unknown>)[noun] !== undefined)

const ONE_NOUN = `exactly one of ${countedNouns.join(', ')}`
const ONE_TIMED = `exactly one of ${timedNouns.join(', ')}`
const { balances, ...timedKinds } = kinds
const others = strict(timedKinds)
  .superRefine((given, { issues, addIssue }) => {
    if (nounsIn(given).length === 1 || issues.length > 0) return
    addIssue({ code: 'custom', message: ONE_TIMED })
  })
  .meta(exactlyOne(timedNouns))

const MOMENT =
  'A record counts from the first response of shown, or from the named status, or from its creation'
const ORDERS = ['before', 'after', 'any_after'] as const
const RULE = 'a scenario such as flaky-gateway, or one of its rules such as flaky-gateway/0'
const FIELD = 'the path of a field of what is counted, such as '
const SUM = 'an object of amounts by field, such as { amount: { lte: 1500 } }'
const field = z.string('the name of a field').min(1, 'the name of a field')
const FIELDS = 'the name of a field, or a list of at least one'

const schema = strict({
  ...timedKinds,
  balances,
  fired: z
    .string(RULE)
    .regex(/^[a-z0-9-]{1,64}([/]\d{1,3})?$/, RULE)
    .optional()
    .describe('Firings of a rule, <scenario>/<rule>, or of any rule of a scenario'),
  count: count
    .optional()
    .describe(
      'Expected number, or bounds. Default: at least one. An upper bound alone counts only the side of before or after',
    ),
  before: others.optional().describe(`Each precedes the first of these. ${MOMENT}`),
  after: others.optional().describe(`Each follows the first of these. ${MOMENT}`),
  any_after: others.optional().describe('At least one follows the first of these'),
  reached: z.string('a status').optional().describe('They have had this status at some time'),
  distinct: field
    .optional()
    .describe('Counts distinct values of this field, such as customer_payout_id'),
  unique: z
    .union([field, z.array(field).min(1, FIELDS)], FIELDS)
    .optional()
    .describe('No two have the same values in this field, or in all of these'),
  sum: z
    .record(z.string(), onAmount as z.ZodType<Condition>, SUM)
    .optional()
    .describe('Sums of amounts by field, such as { amount: { lte: 1500 } }'),
  repaired: z
    .literal(true, 'true')
    .optional()
    .describe('After 429, 401, 5xx or a lost response, the same work is done later'),
  paid_twice: count.optional().describe('How many of these payouts pay a bill again, such as 0'),
  audit: z.literal('clean', 'clean').optional().describe('The ledger audit finds no violation'),
})
  .superRefine((given, context) => {
    const refuse: Refuse = (path, message, params) =>
      context.addIssue({ code: 'custom', path, message, ...(params && { params }) })
    checkIds(given, refuse)
    const nouns = nounsIn(given)
    const alone =
      given.audit !== undefined ? 'audit' : given.fired !== undefined ? 'fired' : undefined
    if (alone) {
      const demands = ['reached', 'distinct', 'unique', 'sum', 'repaired', 'paid_twice'] as const
      const besides = [...nouns, ...ORDERS, ...demands] as const
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
    for (const key of ['distinct', 'unique'] as const) {
      const paths = given[key] ?? []
      for (const [i, path] of [paths].flat().entries()) {
        const place = typeof paths === 'string' ? [key] : [key, i]
        if (!isField(counted[noun], path)) refuse(place, FIELD + NOUNS[noun][1])
      }
    }
    if (given.reached !== undefined) checkReached(noun, given.reached, refuse)
    if (given.sum) checkSum(noun, given.sum, refuse)
    for (const [key, only] of Object.entries(ONLY_BESIDE))
      if (given[key as 'repaired'] !== undefined && noun !== only)
        refuse([key], `it only beside ${only}`)
  })
  .meta(exactlyOne([...countedNouns, 'fired', 'audit']))

/** A statement that has to hold at the end. */
export type Expectation = z.output<typeof schema>
export type Count = z.output<typeof count>
export const expectation: z.ZodType<Expectation> = schema

const ONLY_BESIDE = { repaired: 'requests', paid_twice: 'payouts' } as const

/** With `isKey` the last name of the path is wrong, not its value. */
type Refuse = (path: PropertyKey[], message: string, params?: { isKey: true }) => void

const checkReached = (noun: Counted, status: string, refuse: Refuse): void => {
  const words = listFields(noun).status?.words
  if (!words) refuse(['reached'], 'nothing beside what has no status of its own')
  else if (!words.includes(status)) refuse(['reached'], listWords('status', words))
}

const checkSum = (noun: Counted, sum: object, refuse: Refuse): void => {
  const amounts = Object.entries(counted[noun]).flatMap(([name, { kind }]) =>
    kind === 'amount' ? [name] : [],
  )
  if (Object.keys(sum).length === 0) refuse(['sum'], SUM)
  else if (amounts.length === 0) refuse(['sum'], 'nothing beside what has no amount')
  else {
    const unknown = Object.keys(sum).filter((name) => !amounts.includes(name))
    for (const name of unknown) refuse(['sum', name], amounts.join(', '), { isKey: true })
  }
}

/** The noun that an expectation, or its `before` or `after`, is about. */
export const findNoun = <N extends Counted>(
  given: { readonly [It in N]?: Conditions | undefined },
): [N, Conditions] | undefined => {
  const [noun] = nounsIn(given) as N[]
  return noun && [noun, given[noun] ?? {}]
}
