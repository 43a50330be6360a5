import type { NextCall, Tables } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import type { World } from '../domain/world.js'
import { nextStep, type Timer } from '../kernel/timers.js'
import {
  capitalize,
  formatDuration,
  formatMoney,
  pluralize,
  shortId,
  statusWord,
} from './format.js'
import { type Prose, scenarioRef, subjectTitle } from './sentences.js'

// Texts of the pages that steer a world and of those that judge it.

export interface Outcome {
  /** A step of a scenario. */
  readonly then: object
  readonly text: string
  readonly note: string
}

const outcome = (then: object, text: string, note: string): Outcome => ({ then, text, note })

const still = (text: string): Outcome => outcome({ stop: true }, text, 'Until you move it')

/** Outcomes of the next call of an operation: of the connection, and of the record that it makes. */
export const nextOutcomes = (operation: string | undefined) => {
  const isPayout = operation === 'createPayout'
  const [done, does, was] = isPayout ? ['pays', 'pays', 'paid'] : ['does its work', 'does', 'done']
  const nothing = `Nothing is ${was}`
  const limit = 'gets 429, too many requests'
  const wire = [
    outcome(
      { drop: 'after' },
      `${done}, and loses its response`,
      'The client cannot know what happened',
    ),
    outcome({ drop: 'before' }, `breaks off, and ${does} nothing`, 'The connection ends first'),
    outcome({ respond: { status: 503, retry_after: '5s' } }, 'gets 503, retry after 5 s', nothing),
    outcome({ respond: { status: 429 } }, limit, nothing),
    outcome({ delay_ms: 12_000 }, 'takes 12 s', 'Longer than many timeouts'),
  ]
  return { wire, world: WORLD_OUTCOMES[operation ?? ''] ?? [] }
}

const [CLOSED, REFUSED, RETURNED] = ['account_closed', 'rejected_by_bank', 'returned']
const UNREADABLE = 'Document unreadable'
const FAILED = { move: 'PAYOUT_FAILED' }
const LATE = { ...FAILED, from: 'PAYOUT_PROCESSED', after: '3d', reason: RETURNED }
const BROKEN = { move: 'FAILED', from: 'FUNDS_RECEIVED', reason: CLOSED }
const REJECTED = { move: 'rejected', after: '2s', reason: UNREADABLE }

const WORLD_OUTCOMES: Readonly<Record<string, readonly Outcome[]>> = {
  createPayout: [
    outcome(
      { ...FAILED, after: '30s', reason: CLOSED },
      'fails after 30 s',
      `${CLOSED}, the money returns`,
    ),
    outcome({ ...FAILED, reason: REFUSED }, 'fails at once', REFUSED),
    still('stays pending'),
    outcome(LATE, 'is returned after 3 days', 'Processed first'),
  ],
  initiateOfframp: [
    outcome(BROKEN, 'fails once the funds are there', CLOSED),
    outcome({ move: 'CANCELLED' }, 'is cancelled', 'Before the funds arrive'),
    still('stays pending'),
  ],
  createUser: [outcome(REJECTED, 'is rejected after 2 s', UNREADABLE), still('stays under review')],
}

type ShownCall = Pick<NextCall, 'operation' | 'user_id' | 'then'> & {
  readonly left: number | string | null
}

/** `The next createPayout pays, and loses its response, once` */
export const nextCallSentence = ({ users }: Tables, call: ShownCall): string => {
  const { operation, user_id, left, then } = call
  const { wire, world } = nextOutcomes(operation ?? undefined)
  const known = [...wire, ...world].find((it) => isSameStep(it.then, then))
  const user = users.get(user_id ?? '')
  const of = user_id === null ? '' : ` of ${user ? fullName(user) : shortId(user_id)}`
  const often = typeof left !== 'number' ? 'always' : left === 1 ? 'once' : `${left} times`
  return `The next ${operation ?? 'call'}${of} ${known?.text ?? `gets ${JSON.stringify(then)}`}, ${often}`
}

export const isSameStep = (one: object, other: object): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

type Planned = Pick<World, 'nextDue' | 'now'> & { readonly tables: Pick<Tables, 'timers'> }

