import type { ReadingLookup } from '../assumptions/ids.js'
import { assumptions } from '../assumptions/register/index.js'
import { plus } from '../domain/money.js'
import type { Payout, Tables } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import type { LoggedExchange } from '../history/views.js'
import { type Instant, toIso } from '../kernel/time.js'
import { refusalReason, splitMessages } from './field-errors.js'
import {
  capitalize,
  formatDay,
  formatMoney,
  formatTime,
  pluralize,
  shortId,
  statusWord,
} from './format.js'
import {
  formatBetween,
  isDone,
  isFailed,
  type Prose,
  requestRef,
  scenarioRef,
  transferTitle,
} from './sentences.js'

/** All texts of the console about requests. */

/** One request of a client, and what it did to the record that it was about. */
export interface Attempt {
  readonly exchange: LoggedExchange
  /** From 1, oldest first. */
  readonly n: number
  readonly effect: 'made' | 'repeated' | undefined
}

/** The requests that asked for the same: one payment, one wallet, or equal reads in a row. */
export interface Inquiry {
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  readonly newest: Attempt
  /** A record that an id of the client names. */
  readonly noun: 'payout' | 'wallet' | undefined
  /** The number of records that this id names. */
  readonly made: number
  /** The newest payout of the id. */
  readonly payout: Payout | undefined
}

/** The client has no answer: the connection broke, or the client left. */
export const isLost = ({
  pending,
  status,
  aborted_ms,
}: Pick<LoggedExchange, 'pending' | 'status'> & {
  readonly aborted_ms?: number | null | undefined
}): boolean => !pending && (status === null || (aborted_ms ?? null) !== null)

type Body = Readonly<Record<string, unknown>>

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const person = ({ users }: Tables, id: unknown): string => {
  const user = users.get(text(id))
  return user ? ` for ${fullName(user)}` : text(id) && ` for ${shortId(text(id))}`
}

const IS_AMOUNT = /^\d+(?:\.\d+)?$/

const payoutRequestTitle = (it: Body, tables: Tables): Prose => {
  const [amount, asset] = [text(it.amount), text(it.currency)]
  const bank = text(Object(it.recipient_details).bank_name)
  return [
    IS_AMOUNT.test(amount) ? { amount, asset } : { strong: `Payout of ${amount || 'no amount'}` },
    bank && ` to ${bank}`,
    person(tables, it.user_id),
  ]
}

/** By operation. */
const TITLES: Readonly<Record<string, (body: Body, tables: Tables, path: string) => Prose>> = {
  createPayout: payoutRequestTitle,
  createCustodyWallet: (it, tables) => [
    { strong: 'Wallet' },
    text(it.chain) && ` on ${text(it.chain)}`,
    person(tables, it.user_id),
  ],
  initiateOfframp: (it, tables) => {
    const account = tables.accounts.get(text(it.account_id))
    const name = account ? `, ${account.nickname}` : ''
    return [{ strong: 'Deposit address' }, person(tables, it.user_id), name]
  },
  createUser: (it) => [{ strong: 'User' }, ` ${text(it.first_name)} ${text(it.last_name)}`],
  createConsent: () => [{ strong: 'Consent' }],
  listUsers: () => [{ strong: 'Users' }, ' listed'],
  getOfframpAudit: () => [{ strong: 'Offramp audit' }, ' read'],
  getTransferAudit: () => [{ strong: 'Transfer audit' }, ' read'],
  getTransferStatus: (_, { transfers }, path) => {
    const transfer = transfers.get(path.split('/').find((it) => transfers.get(it)) ?? '')
    return [{ strong: transfer ? transferTitle(transfer) : 'Transfer' }, ' status read']
  },
  getTotalCustodyBalances: () => [{ strong: 'Balances' }, ' read'],
  getCryptoBalance: () => [{ strong: 'Crypto balance' }, ' read'],
}

/** `1,500.00 NGN to Access Bank for Tola Adeyemi` */
export const inquiryTitle = (
  tables: Tables,
  { attempts, newest: { exchange }, noun }: Inquiry,
): Prose => {
  const { operation, method, path, request } = exchange
  const title = TITLES[operation ?? '']?.(Object(request.body), tables, path)
  const times = attempts.length === 2 ? ', twice' : `, ${attempts.length} times`
  return [
    ...(title ?? [{ strong: method }, ` ${path}`]),
    ...(noun || attempts.length === 1 ? [] : [times]),
  ]
}

