import type * as z from 'zod'
import { assumptions } from '../assumptions/register/index.js'
import type { Readings } from '../assumptions/use.js'
import { plus } from '../domain/money.js'
import { findChangedField } from '../domain/payout-idempotency.js'
import type { Payout, Tables } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import { bodyValue } from '../history/bodies.js'
import {
  capitalize,
  formatDate,
  formatMoney,
  pluralize,
  shortId,
  statusWord,
} from '../history/format.js'
import { describePaidTwice } from '../history/paid-twice.js'
import type { LoggedExchange } from '../history/views.js'
import { type Instant, toIso } from '../kernel/time.js'
import { type Fields, listFields } from '../lib/schema-fields.js'
import { closestMatch } from '../lib/suggest.js'
import { truncate } from '../lib/text.js'
import { type Attempt, type Inquiry, isInDoubt, isLost } from './groups.js'
import {
  failureAdvice,
  formatBetween,
  isDone,
  isFailed,
  type Prose,
  payoutTitle,
  reasonText,
  requestRef,
  ruleRef,
  text,
  timesText,
  timeText,
  toPlainText,
  transferTitle,
  withStop,
} from './record-sentences.js'
import type { RepeatedPayment } from './second-payments.js'

/** The sum of a payout, or in the body of a request for one. */
const sumIn = ({ amount, currency }: Readonly<Record<string, unknown>>): Prose[number] =>
  /^\d+(\.\d+)?$/.test(text(amount))
    ? { amount: text(amount), asset: text(currency) }
    : { strong: `Payout of ${text(amount) || 'no amount'}` }

const requestTitle = (tables: Tables, { newest: { request }, payout }: Inquiry): Prose => {
  const { method, path } = request
  const operation = request.operation?.id
  const body = Object(payout ?? bodyValue(request.body))
  const user = tables.users.get(text(body.user_id))
  const name = user ? fullName(user) : shortId(text(body.user_id))
  const person = name && ` for ${name}`
  switch (operation) {
    case 'createPayout': {
      const bank = text(Object(payout?.account_details ?? body.recipient_details).bank_name)
      return [sumIn(body), bank && ` to ${bank}`, person]
    }
    case 'createCustodyWallet':
      return [{ strong: 'Wallet' }, text(body.chain) && ` on ${text(body.chain)}`, person]
    case 'initiateOfframp': {
      const account = tables.accounts.get(text(body.account_id))
      return [{ strong: 'Deposit address' }, person, account ? `, ${account.nickname}` : '']
    }
    case 'createUser':
      return [{ strong: 'User' }, ` ${text(body.first_name)} ${text(body.last_name)}`]
    case 'getTransferStatus': {
      const transfer = path
        .split('/')
        .map((it) => tables.transfers.get(it))
        .find(Boolean)
      return [{ strong: transfer ? transferTitle(transfer) : 'Transfer' }, ' status read']
    }
  }
  // `List users` for `listUsers`
  const title = operation && capitalize(operation.replace(/[A-Z]/g, ' $&').toLowerCase())
  return title ? [{ strong: title }] : [{ strong: 'No such call' }, `: ${method}`]
}

/** `1,500.00 NGN to Access Bank for Tola Adeyemi` */
export const inquiryTitle = (tables: Tables, inquiry: Inquiry): Prose => {
  const { noun, attempts } = inquiry
  const repeats = noun || attempts.length === 1 ? '' : `, ${timesText(attempts.length)}`
  return [...requestTitle(tables, inquiry), repeats]
}

/** The amount and the fee that left the balance. */
const spent = ({ amount, rail_fee, currency, fee_deducted }: Payout): string =>
  formatMoney(fee_deducted ? amount : plus(amount, rail_fee).toFixed(), currency)

/** One line of a phone. */
const MAX_PATH_SHOWN = 48

/** Below the line of an inquiry: why it ended so, or how often it was sent. */
export const inquiryNote = (inquiry: Inquiry): string | undefined => {
  const { attempts, newest, noun, made, payout, pair } = inquiry
  if (pair) return capitalize(describePaidTwice(pair, pair.payouts.length))
  if (isInDoubt(inquiry)) {
    const did = payout ? describeDone(payout) : noun && made > 0 && 'Made'
    return did
      ? `${did}, but your client does not know. It has not asked again`
      : 'Your client has no response'
  }
  const failure =
    payout && isFailed(payout.status)
      ? `${reasonText(payout.reason)}, ${spent(payout)} returned`
      : undefined
  const isUndone = made === 0 && attempts.some(({ effect }) => effect === 'undone')
  const { operation, path, status } = newest.request
  const refusal =
    operation === undefined && status === 404
      ? truncate(path, MAX_PATH_SHOWN)
      : refusalReason(newest)
  const why = failure ?? (isUndone ? 'Taken back' : refusal)
  if (!noun || attempts.length === 1) return why
  const count = `${attempts.length} attempts, ${pluralize(made, noun)}`
  return why && (failure || made === 0) ? `${count}: ${why}` : count
}

