import {
  PAYOUT_STATUSES,
  type Payout,
  type Tables,
  TRANSFER_STATUSES,
  type Transfer,
  type User,
} from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import {
  capitalize,
  formatCount,
  formatDuration,
  formatMoney,
  formatTime,
  pluralize,
  shortId,
  statusWord,
} from '../history/format.js'
import type { StatementRow } from '../history/statement.js'
import type { Cause, RuleCause } from '../kernel/entry.js'
import { clampInstant, type Instant, parseInstant } from '../kernel/time.js'
import { nextStep, type Timer } from '../kernel/timer-records.js'
import { isWorldKey } from '../lib/secrets.js'
import { findEqualPayment } from './second-payments.js'

/** A text with links, amounts and bold parts. Texts about entries and records are made here. */
export type Prose = readonly (string | Ref | Sum | { readonly strong: string })[]

interface Sum {
  readonly amount: string
  readonly asset: string
}

interface Ref {
  readonly text: string
  /** A path of the console, without the world. */
  readonly path: string
  readonly title?: string
  /** The text where nothing can be clicked: readers copy the whole id. */
  readonly whole?: string
}

export const toPlainText = (prose: Prose): string => prose.map(partText).join('')

const partText = (it: Prose[number]): string => {
  if (typeof it === 'string') return it
  if ('amount' in it) return formatMoney(it.amount, it.asset)
  return 'strong' in it ? it.strong : (it.whole ?? it.text)
}

/** The name of a payout, a transfer or a user, as a link. */
export const recordRef = (
  { payouts, transfers, users }: Tables,
  id: string,
  record: object = payouts.get(id) ?? transfers.get(id) ?? users.get(id) ?? {},
): Ref | string => {
  if ('rail_fee' in record) return { text: payoutTitle(record as Payout), path: `/payouts/${id}` }
  if ('exchange_rate' in record)
    return { text: transferTitle(record as Transfer), path: `/transfers/${id}` }
  const path = `/users/${id}`
  return 'first_name' in record ? { text: fullName(record as User), path, title: id } : shortId(id)
}

/** The owner of an account such as `user:<id>` or `wallet:<id>`. */
export const accountRef = (tables: Tables, account: string): Ref | string => {
  const [kind = '', id = ''] = account.split(':')
  const wallet = kind === 'wallet' ? tables.wallets.get(id) : undefined
  const owner = recordRef(tables, wallet?.user_id ?? id)
  return wallet && typeof owner === 'object' ? { ...owner, text: `Wallet of ${owner.text}` } : owner
}

/** `your armed call 2` for `next-2` */
export const scenarioRef = (name: string): Ref => {
  const [, armed] = /^next-(\d+)$/.exec(name) ?? []
  return armed
    ? { text: `your armed call ${armed}`, path: '/control' }
    : { text: `scenario ${name}`, path: `/scenarios/${name}` }
}

/** The scenario of a rule such as `flaky-gateway/2`, at the start of a sentence. */
export const ruleRef = (rule: string): Ref => {
  const ref = scenarioRef(rule.split('/')[0] ?? '')
  return { ...ref, text: capitalize(ref.text) }
}

export const requestRef = (id: string): Ref => ({
  text: `request ${shortId(id)}`,
  whole: `request ${id}`,
  path: `/?request=${id}`,
  title: id,
})

const ORIGINS = { library: 'Your test', fixtures: 'From the fixtures', boot: 'The sandbox' }

/** Names who did it: a person, a client, a rule. */
export const causeSentence = (cause: Cause | RuleCause): Prose => {
  if ('scenario' in cause) return [ruleRef(cause.scenario)]
  if (!('request' in cause)) return [ORIGINS[cause.kind]]
  if (cause.kind === 'control') return [cause.by ? 'You, in the console' : 'A control call']
  const client = cause.kind === 'read' ? 'The read of your client, ' : 'Your client, '
  return [client, requestRef(cause.request)]
}

/** A part of what a client sent, which may be anything. */
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export const withStop = (sentence: string): string =>
  /[.!?]$/.test(sentence) ? sentence : `${sentence}.`

/** `Failed: account_closed` */
export const withReason = (word: string, reason: string): string =>
  reason === '' ? word : `${word}: ${reason}`

export const payoutTitle = ({ amount, currency, account_details }: Payout): string =>
  `${formatMoney(amount, currency)} to ${account_details.bank_name}`

export const transferTitle = (it: Transfer): string =>
  `${formatMoney(it.source_amount, it.source_currency)} → ${formatMoney(it.destination_amount, it.target_currency)}`

/** The moves that a timer has ahead. One has no time if it or an earlier one waits for reads. */
export const plannedMoves = (timer: Timer, status: string) => {
  let due = timer.due
  return timer.plan.steps.slice(timer.done).flatMap(({ after_ms, after_reads, input }, i) => {
    if (i > 0) due = due === null || after_reads ? null : clampInstant(due + after_ms)
    const to = text(Object(input).to)
    const reason = text(Object(input).reason)
    const done = timer.done + i
    return to !== '' && isAhead(status, to) ? [{ to, reason, due, timer, done }] : []
  })
}