export const controlSentence = (
  calls: readonly string[],
  scenarios: number,
  speed: number,
  { nextDue, now, tables: { timers } }: Planned,
): Prose => {
  const [call] = calls
  const planned = timers.size
  const more = calls.length > 1 ? `, and ${calls.length - 1} more wait` : ''
  const next =
    nextDue === undefined ? '' : `, the first in ${formatDuration(Math.max(nextDue - now, 0))}`
  const plan = planned === 0 ? 'nothing is planned' : `${pluralize(planned, 'step')} planned${next}`
  const clock =
    speed === 0 ? 'paused' : speed === 1 ? 'running in real time' : `running ${speed}× faster`
  return [
    ...(call === undefined ? [] : [{ strong: `${call}${more}.` }, ' ']),
    `${pluralize(scenarios, 'scenario')} on, the clock is ${clock}, ${plan}.`,
  ]
}

/** `100.00 USDC → 84.60 EUR: Payment submitted` */
export const timerSentence = (tables: Tables, timer: Timer): Prose => {
  const { command = '', input } = nextStep(timer) ?? {}
  const { to } = Object(input) as { to?: unknown }
  const { subject } = timer.plan
  const what = typeof to === 'string' ? statusWord(to) : command
  const text = subjectTitle(tables, subject)
  const noun = (['payouts', 'transfers', 'users'] as const).find((it) => tables[it].get(subject))
  return [noun ? { text, path: `/${noun}/${subject}` } : text, `: ${what}`]
}

export const timerCause = ({ plan }: Timer): Prose => ['Planned by ', scenarioRef(plan.scenario)]

export const snapshotCause = (entriesSince: number): Prose => [
  entriesSince === 0 ? 'As the world is now' : `${pluralize(entriesSince, 'entry', 'entries')} ago`,
]

/** The lesson of each bundled scenario. */
export const SCENARIO_GROUPS = Object.entries({
  'Lost and garbled answers': 'committed-then-cut garbled-responses slow-responses',
  'Outages and limits': 'flaky-gateway outage-and-recovery rate-limited key-expires-midway',
  'The bank says no':
    'bank-rejects payout-fails-and-refunds late-return conversion-fails cancelled-before-funds',
  'Slow and stuck':
    'payout-pending-then-processed slow-settlement stuck-in-pending stuck-in-funds-received stuck-in-conversion-processed stuck-in-payment-submitted',
  'Verification and accounts': 'kyc-rejected kyc-incomplete-then-approved account-paused',
  Deposits: 'deposit-twice deposit-wrong-token under-and-over-deposit',
  'Always there': 'happy-path magic-values',
}).map(([title, names]) => [title, names.split(' ')] as const)

/** `It is on, first of all. Its rules fired 2 times.` */
export const scenarioSentence = (
  why: string | undefined,
  place: number,
  fired: number | undefined,
): Prose => {
  const on = place < 0 ? 'It is off.' : place === 0 ? 'It is on, first of all.' : 'It is on.'
  const times =
    fired === undefined || place < 0 ? '' : ` Its rules fired ${pluralize(fired, 'time')}.`
  return [{ strong: `${on}${times}` }, why === undefined ? '' : ` ${why}`]
}

export interface LikePayouts {
  readonly count: number
  readonly amount: string
  readonly currency: string
  readonly apart_ms: number
}

/** Findings about a world, the gravest first. */
export interface WorldFindings {
  readonly violations: readonly string[]
  readonly alike: LikePayouts | undefined
  /** Records that the world's own requests left on their way, by noun. */
  readonly unfinished: readonly (readonly [noun: string, count: number])[]
}

export interface Problem {
  readonly kind: 'bad' | 'warn'
  readonly word: string
  readonly text: string
}

export const describeProblems = ({ violations, alike, unfinished }: WorldFindings): Problem[] => {
  const [violation] = violations
  const left = unfinished.map(([noun, count]) => pluralize(count, noun)).join(', ')
  return [
    ...(violation === undefined
      ? []
      : [{ kind: 'bad', word: 'Audit failed', text: violation } as const]),
    ...(alike ? [{ kind: 'bad', word: 'Looks paid twice', text: alikeText(alike) } as const] : []),
    ...(left === '' ? [] : [{ kind: 'warn', word: 'Left unfinished', text: left } as const]),
  ]
}

const alikeText = ({ count, amount, currency, apart_ms }: LikePayouts): string =>
  `${count} payouts of ${formatMoney(amount, currency)} to the same account, ${apart_ms === 0 ? 'at once' : `${formatDuration(apart_ms)} apart`}`