const describeDone = ({ status }: Payout): string =>
  isDone(status) ? 'Paid' : isFailed(status) ? 'Failed' : 'Accepted'

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

const paidAgain = ({ noun }: Inquiry): string =>
  noun === 'wallet' ? 'created again' : 'paid again'

/** ` for 778.00 NGN` if an attempt asks for another sum than the payout has, or the newest attempt. */
const otherSum = ({ noun, payout, newest }: Inquiry, { exchange }: Attempt): string => {
  const { body } = exchange.request
  if (noun !== 'payout' || typeof body !== 'object') return ''
  const known = Object(payout ?? newest.exchange.request.body)
  const [sum = '', usual] = [Object(body), known].map((it) => toPlainText([sumIn(it)]))
  // One reading of the contract accepts currencies in lower case.
  return sum.toUpperCase() === usual?.toUpperCase() ? '' : ` for ${sum.replace('Payout of ', '')}`
}

/** `Attempt 3 learns that it failed` */
export const attemptTitle = (inquiry: Inquiry, attempt: Attempt): string => {
  const { exchange, effect, n } = attempt
  const name = `Attempt ${n}${otherSum(inquiry, attempt)}`
  if (exchange.pending) return `${name} still runs`
  if (effect === 'made') return `${name} makes the ${inquiry.noun}`
  if (effect === 'undone') return `${name} made the ${inquiry.noun}, taken back since`
  const end = learnedEnd(inquiry, attempt)
  if (end) return `${name} learns that it ${end}`
  if (effect === 'repeated') return `${name}, nothing ${paidAgain(inquiry)}`
  if (isLost(exchange)) return `${name} gets no response`
  return `${name} is refused`
}

const got = (exchange: LoggedExchange): string => {
  if (isLost(exchange) || exchange.pending) return 'no answer'
  const status = answeredStatus(exchange)
  return `${exchange.status} ${status && statusWord(status)}`.trim()
}

const FINAL = '. That is final: this payout will not be paid'

export const attemptCause = (inquiry: Inquiry, attempt: Attempt, current?: string): Prose => {
  const { exchange, effect } = attempt
  const isFailure = learnedEnd(inquiry, attempt) === 'failed'
  const reason = effect || isLost(exchange) ? undefined : refusalReason(attempt)
  return [
    ...(exchange.id === current ? ['This request'] : ['Your client, ', requestRef(exchange.id)]),
    `, got ${got(exchange)}`,
    isFailure ? FINAL : reason ? `: ${reason}` : '',
  ]
}

export const lostCause = ({ fault, aborted_ms, duration_ms }: LoggedExchange): Prose => {
  if (aborted_ms !== null) return [`Your client left after ${aborted_ms} ms, before the response`]
  const after = `the connection after ${duration_ms.toFixed(1)} ms, without a status or a body`
  return [fault === null ? 'The sandbox' : ruleRef(fault), ` cut ${after}`]
}

export const lostTitle = 'Response lost'

/** The dashed step above a lost response. */
export const silence = ({ newest: { exchange } }: Inquiry, now: Instant) => ({
  what: 'No second attempt yet',
  cause: [`Your client has not asked again for ${formatBetween(exchange.at, toIso(now))}`],
})

const ending = ({ status, reason, updated_at }: Payout, now: Instant): string => {
  const at = timeText(updated_at, now)
  if (isFailed(status)) return `, which failed ${at}: ${reasonText(reason)}.`
  return isDone(status) ? `, which was processed ${at}.` : ', which is pending.'
}

/** The first sentence about a chosen request. */
export const attemptSentence = (
  tables: Tables,
  inquiry: Inquiry,
  attempt: Attempt,
  now: Instant,
): Prose => {
  const { noun, made, attempts } = inquiry
  const count =
    noun && attempts.length > 1
      ? `Attempt ${attempt.n} of ${attempts.length}${otherSum(inquiry, attempt)}, ${pluralize(made, noun)} made. `
      : ''
  const { payout, pair } = inquiry
  const twice = payout && pair && attempt.effect !== 'repeated' ? pairSentence(pair, payout) : []
  const result = [...resultSentence(inquiry, attempt, now), ...faultSentence(attempt.exchange)]
  const isFailure = payout && isFailed(payout.status) && !isLost(attempt.exchange)
  const advice = isFailure ? failureAdvice(tables, payout) : []
  return [...advice, count, ...result, twice.length > 0 ? ' ' : '', ...twice]
}