/** The amount and the fee that left the balance. */
const spent = ({ amount, rail_fee, currency, fee_deducted }: Payout): string =>
  formatMoney(fee_deducted ? amount : plus(amount, rail_fee).toFixed(), currency)

const returned = (payout: Payout): string =>
  payout.fee_kept ? formatMoney(payout.amount, payout.currency) : spent(payout)

const firstReason = (exchange: LoggedExchange): string | undefined => {
  const reason = refusalReason(exchange)
  if (reason === undefined) return undefined
  const [first = '', ...more] = splitMessages(reason)
  return more.length === 0 ? first : `${first} And ${more.length} more.`
}

/** Below the line of an inquiry: why it ended so, or how often it was sent. */
export const inquiryNote = (inquiry: Inquiry): string | undefined => {
  const { attempts, newest, noun, made, payout } = inquiry
  if (isLost(newest.exchange)) {
    const did = payout === undefined ? noun && made > 0 && 'Made' : DID[payout.status]
    return did ? `${did}, but your client does not know. It has not asked again` : LOST
  }
  const failure =
    payout && isFailed(payout.status) ? `${payout.reason}, ${returned(payout)} returned` : undefined
  if (!noun || attempts.length === 1) return failure ?? firstReason(newest.exchange)
  const count = `${attempts.length} attempts, ${pluralize(made, noun)}`
  return failure ? `${count}: ${failure}` : count
}

const DID: Readonly<Record<string, string>> = {
  PAYOUT_PENDING: 'Accepted',
  PAYOUT_PROCESSED: 'Paid',
  PAYOUT_FAILED: 'Failed',
}
const LOST = 'Your client has no response'

/** The status in an answer, such as `PAYOUT_FAILED`. */
const answeredStatus = ({ status, response }: LoggedExchange): string =>
  status === 200 || status === 201 ? text(Object(response.body).status) : ''

/** The end of a payout if this is the first answer that says so. */
const learnedEnd = ({ attempts }: Inquiry, { n, exchange }: Attempt): string | undefined => {
  const end = answeredStatus(exchange)
  if (isLost(exchange) || !(isDone(end) || isFailed(end))) return undefined
  const isKnown = attempts.some(
    (it) => it.n < n && !isLost(it.exchange) && answeredStatus(it.exchange) === end,
  )
  return isKnown ? undefined : isDone(end) ? 'was processed' : 'failed'
}

const nothingAgain = (noun: Inquiry['noun']): string =>
  noun === 'wallet' ? 'nothing created again' : 'nothing paid again'

/** `Attempt 3 learns that it failed` */
export const attemptTitle = (inquiry: Inquiry, attempt: Attempt): string => {
  const { exchange, effect, n } = attempt
  const name = `Attempt ${n}`
  if (exchange.pending) return `${name} still runs`
  if (effect === 'made') return `${name} makes the ${inquiry.noun}`
  const end = learnedEnd(inquiry, attempt)
  if (end) return `${name} learns that it ${end}`
  if (effect === 'repeated') return `${name}, ${nothingAgain(inquiry.noun)}`
  if (isLost(exchange)) return `${name} gets no response`
  return `${name} is refused`
}

const got = (exchange: LoggedExchange): string => {
  if (isLost(exchange)) return 'no answer'
  const status = answeredStatus(exchange)
  return `${exchange.status} ${status && statusWord(status)}`.trim()
}

const ONLY_NOW =
  '. Only now may your client pay again, with a new customer_payout_id: this payout will not be paid'

/** The cause of the step of an attempt. */
export const attemptCause = (inquiry: Inquiry, attempt: Attempt, current?: string): Prose => {
  const { exchange } = attempt
  const isFailure = learnedEnd(inquiry, attempt) === 'failed'
  return [
    ...(exchange.id === current ? ['This request'] : ['Your client, ', requestRef(exchange.id)]),
    `, got ${got(exchange)}`,
    isFailure ? ONLY_NOW : '',
  ]
}

/** Why the client has no answer. */
export const lostCause = ({ fault, aborted_ms, duration_ms }: LoggedExchange): Prose => {
  if (aborted_ms !== null) return [`Your client left after ${aborted_ms} ms, before the response`]
  const after = `the connection after ${duration_ms.toFixed(1)} ms, without a status or a body`
  if (fault === null) return [`The sandbox cut ${after}`]
  const ref = scenarioRef(fault.split('/')[0] ?? '')
  return [{ ...ref, text: capitalize(ref.text) }, ` cut ${after}`]
}