/** `61 worlds. 2 of those below have a problem: looks paid twice, left unfinished.` */
export const worldsSentence = (total: number, troubled: readonly (readonly Problem[])[]): Prose => {
  const words = [...new Set(troubled.flatMap((it) => it.map(({ word }) => word.toLowerCase())))]
  if (words.length === 0)
    return [`${pluralize(total, 'world')}. None of those below has a problem.`]
  const have = troubled.length === 1 ? 'has' : 'have'
  return [
    `${pluralize(total, 'world')}. `,
    { strong: `${troubled.length} of those below ${have} a problem` },
    `: ${words.join(', ')}.`,
  ]
}

export const deletionNote = ({ payouts, transfers }: Tables, requests: number): string =>
  `${pluralize(payouts.size, 'payout')}, ${pluralize(transfers.size, 'transfer')} and ${pluralize(requests, 'request')} go with it. Its key opens a new world.`

type Difference = 'setup' | 'request' | 'record' | 'balance'

type ParsedRequest = { readonly operation: string | null; readonly status: number | null }

interface RequestPair {
  readonly n: number
  readonly a: ParsedRequest | null
  readonly b: ParsedRequest | null
}

/** `request` is the first that differs. */
export const compareSentence = (
  first: Difference | undefined,
  request: RequestPair | undefined,
): Prose => {
  if (first === undefined) return [{ strong: 'Nothing differs' }, ' but times and ids.']
  if (first !== 'request' || !request) return FIRST_DIFFERENCES[first]
  const { n, a, b } = request
  const operation = a?.operation ?? b?.operation ?? 'to no operation'
  return [
    n === 1 ? '' : 'They begin alike. ',
    { strong: `They part at request ${n}` },
    `, ${operation}: A ${outcomeText(a)}, B ${outcomeText(b)}.`,
  ]
}

const outcomeText = (request: ParsedRequest | null): string =>
  request === null ? 'made none' : `got ${request.status ?? 'no answer'}`

const FIRST_DIFFERENCES: Readonly<Record<Difference, Prose>> = {
  setup: [{ strong: 'They are set up differently' }, ', so they may differ from the start.'],
  request: [],
  record: [
    'Requests and answers are the same. ',
    { strong: 'The records differ' },
    ', so a rule, the clock or you changed one.',
  ],
  balance: ['Requests and records are the same. ', { strong: 'Balances differ.' }],
}

/** By the first part of the id of a question. */
export const areaName = (id: string): string =>
  AREAS[id.split('.')[0] ?? ''] ?? 'Errors, paths, limits and keys'

const AREAS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    Payouts: 'payout',
    'Users and verification': 'user users consent',
    'Transfers and conversion': 'transfer conversion audit transfer_audit',
    'Offramps and deposits': 'offramp deposit',
    'Wallets and balances': 'wallet address chain balance crypto',
  }).flatMap(([area, ids]) => ids.split(' ').map((id) => [id, area])),
)

export const questionsSentence = (total: number, relied: number, high: number): Prose => [
  `The contract leaves ${total} questions open. `,
  {
    strong:
      relied === 0
        ? 'Your requests relied on none of them.'
        : `Your requests relied on ${relied} of them${high === 0 ? '' : `, ${high} with a high risk`}.`,
  },
  ...(relied === 0 ? [] : [' Ask the operator about these first.']),
]

export const ledgerSentence = (violations: number): Prose =>
  violations === 0
    ? [
        { strong: 'Balanced.' },
        ' Each movement leaves one account and enters another, so every row sums to zero. No user is below zero, and every payout and transfer has moved what its status says.',
      ]
    : [
        { strong: `Not balanced: ${pluralize(violations, 'error')}.` },
        ' The first of them are below.',
      ]

/** The column of a kind of account. */
export const accountName = (kind: string): string => ACCOUNTS[kind] ?? capitalize(kind)

const ACCOUNTS: Readonly<Record<string, string>> = {
  outside: 'Outside',
  user: 'Users',
  wallet: 'Wallets',
  transit: 'On its way',
  conversion: 'Conversion',
  fees: 'Fees',
  rail: 'Rails',
  held: 'Held',
  unmatched: 'Unmatched',
}

export const ACCOUNT_KINDS = Object.keys(ACCOUNTS)

/** `14 assets audited, 3 entries ago` */
export const auditedText = (assets: number, entriesSince: number): string =>
  `${pluralize(assets, 'asset')} audited, ${entriesSince === 0 ? 'up to the last entry' : `${pluralize(entriesSince, 'entry', 'entries')} ago`}`