const resultSentence = (inquiry: Inquiry, attempt: Attempt, now: Instant): Prose => {
  const { exchange, effect } = attempt
  const { noun, payout } = inquiry
  if (exchange.pending) return [{ strong: 'It still runs.' }]
  if (effect === 'undone') {
    return [{ strong: `It made the ${noun}.` }, ' An undo, a restore or a reset took it back.']
  }
  if (isLost(exchange)) return lostSentence(inquiry, attempt, now)
  if (effect === 'made') {
    return [{ strong: `It made the ${noun}` }, payout ? ending(payout, now) : '.']
  }
  if (effect === 'repeated') {
    const end = learnedEnd(inquiry, attempt)
    const learned = end ? ` The answer says that it ${end}.` : ''
    return [{ strong: `Nothing was ${paidAgain(inquiry)}.` }, learned]
  }
  const reason = refusalReason(attempt)
  if (exchange.fault === null && reason !== undefined) {
    const nothing = noun === 'payout' ? 'It paid nothing' : `Refused with ${exchange.status}`
    return [{ strong: `${nothing}:` }, ` ${withStop(reason)}`]
  }
  return [`Answered with ${exchange.status} in ${exchange.duration_ms.toFixed(1)} ms.`]
}

const lostSentence = (inquiry: Inquiry, attempt: Attempt, now: Instant): Prose => {
  const { payout, newest } = inquiry
  if (!payout || attempt !== newest || !isInDoubt(inquiry)) {
    return [{ strong: 'Your client got no response.' }]
  }
  const did = describeDone(payout)
  const at = timeText(payout.updated_at, now)
  return [{ strong: `${did} ${at}, and your client does not know:` }, ' the response was lost.']
}

const faultSentence = ({ fault, pending, status }: LoggedExchange): Prose => {
  if (fault === null) return []
  const made = (status ?? 0) >= 400 ? 'made, delayed' : 'delayed'
  const did = status === null ? 'cut the connection' : `${made} or changed the response`
  return [' ', ruleRef(fault), ` ${pending ? 'delays it' : did}.`]
}

/** The reason of an error or of a rule's response; undefined for a normal response. */
const refusalReason = (attempt: Attempt): string | undefined => {
  const { status, pending, fault } = attempt.request
  if (pending) return 'The request is pending.'
  const isError = (status ?? 0) >= 400
  const message = isError && Object(attempt.exchange.response.body).message
  if (typeof message === 'string') return message
  return fault === undefined
    ? undefined
    : `A rule ${isError ? 'made' : 'delayed or changed'} this response.`
}

/** Body fields that the call does not have. The service ignores a misspelt field silently. */
export const unknownFields = (
  operations: readonly { readonly id: string; readonly body?: z.ZodType | undefined }[],
  { operation, request }: LoggedExchange,
): string[] => {
  const body = operations.find(({ id }) => id === operation)?.body
  return body ? listUnknown(request.body, listFields(body), '') : []
}

const listUnknown = (value: unknown, fields: Fields | undefined, path: string): string[] => {
  if (!fields || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => listUnknown(item, fields, `${path}${i}.`))
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    if (fields.has(name)) return listUnknown(inner, fields.get(name), `${path}${name}.`)
    const missing = [...fields.keys()].filter((it) => !Object.hasOwn(value, it))
    const meant = closestMatch(name, missing)
    const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
    return [`${path}${name} is an unknown field, and the service ignores it.${guess}`]
  })
}

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

/** `Paid twice: 99.99 USD, … The other payment: 99.99 USD to Access Bank.` */
export const pairSentence = (pair: RepeatedPayment, payout: Payout): Prose => {
  const strong = capitalize(describePaidTwice(pair, pair.payouts.length))
  const others = pair.payouts.filter(({ id }) => id !== payout.id)
  const links = others.map((it) => ({ text: payoutTitle(it), path: `/payouts/${it.id}` }))
  const start = ` The other ${links.length === 1 ? 'payment' : 'payments'}: `
  return [{ strong: `${strong}.` }, start, ...links.flatMap((it) => [it, ', ']).slice(0, -1), '.']
}