/** In the order in which a payment moves. */
const ORDER: readonly string[] = [...PAYOUT_STATUSES, ...TRANSFER_STATUSES]

/** Somebody else may have moved a payment along its plan. */
const isAhead = (status: string, to: string): boolean =>
  !ORDER.includes(to) || ORDER.indexOf(to) > ORDER.indexOf(status)

/** `moves to Payment submitted in 1 s`; undefined without a plan. */
export const planSentence = (
  timer: Timer | undefined,
  now: Instant,
  status: string,
): string | undefined => {
  const [move] = timer ? plannedMoves(timer, status) : []
  return move && `moves to ${statusWord(move.to)} ${whenDue({ ...move.timer, due: move.due }, now)}`
}

/** Of the next step; empty if that moves no record. */
export const plannedStatus = (timer: Timer): string => text(Object(nextStep(timer)?.input).to)

const whenDue = ({ due, reads = 0 }: Timer, now: Instant): string =>
  due === null
    ? `after ${pluralize(reads, 'more read')}`
    : `in ${formatDuration(Math.max(due - now, 0))}`

/** The advice for a payout that failed. A payout before it with its values may pay its bill, or an equal one. */
export const failureAdvice = (tables: Tables, failed: Payout): Prose => {
  const other = findEqualPayment(tables, failed)
  if (!other) return [{ strong: 'Failed for good: pay again with a new customer_payout_id.' }, ' ']
  const verb = isDone(other.status) ? 'paid' : 'asked for'
  const strong =
    other.n > failed.n
      ? `Failed for good, and ${verb} again:`
      : `Failed for good, but ${verb} before. Pay again only if this is another bill than`
  return [{ strong }, ' ', recordRef(tables, other.id), '. ']
}

export const reasonText = (reason: string | null): string => reason ?? 'no reason given'

const STILL = ', and it does not move, from the fixtures'

/** Whom it is for, where it is, since when, and what comes next: the step of `timer`. */
export const paymentSentence = (
  tables: Tables,
  payment: Payout | Transfer,
  now: Instant,
  timer: Timer | undefined,
  last?: { readonly cause: Cause | RuleCause },
  attempts = 1,
): Prose => {
  const { status, reason, user_id, created_at, updated_at } = payment
  const [word, at, plan] = [
    statusWord(status),
    timeText(updated_at, now),
    planSentence(timer, now, status),
  ]
  const start = ['For ', recordRef(tables, user_id), '. ']
  const asked = attempts > 1 ? `. Asked for ${timesText(attempts)}` : ''
  const end = `${asked}.`
  const next = plan && timer ? [`, and it ${plan}, by `, scenarioRef(timer.plan.scenario)] : []
  if (isDone(status)) {
    const later = laterText(created_at, updated_at, 'it was made')
    const once = asked && `${asked}, paid once`
    return [...start, { strong: `${word} ${at}` }, later, ...next, once, '.']
  }
  if (isFailed(status)) {
    const isPayout = 'rail_fee' in payment
    const advice = isPayout ? failureAdvice(tables, payment) : []
    const why = { strong: `${word} ${at}: ${reasonText(reason)}` }
    return [...advice, ...start, why, end, isPayout ? ' The money returned.' : '']
  }
  if (next.length === 0)
    next.push(last?.cause.kind === 'fixtures' ? STILL : ', and it waits until you move it')
  return [...start, { strong: `${word} since ${formatTime(updated_at, now)}` }, ...next, end]
}

/** `at 09:01:58`, or `on 2 June, 11:41` */
export const timeText = (at: string, now: Instant): string => {
  const time = formatTime(at, now)
  return `${/^\d\d:/.test(time) ? 'at' : 'on'} ${time}`
}

export const timesText = (count: number): string => ['once', 'twice'][count - 1] ?? `${count} times`

export const formatBetween = (from: string, to: string): string =>
  formatDuration(Math.max(parseInstant(to) - parseInstant(from), 0))

/** `, 2 s after the start` */
export const laterText = (from: string, to: string, start: string): string => {
  const time = formatBetween(from, to)
  return time === '0 s' ? ', at once' : `, ${time} after ${start}`
}

export const isDone = (status: string): boolean =>
  status === 'PAYOUT_PROCESSED' || status === 'PAYMENT_PROCESSED'

export const isFailed = (status: string): boolean => /FAILED|CANCELLED/.test(status)

/** The statuses of payments that must move on. */
export const UNDER_WAY: readonly string[] = [...PAYOUT_STATUSES, ...TRANSFER_STATUSES].filter(
  (it) => !isDone(it) && !isFailed(it),
)

export const are = (count: number): string => (count === 1 ? 'is' : 'are')

const DAY_MS = 86_400_000

/** ` tomorrow`, `, in 1 h`, or `, the first tomorrow` */
const untilReturn = ([first, ...more]: readonly Timer[], now: Instant): string => {
  if (!first) return ''
  const days = first.due ? Math.floor(first.due / DAY_MS) - Math.floor(now / DAY_MS) : 0
  const when = days === 1 ? 'tomorrow' : whenDue(first, now)
  return more.length > 0 ? `, the first ${when}` : days === 1 ? ` ${when}` : `, ${when}`
}

