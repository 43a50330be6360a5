import * as z from 'zod'
import { MAX_DECIMALS } from '../../domain/chains.js'
import { fiatDecimals } from '../../domain/currencies.js'
import { digitsHelp, hasExcess, isTooLarge, plainDecimal } from '../../domain/money.js'
import { KEY_STATUSES, type KeyStatus } from '../../domain/schema.js'
import { MAX_REASONS, MAX_REQUIREMENTS, REVIEW_FIELDS } from '../../domain/users.js'
import { DURATION_HELP, durationError, INSTANT_HELP, instantText } from '../../kernel/time.js'
import { exactlyOne, oneOf, shortText, strict, TEXT, wholeNumber } from '../../lib/yaml/strict.js'
import { duration } from '../faults/timing.js'
import type { Subject } from './events.js'

/** Steps of event rules. */

const AMOUNT = 'an amount above zero such as 12.50'
const PLAIN = /^\d{1,18}(\.\d{1,18})?$/
const isAmount = (given: number | string): boolean =>
  PLAIN.test(plainDecimal(given)) && /[1-9]/.test(String(given))
const amount = z.union([z.number(), z.string()], AMOUNT).refine(isAmount, AMOUNT)

const CURRENCY = 'an ISO 4217 code in upper case such as NGN'
const currency = z
  .string(CURRENCY)
  .regex(/^[A-Z]{3}$/, CURRENCY)
  .refine((code) => fiatDecimals(code) !== undefined, CURRENCY)

interface GivenCredit {
  readonly currency?: string | undefined
  readonly amount?: number | string | undefined
}

/**
 * An amount with too many decimals could never be credited. A payout's own amount has another
 * currency.
 */
const checkCredit = ({ currency = '', amount }: GivenCredit, context: z.RefinementCtx): void => {
  const decimals = fiatDecimals(currency)
  if (decimals !== undefined && amount === undefined) {
    const message = `${AMOUNT}, in ${currency}; {} gives back the payout’s own`
    context.addIssue({ code: 'custom', path: ['amount'], message })
    return
  }
  const text = plainDecimal(amount ?? '')
  if (decimals === undefined || (!hasExcess(text, decimals) && !isTooLarge(text, decimals))) return
  const message = `an amount above zero in ${currency}, ${digitsHelp(decimals)}`
  context.addIssue({ code: 'custom', path: ['amount'], message })
}

const TOKENS = `${AMOUNT}, of at most 15 digits before the point and ${MAX_DECIMALS} after it`
const tokens = amount.refine((given) => {
  const text = plainDecimal(given)
  return !hasExcess(text, MAX_DECIMALS) && !isTooLarge(text, 0)
}, TOKENS)

const EXPIRY = `${INSTANT_HELP}, or ${DURATION_HELP} from then on`
const keyChange = strict({
  status: oneOf(KEY_STATUSES).optional().describe('Status of the key'),
  expires_at: z
    .union([instantText(), duration], {
      error: ({ input }) => durationError(String(input), EXPIRY),
    })
    .optional()
    .describe('Expiry: a date-time, or a duration from then on. 0s expires it at once'),
})
  .refine(
    ({ status, expires_at }) => (status === undefined) !== (expires_at === undefined),
    'either status or expires_at',
  )
  .meta(exactlyOne(['status', 'expires_at']))

/** A text for the customer, alone or with a text for the developer. */
const rejection = z.union(
  [
    shortText.transform((reason): Rejection => ({ reason })),
    strict({
      reason: shortText.describe('For the user to read'),
      developer_reason: shortText.optional().describe('For the developer to read'),
    }),
  ],
  `${TEXT}, or an object of reason and developer_reason`,
)
const REASONS = `a list of 1 to ${MAX_REASONS}, each ${TEXT}, or an object of reason and developer_reason`
const REQUIREMENTS = `a list of 1 to ${MAX_REQUIREMENTS}, each ${TEXT}`

const creditCurrency = currency.describe('ISO 4217 in upper case. Default: that of the payout')
const creditAmount = amount.describe('Amount. Default: that of the payout')

const SUBJECT_ACTIONS = ['move', 'credit', 'deposit', 'set_key', 'stop'] as const

