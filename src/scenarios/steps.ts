import * as z from 'zod'
import { KEY_STATUSES, type KeyStatus } from '../world/api-keys.js'
import { MOST_DECIMALS } from '../world/chains.js'
import { fiatDecimals } from '../world/currencies.js'
import { DURATION_FORMS, durationWanted, parseDuration } from '../world/kernel/time.js'
import { digitsAccepted, hasExcess, isTooLarge, plainDecimal } from '../world/money.js'
import { MOST_REASONS, MOST_REQUIREMENTS, REVIEW } from '../world/users.js'
import { oneOf, strict } from '../yaml/strict.js'
import type { Subject } from './events.js'

/** What rules do: steps about a record, and steps about a request. */

export const duration = z
  .string(DURATION_FORMS)
  .refine((text) => parseDuration(text) !== undefined, {
    error: ({ input }) => durationWanted(String(input)),
  })

const TEXT = 'text of 1 to 255 characters'
const text = z.string(TEXT).min(1, TEXT).max(255, TEXT)

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
 * An amount that its currency does not have could never be credited. Nor is a payout's own amount
 * one in another currency.
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
  const message = `an amount above zero in ${currency}, ${digitsAccepted(decimals)}`
  context.addIssue({ code: 'custom', path: ['amount'], message })
}

const TOKENS = `${AMOUNT}, of at most 15 digits, ${MOST_DECIMALS} of them after the point`
const tokens = amount.refine((given) => {
  const text = plainDecimal(given)
  return !hasExcess(text, MOST_DECIMALS) && !isTooLarge(text, 0)
}, TOKENS)

const READS = 'a whole number from 1 to 1000'
const reads = z.int(READS).min(1, READS).max(1_000, READS)

const EXPIRY = `a date-time such as 2026-06-15T09:30:00.000Z, or ${DURATION_FORMS} from then on`
const keyChange = strict({
  status: oneOf(KEY_STATUSES).optional(),
  expires_at: z
    .union([z.iso.datetime({ offset: true }), duration], {
      error: ({ input }) => durationWanted(String(input), EXPIRY),
    })
    .optional(),
}).refine(
  ({ status, expires_at }) => (status === undefined) !== (expires_at === undefined),
  'either status or expires_at',
)

/** The text alone, or with what the developer reads. */
const rejection = z.union(
  [
    text.transform((reason): Rejection => ({ reason })),
    strict({ reason: text, developer_reason: text.optional() }),
  ],
  `${TEXT}, or an object of reason and developer_reason`,
)
const REASONS = `a list of 1 to ${MOST_REASONS}, each ${TEXT}, or an object of reason and developer_reason`
const REQUIREMENTS = `a list of 1 to ${MOST_REQUIREMENTS}, each ${TEXT}`

export const SUBJECT_ACTIONS = ['move', 'credit', 'deposit', 'set_key', 'stop'] as const