/** A lost response: what the service did, what the client cannot know, what to do and never to do. */
export const lostAdvice = (tables: Tables, inquiry: Inquiry, readings: Readings) => {
  const { payout, made, noun = 'payout', newest, pair } = inquiry
  const id = noun === 'payout' ? 'customer_payout_id' : 'customer_wallet_ref'
  const changed = payout && findChange(payout, newest.exchange, readings)
  const question = changed ? 'payout.changed_repeat' : (`${noun}.repeat` as const)
  const chosen = readings.of(question)
  const means = assumptions[question].readings.find(({ name }) => name === chosen)?.means
  const answer = chosen === 'first' ? 'which the service ignores' : `so it gets ${means}`
  const repeat = changed
    ? `It has another ${changed} than the payout, ${answer}.`
    : `It gets ${means}.`
  const again = made > 0 ? repeat : `It makes the ${noun}, once.`
  const times = timesText(pair?.payouts.length ?? 1)
  const costs = pair
    ? `It was, so the bill is paid ${times}.`
    : payout && isFailed(payout.status)
      ? 'Here it would pay once, but your client cannot know that.'
      : payout && !changed
        ? `That pays another ${spent(payout)}.`
        : `That can make a second ${noun}.`
  return {
    clientId: text(Object(newest.exchange.request.body)[id]),
    service: payout ? paymentMade(tables, payout, times) : recordMade(noun, made),
    client: { title: 'Your client cannot know', text: lostCause(newest.exchange) },
    advice: [
      ['done', `Send the same request again, with the same ${id}.`, again],
      [
        'done',
        'Wait a little longer before each attempt,',
        'and let a person look after the fifth.',
      ],
      ['failed', `Never send it with a new ${id}.`, costs],
    ] as const,
    question: [
      'The contract does not say what a repeat does: ',
      { text: question, path: `/questions?open=${question}` },
    ] satisfies Prose,
  }
}

/** The field in which a repeat differs from the payout, if the service compares them. */
const findChange = (
  payout: Payout,
  { request: { body } }: LoggedExchange,
  readings: Readings,
): string | undefined => {
  if (['conflict', 'second'].includes(readings.payout.repeat)) return undefined
  const { amount, recipient_details, ...fields } = Object(body)
  const input = { ...fields, amount: text(amount), recipient_details: Object(recipient_details) }
  return findChangedField(payout, input)
}

const recordMade = (noun: string, made: number) =>
  made > 0
    ? { kind: 'done', title: `The service has made the ${noun}, once`, text: '' }
    : { kind: 'planned', title: 'The service has done nothing', text: `There is no ${noun}.` }

const paymentMade = ({ users }: Tables, payout: Payout, times: string) => {
  const { status, amount, currency, account_details, user_id, reason } = payout
  if (isFailed(status)) {
    const text = `${reasonText(reason)}, and ${spent(payout)} went back to the balance.`
    return { kind: 'failed', title: 'The payout failed', text }
  }
  const each = times === 'once' ? '' : ' each time'
  const left = `${spent(payout)} left the balance of ${users.get(user_id)?.first_name}${each}`
  const bank = account_details.bank_name
  if (!isDone(status)) {
    return {
      kind: 'pending',
      title: `The service will pay, ${times}`,
      text: `${left}, for ${bank}.`,
    }
  }
  const text = `${left}, and ${formatMoney(amount, currency)} of them arrived at ${bank}.`
  return { kind: 'done', title: `The service has paid, ${times}`, text }
}

/** Beside a list without a request. */
export const noneChosen = (missing?: string) =>
  missing === undefined
    ? { title: 'The log has no request', text: `${REQUEST_TEXTS.invitation}.` }
    : { title: 'The log has no such request', text: 'It keeps the newest requests.' }

/** Sentences of Activity without a value. */
export const REQUEST_TEXTS = {
  conduct: ['Habits of the client'],
  waiting: ['Waiting for your first request'],
  invitation: ['Send one, and it appears here'],
  example: ['It pays 10.00 EUR from Ada Okafor’s balance. Send it twice to see that it pays once.'],
  logIsOff: ['The request log is off (--request-log 0), so no request will appear.'],
  clearing: ['An undo does not restore them. The records stay.'],
  noBody: ['No body.'],
  beginsLate: [
    'The log begins later than this world. It was cleared, evicted, or lost in a restart.',
  ],
  beganAgain: ['The world began again'],
} satisfies Readonly<Record<string, Prose>>

/** `15 June 2026, 09:01` for the first minute of a day, else `09:00`. */
export const minuteHeading = (at: string, previous: string | undefined): string =>
  `${previous?.slice(0, 10) === at.slice(0, 10) ? '' : `${formatDate(at)}, `}${at.slice(11, 16)}`

export const emptySentence = (tables: Tables, isPaused: boolean): string => {
  const nouns = ['user', 'transfer', 'payout', 'rail'] as const
  const counts = nouns.map((noun) => pluralize(tables[`${noun}s`].size, noun)).join(', ')
  return `This world has ${counts}.${isPaused ? ' Nothing moves until you move the clock.' : ''}`
}