export const lostTitle = 'Response lost'

/** The dashed step above a lost response. */
export const silence = ({ newest: { exchange } }: Inquiry, now: Instant) => ({
  what: 'No second attempt yet',
  cause: [`Your client has not asked again for ${formatBetween(exchange.at, toIso(now))}`],
})

const ORDINALS = 'only first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

const ending = ({ status, reason, updated_at, processed_at }: Payout, now: Instant): string => {
  if (isFailed(status)) return `, which failed at ${formatTime(updated_at, now)}: ${reason}.`
  if (!isDone(status)) return ', which is pending.'
  return `, which was processed at ${formatTime(processed_at ?? updated_at, now)}.`
}

/** How long after the payout's end the client learned it. */
const learnedLater = ({ exchange }: Attempt, payout: Payout | undefined): string => {
  const later = payout && formatBetween(payout.updated_at, exchange.at)
  return later === undefined || later === '0 s' ? '' : `, ${later} after the service did`
}

/** The first sentence about a chosen request. */
export const attemptSentence = (inquiry: Inquiry, attempt: Attempt, now: Instant): Prose => [
  ...(inquiry.noun && inquiry.attempts.length > 1
    ? [
        `The ${ORDINALS[attempt.n] ?? `${attempt.n}th`} attempt of ${inquiry.made === 1 ? `one ${inquiry.noun}` : pluralize(inquiry.made, inquiry.noun)}. `,
      ]
    : []),
  ...resultSentence(inquiry, attempt, now),
  ...faultSentence(attempt.exchange),
]

export const newestSentence = (inquiry: Inquiry, now: Instant): Prose =>
  attemptSentence(inquiry, inquiry.newest, now)

const resultSentence = (inquiry: Inquiry, attempt: Attempt, now: Instant): Prose => {
  const { exchange, effect } = attempt
  const { noun, payout } = inquiry
  if (exchange.pending) return [{ strong: 'It still runs.' }]
  if (isLost(exchange)) return lostSentence(inquiry, attempt, now)
  if (effect === 'made') {
    return [{ strong: `It made the ${noun}` }, payout ? ending(payout, now) : '.']
  }
  if (effect === 'repeated') {
    const end = learnedEnd(inquiry, attempt)
    return [
      { strong: `${capitalize(nothingAgain(noun).replace('nothing', 'nothing was'))}.` },
      end ? ` Your client now knows that it ${end}${learnedLater(attempt, payout)}.` : '',
    ]
  }
  const reason = refusalReason(exchange)
  if (exchange.fault === null && reason !== undefined) {
    const nothing = noun === 'payout' ? 'Nothing was paid' : `Refused with ${exchange.status}`
    return [{ strong: `${nothing}:` }, ` ${withStop(splitMessages(reason).join(' '))}`]
  }
  return [`Answered with ${exchange.status} in ${exchange.duration_ms.toFixed(1)} ms.`]
}

const lostSentence = (
  { payout, attempts }: Inquiry,
  { n, exchange }: Attempt,
  now: Instant,
): Prose => {
  const did = DID[payout?.status ?? '']
  const isNewest = n === attempts.length
  if (!did || !isNewest) return [{ strong: 'Your client got no response.' }]
  return [
    { strong: `${did} at ${formatTime(exchange.at, now)}, and your client does not know:` },
    ' the response was lost.',
  ]
}

const faultSentence = ({ fault, pending, status }: LoggedExchange): Prose => {
  if (fault === null) return []
  const ref = scenarioRef(fault.split('/')[0] ?? '')
  const did = pending
    ? 'delays it'
    : status === null
      ? 'cut the connection'
      : 'changed the response'
  return [' ', { ...ref, text: capitalize(ref.text) }, ` ${did}.`]
}

const withStop = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

/** The contract's own messages about keys are short. */
const KEY_HINTS: Readonly<Record<string, string>> = {
  '4030': 'The request has no x-api-key header.',
  '4100': 'A key has 32 characters of A-Z, a-z and 0-9.',
  '4101': 'The key is well-formed, but this sandbox does not have it.',
  '4102': 'The key has expired in the time of its world.',
  '4103': 'The key is suspended or deactivated.',
  '4300': 'The key is read-only and does not permit this call.',
}