/** `2 are moving, the next in 1 s. 4 are waiting for you. 1 will be returned, in 1 h.` */
export const movingSentence = (
  moving: readonly Timer[],
  waiting: number,
  returning: readonly Timer[],
  now: Instant,
): Prose => {
  const [next] = moving
  const parts = [
    next && `${moving.length} ${are(moving.length)} moving, the next ${whenDue(next, now)}.`,
    waiting > 0 && `${waiting} ${are(waiting)} waiting for you.`,
    returning.length > 0 && `${returning.length} will be returned${untilReturn(returning, now)}.`,
  ].filter(Boolean)
  return [parts.length > 0 ? parts.join(' ') : 'All of them are at their end.']
}

export const usersSentence = (active: number, total: number): Prose => [
  `${active} of ${pluralize(total, 'user')} ${are(active)} active.`,
]

export const depositsSentence = (unmatched: number, total: number): Prose => [
  unmatched === 0
    ? 'Each deposit has found its address.'
    : `${unmatched} of ${pluralize(total, 'deposit')} matched no address that expects their token.`,
]

/** `Payout to Access Bank`, `Returned from Access Bank` */
export const movementSentence = (tables: Tables, row: StatementRow): Prose => {
  const payout = tables.payouts.get(row.payout_id ?? '')
  if (payout) {
    const verb = row.what === 'payout' ? 'Payout to' : 'Returned from'
    return [{ text: `${verb} ${payout.account_details.bank_name}`, path: `/payouts/${payout.id}` }]
  }
  if (row.transfer_id) return [recordRef(tables, row.transfer_id)]
  return [row.what === 'opening' ? 'From the fixtures' : capitalize(row.what)]
}

/** `Active since 09:00:02. Scenario happy-path.` */
export const userSentence = (
  { status, updated_at, rejection_reasons, requirements }: User,
  last: Cause | RuleCause | undefined,
  now: Instant,
): Prose => {
  const why = rejection_reasons?.map(({ reason }) => reason) ?? requirements ?? []
  return [
    { strong: `${statusWord(status)} since ${formatTime(updated_at, now)}` },
    why.length > 0 ? `: ${withStop(why.join(', '))}` : '.',
    ...(last ? [' ', ...causeSentence(last), '.'] : []),
  ]
}

/** Sentences without a value, of lists, records and errors. */
export const RECORD_TEXTS = {
  noUser: ['No user yet. Your client makes one with POST /onboarding/api/v1/users.'],
  noPayment: ['No payment yet. Create one:'],
  noDeposit: ['No deposit yet. Simulate one with the form above.'],
  noAddress: ['No deposit address yet. Your client makes one with POST /payment/api/v1/offramp.'],
  noWallet: [
    'No custody wallet yet. Your client makes one with POST /payment/api/v1/custody-wallet.',
  ],
  keys: ['A client sends its key as the header x-api-key. A click copies one.'],
  deactivated: ['A deactivated key stays so.'],
  offboarded: ['An offboarded user stays so.'],
  begins: ['The journal begins here'],
  gap: ['It no longer holds what came before'],
  noMoney: ['No money yet.'],
  allMovements: ['These are all.'],
  someMovements: ['Newest first.'],
  noHit: ['Nothing has this text.'],
  noPlan: ['Nothing is planned: it waits until you move it'],
  anyTime: ['Possible at any time'],
  endsPlan: ['Possible at any time. The plan below ends'],
  connectionLost: ['Connection lost. Reconnecting…'],
  noResponse: ['No response from the sandbox.'],
  bug: ['The sandbox has a bug. Its log has the details.'],
  token: ['Enter the control token of this sandbox. A generated token is printed at start.'],
  wrongToken: ['Wrong control token.'],
  removed: [
    'An undo, a reset or a restart may have removed it. Ids change then, unless the seed is the same.',
  ],
} satisfies Readonly<Record<string, Prose>>

/** `No payout matches. Show all` */
export const noMatch = (noun: string, all?: string): Prose => [
  `No ${noun} matches.`,
  ...(all === undefined ? [] : [' ', { text: 'Show all', path: all }]),
]

export const partialSearch = (records: number): string =>
  `Of each list, this searches the newest ${formatCount(records)} records. An id finds any record.`

export const unknownPage = (method: string, path: string): string =>
  `The console has no ${method} ${path}. Paths of the service begin with /payment/ or /onboarding/.`

/** `id` may be the key of a world, which no page shows. */
export const missingWorld = (id: string, hasDefault: boolean): Prose => [
  ...(isWorldKey(id)
    ? ['The address contains a key. Use the id of the world from the list of worlds.']
    : [
        'No world has the id ',
        { strong: id },
        '. It was deleted or evicted, or the sandbox was restarted. The next use of its key creates it again.',
      ]),
  ...(hasDefault ? [' ', { text: 'Default world', path: '/' }] : []),
  ' ',
  { text: 'All worlds', path: '/worlds' },
]