/** The actions depend on the kind of record. */
export const subjectStep = ({ statuses, hasUser, isRead, hasAddress, hasAmount }: Subject) => {
  const isUser = statuses?.includes('under_review') ?? false
  return strict({
    after: duration.optional().describe('Delay in world time: 500ms, 2s, 30m, 1h, 7d or ISO 8601'),
    ...(isRead && {
      after_reads: wholeNumber(1, 1_000)
        .optional()
        .describe(
          'Waits for this many status requests of the transfer; the last one already shows the step',
        ),
    }),
    ...(statuses && {
      move: oneOf(statuses)
        .optional()
        .describe('The status to move to, as the status table allows'),
    }),
    ...(statuses &&
      !isUser && { reason: shortText.optional().describe('Why it failed or was cancelled') }),
    ...(isUser && {
      rejection_reasons: z
        .array(rejection, REASONS)
        .min(1, REASONS)
        .max(MAX_REASONS, REASONS)
        .optional()
        .describe('Why the user was rejected'),
      requirements: z
        .array(shortText, REQUIREMENTS)
        .min(1, REQUIREMENTS)
        .max(MAX_REQUIREMENTS, REQUIREMENTS)
        .optional()
        .describe('The fields that an incomplete user has to add'),
    }),
    ...(hasUser && {
      credit: strict(
        hasAmount
          ? { currency: creditCurrency.optional(), amount: creditAmount.optional() }
          : { currency: creditCurrency, amount: creditAmount },
      )
        .superRefine(checkCredit)
        .meta(hasAmount ? { dependentRequired: { currency: ['amount'] } } : {})
        .optional()
        .describe('Credits the balance of the user. For a payout, {} returns its own amount'),
    }),
    deposit: strict({
      address: (hasAddress ? shortText.optional() : shortText).describe(
        'Address. Default: that of the record',
      ),
      amount: tokens.describe('Amount'),
      crypto: shortText.optional().describe('Token. Default: the expected one'),
      chain: shortText.optional().describe('Network. Default: the expected one'),
    })
      .optional()
      .describe('Crypto arrives'),
    set_key: keyChange
      .optional()
      .describe('Changes the API key of the request that led to the event'),
    stop: z
      .literal(true, 'true')
      .optional()
      .describe('Keeps the status for good; no later rule fires'),
  })
    .superRefine((step, context) => {
      const hasStrangers = context.issues.length > 0
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      const given = step as SubjectStep
      const done = SUBJECT_ACTIONS.filter((action) => given[action] !== undefined)
      // An unknown field is probably a misspelt action, which is reported already.
      if (done.length !== 1 && !(done.length === 0 && hasStrangers))
        refuse([], `exactly one of ${SUBJECT_ACTIONS.filter(isKnown).join(', ')}`)
      if (given.after !== undefined && given.after_reads !== undefined) {
        refuse(['after_reads'], 'either after or after_reads')
      }
      if (given.reason !== undefined && given.move === undefined)
        refuse(['reason'], 'it only beside move')
      for (const { kept, by } of REVIEW_FIELDS) {
        if (given[kept] !== undefined && given.move !== by)
          refuse([kept], `it only beside move: ${by}`)
      }
    })
    .meta(exactlyOne(SUBJECT_ACTIONS.filter(isKnown))) as unknown as z.ZodType<SubjectStep>

  function isKnown(action: (typeof SUBJECT_ACTIONS)[number]): boolean {
    if (action === 'move') return statuses !== undefined
    return action !== 'credit' || hasUser
  }
}

interface Rejection {
  readonly reason: string
  readonly developer_reason?: string
}

export interface SubjectStep {
  readonly after?: string
  readonly after_reads?: number
  readonly move?: string
  readonly reason?: string
  readonly rejection_reasons?: readonly Rejection[]
  readonly requirements?: readonly string[]
  readonly credit?: { readonly currency?: string; readonly amount?: number | string }
  readonly deposit?: {
    readonly address?: string
    readonly amount: number | string
    readonly crypto?: string
    readonly chain?: string
  }
  readonly set_key?: {
    readonly status?: KeyStatus
    readonly expires_at?: string
  }
  readonly stop?: true
}