export const keyHint = ({ response, fault }: LoggedExchange): string | undefined =>
  fault === null ? KEY_HINTS[text(Object(response.body).code)] : undefined

/** An earlier payout of the same amount to the same account. */
export const doubleSentence = (earlier: Payout, now: Instant): Prose => [
  { strong: 'This is a second payment:' },
  ' ',
  {
    text: `${formatMoney(earlier.amount, earlier.currency)} went to the same account`,
    path: `/payouts/${earlier.id}`,
  },
  ` at ${formatTime(earlier.created_at, now)}. A new customer_payout_id always pays.`,
]

const CLIENT_ID = { payout: 'customer_payout_id', wallet: 'customer_wallet_ref' } as const

/** A lost response: what the service did, what the client cannot know, what to do and never to do. */
export const lostAdvice = (
  tables: Tables,
  { payout, made, noun = 'payout', newest }: Inquiry,
  reading: ReadingLookup,
) => {
  const id = CLIENT_ID[noun]
  const question = `${noun}.repeat` as const
  const chosen = reading(question)
  const means = assumptions[question].readings.find(({ name }) => name === chosen)?.means
  const again = made > 0 ? `It gets ${means}.` : `It makes the ${noun}, once.`
  const costs = payout ? `That pays another ${spent(payout)}.` : `That can make a second ${noun}.`
  return {
    /** As the client wrote it. */
    clientId: text(Object(newest.exchange.request.body)[id]),
    service: serviceDid(tables, payout, made, noun),
    client: { title: 'Your client cannot know', text: lostCause(newest.exchange) },
    advice: [
      { kind: 'done', what: `Send the same request again, with the same ${id}.`, why: again },
      {
        kind: 'done',
        what: 'Wait a little longer before each attempt,',
        why: 'and let a person look after the fifth.',
      },
      { kind: 'failed', what: `Never send it with a new ${id}.`, why: costs },
    ],
    question: [
      'The contract does not say what a repeat does: ',
      { text: question, path: `/questions?open=${question}` },
    ] satisfies Prose,
  }
}

const serviceDid = (
  { users }: Tables,
  payout: Payout | undefined,
  made: number,
  noun: 'payout' | 'wallet',
) => {
  if (!payout) {
    return made > 0
      ? { kind: 'done', title: `The service has made the ${noun}, once`, text: '' }
      : { kind: 'planned', title: 'The service has done nothing', text: `There is no ${noun}.` }
  }
  const { status, amount, currency, account_details, user_id } = payout
  const left = `${spent(payout)} left the balance of ${users.get(user_id)?.first_name}`
  const bank = account_details.bank_name
  if (isFailed(status)) {
    const text = `${payout.reason}, and ${returned(payout)} went back to the balance.`
    return { kind: 'failed', title: 'The payout failed', text }
  }
  return isDone(status)
    ? {
        kind: 'done',
        title: 'The service has paid, once',
        text: `${left}, and ${formatMoney(amount, currency)} of them arrived at ${bank}.`,
      }
    : { kind: 'pending', title: 'The service will pay, once', text: `${left}, for ${bank}.` }
}

/** Beside the list. */
export const noneChosen = (missing: string | undefined, requests: number, failed: number) =>
  missing === undefined
    ? {
        title: `${pluralize(requests, 'request')}, ${failed === 0 ? 'all went well' : `${pluralize(failed, 'line')} failed`}`,
        text: 'Choose one to see why it ended so.',
      }
    : {
        title: 'The log has no such request',
        text: 'It keeps the newest requests, and a reset clears it.',
      }

/** `15 June 2026, 09:01` for the first minute of a day, else `09:00`. */
export const minuteHeading = (at: string, previous: string | undefined): string => {
  const clock = at.slice(11, 16)
  if (previous?.slice(0, 10) === at.slice(0, 10)) return clock
  return `${formatDay(at)} ${at.slice(0, 4)}, ${clock}`
}

export const emptySentence = ({ users, transfers, payouts, rails }: Tables, paused: boolean) =>
  `This world has ${pluralize(users.size, 'user')}, ${pluralize(transfers.size, 'transfer')}, ${pluralize(payouts.size, 'payout')}, ${pluralize(rails.size, 'rail')}.${paused ? ' Nothing moves until you move the clock.' : ''}`