/** A step about a subject: what it can do depends on what kind of record that is. */
export const subjectStep = ({ statuses, hasUser, isRead, hasAddress, hasAmount }: Subject) => {
  const isUser = statuses?.includes('under_review') ?? false
  return strict({
    after: duration.optional(),
    ...(isRead && { after_reads: reads.optional() }),
    ...(statuses && { move: oneOf(statuses).optional() }),
    ...(statuses && !isUser && { reason: text.optional() }),
    ...(isUser && {
      rejection_reasons: z
        .array(rejection, REASONS)
        .min(1, REASONS)
        .max(MOST_REASONS, REASONS)
        .optional(),
      requirements: z
        .array(text, REQUIREMENTS)
        .min(1, REQUIREMENTS)
        .max(MOST_REQUIREMENTS, REQUIREMENTS)
        .optional(),
    }),
    ...(hasUser && {
      credit: hasAmount
        ? strict({ currency: currency.optional(), amount: amount.optional() })
            .superRefine(checkCredit)
            .optional()
        : strict({ currency, amount }).superRefine(checkCredit).optional(),
    }),
    deposit: strict({
      address: hasAddress ? text.optional() : text,
      amount: tokens,
      crypto: text.optional(),
      chain: text.optional(),
    }).optional(),
    set_key: keyChange.optional(),
    stop: z.literal(true, 'true').optional(),
  }).superRefine((step, context) => {
    const hasStrangers = context.issues.length > 0
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const given = step as SubjectStep
    const done = SUBJECT_ACTIONS.filter((action) => given[action] !== undefined)
    // A field that does not exist is most likely the action, misspelt: that is told already.
    if (done.length !== 1 && !(done.length === 0 && hasStrangers))
      refuse([], `exactly one of ${SUBJECT_ACTIONS.filter(isKnown).join(', ')}`)
    if (given.after !== undefined && given.after_reads !== undefined) {
      refuse(['after_reads'], 'either after or after_reads')
    }
    if (given.reason !== undefined && given.move === undefined)
      refuse(['reason'], 'it only beside move')
    for (const { kept, by } of REVIEW) {
      if (given[kept] !== undefined && given.move !== by)
        refuse([kept], `it only beside move: ${by}`)
    }
  }) as unknown as z.ZodType<SubjectStep>

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

/** No delay holds a connection for longer, nor do several together. */
export const LONGEST_DELAY_MS = 5 * 60_000
const DELAY = `milliseconds from 0 to ${LONGEST_DELAY_MS}, or two of them as [least, most]`
const delay = z.int(DELAY).min(0, DELAY).max(LONGEST_DELAY_MS, DELAY)

const HEADER = 'a value of visible characters, without line breaks'
const HEADER_NAME = 'a header name of A-Z, a-z, 0-9 and -'
/** Headers that the server or the sandbox writes itself: another value would break the answer. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
  'x-sandbox-assumed',
  'x-sandbox-fault',
])
const NOT_OWN = `none of ${[...OWN_HEADERS].join(', ')}, which are written for you`

const headers = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, HEADER_NAME)
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), NOT_OWN),
  z.string(HEADER).regex(/^[\x20-\x7e]{0,1024}$/, HEADER),
)

const MOST = Number.MAX_SAFE_INTEGER
const EXACT = `a whole number from -${MOST} to ${MOST}; a body that is text keeps any`

/** Where a whole number stands that is too large to be kept digit by digit; undefined without one. */
const inexactIn = (value: unknown): PropertyKey[] | undefined => {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = inexactIn(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

const exact = z.unknown().superRefine((given, { addIssue }) => {
  const path = inexactIn(given)
  if (path) addIssue({ code: 'custom', path, message: EXACT })
})

/** From here on an answer has the error body, unless it is given another. */
const LOWEST_ERROR = 400
const IN_ERROR_BODY = 'it only in an error body: with a status from 400, and no body of your own'

const STATUS = 'an HTTP status from 200 to 599'
const response = strict({
  status: z.int(STATUS).min(200, STATUS).max(599, STATUS),
  code: z
    .string('a code of four digits such as "5030"')
    .regex(/^\d{4}$/, 'a code of four digits such as "5030"')
    .optional(),
  message: text.optional(),
  headers: headers.optional(),
  body: exact.optional(),
  retry_after: duration.optional(),
}).superRefine(({ status, body, ...others }, { addIssue }) => {
  if (body !== undefined && [204, 205, 304].includes(status)) {
    const message = 'no body beside the status 204, 205 or 304'
    addIssue({ code: 'custom', path: ['body'], message })
  }
  for (const detail of ['code', 'message'] as const) {
    if (others[detail] === undefined || (body === undefined && status >= LOWEST_ERROR)) continue
    addIssue({ code: 'custom', path: [detail], message: IN_ERROR_BODY })
  }
})
export type RespondStep = z.output<typeof response>

const DROPS = ['before', 'after', 'mid_body'] as const
const MALFORMS = ['truncated_json', 'html', 'wrong_content_type', 'empty'] as const

/** A window of no time would let everything pass. */
export const throttleWindow = duration.refine(
  (text) => parseDuration(text) !== 0,
  `${DURATION_FORMS}, above zero`,
)

const LIMIT = 'a whole number from 1 to 1000000'
export const REQUEST_ACTIONS = ['respond', 'delay_ms', 'drop', 'malform', 'throttle'] as const

/** A step about a request. */
export const requestStep = strict({
  respond: response.optional(),
  delay_ms: z
    .union([delay, z.tuple([delay, delay]).refine(([least, most]) => least <= most, DELAY)], DELAY)
    .optional(),
  drop: oneOf(DROPS).optional(),
  malform: oneOf(MALFORMS).optional(),
  throttle: strict({
    limit: z.int(LIMIT).min(1, LIMIT).max(1_000_000, LIMIT),
    window: throttleWindow,
  }).optional(),
}).superRefine((step, { issues, addIssue }) => {
  const done = REQUEST_ACTIONS.filter((action) => step[action] !== undefined)
  if (done.length === 1 || (done.length === 0 && issues.length > 0)) return
  addIssue({ code: 'custom', message: `exactly one of ${REQUEST_ACTIONS.join(', ')}` })
})
export type RequestStep = z.output<typeof requestStep>
