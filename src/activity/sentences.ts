import {
  PAYOUT_STATUSES,
  type Payout,
  type Tables,
  TRANSFER_STATUSES,
  type Transfer,
  type User,
} from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import type { CommandName } from '../domain/world.js'
import { isAutomatic } from '../history/snapshots.js'
import type { StatementRow } from '../history/statement.js'
import { forEachChange } from '../kernel/command-record.js'
import type { Cause, DomainEvent, Entry, RuleCause, RuleStep } from '../kernel/entry.js'
import { clampInstant, type Instant, parseInstant } from '../kernel/time.js'
import { nextStep, type Timer } from '../kernel/timer-records.js'
import { isWorldKey } from '../lib/secrets.js'
import { HAPPY_PATH } from '../scenarios/language/catalogue.js'
import type { Because } from './because.js'
import {
  capitalize,
  formatCount,
  formatDuration,
  formatMoney,
  formatTime,
  pluralize,
  shortId,
  statusWord,
} from './format.js'

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
}

export const toPlainText = (prose: Prose): string => prose.map(partText).join('')

const partText = (it: Prose[number]): string => {
  if (typeof it === 'string') return it
  if ('amount' in it) return formatMoney(it.amount, it.asset)
  return 'strong' in it ? it.strong : it.text
}

/** The name of a payout, a transfer or a user, as a link. */
export const recordRef = ({ payouts, transfers, users }: Tables, id: string): Ref | string => {
  const [payout, transfer, user] = [payouts.get(id), transfers.get(id), users.get(id)]
  if (payout) return { text: payoutTitle(payout), path: `/payouts/${id}` }
  if (transfer) return { text: transferTitle(transfer), path: `/transfers/${id}` }
  return user ? { text: fullName(user), path: `/users/${id}`, title: id } : shortId(id)
}

/** The owner of an account such as `user:<id>` or `wallet:<id>`. */
export const accountRef = (tables: Tables, account: string): Ref | string => {
  const [kind = '', id = ''] = account.split(':')
  const wallet = kind === 'wallet' ? tables.wallets.get(id) : undefined
  const owner = recordRef(tables, wallet?.user_id ?? id)
  return wallet && typeof owner === 'object' ? { ...owner, text: `Wallet of ${owner.text}` } : owner
}

export const scenarioRef = (name: string): Ref =>
  /^next-\d+$/.test(name)
    ? { text: 'next call', path: '/control' }
    : { text: `scenario ${name}`, path: `/scenarios/${name}` }

/** `: account number ends in 01 (magic-values.yaml:24)`, with a link to the line. */
export const becauseProse = ({ words }: Because, { scenario, source }: RuleStep): Prose => {
  const line = source.split(':').at(-1)
  const path = `/scenarios/${scenario}?line=${line}#line-${line}`
  return [words === null ? ' (' : `: ${words} (`, { text: source, path }, ')']
}

/** The scenario of a rule such as `flaky-gateway/2`, at the start of a sentence. */
export const ruleRef = (rule: string): Ref => {
  const ref = scenarioRef(rule.split('/')[0] ?? '')
  return { ...ref, text: capitalize(ref.text) }
}

export const requestRef = (id: string): Ref => ({
  text: `request ${shortId(id)}`,
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

const actor = (cause: Cause): Prose[number] => {
  const [who = ''] = causeSentence(cause)
  return typeof who === 'string' ? who.replace(/,.*/, '') : who
}

/** A part of what a client sent, which may be anything. */
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

type Input = Readonly<Record<string, unknown>>

const moneyIn = ({ amount, currency, crypto, source_amount, source_currency }: Input): string =>
  formatMoney(text(amount ?? source_amount), text(currency ?? crypto ?? source_currency)).trim()

type KernelCommand = 'timer.pass' | 'world.redo' | 'world.undo'

/** The verb of each command and what it was about. Names in braces are fields of its input. */
const ACTS: Readonly<Record<string, string>> = {
  'account.register': 'registered an account for {user}',
  'api_key.create': 'created the key {name}',
  'api_key.set': 'changed a key',
  'balance.credit': 'credited {money} to {user}',
  'clock.set': '{clock}',
  'consent.create': 'recorded a consent',
  'deposit.receive': 'deposited {money} to {address}',
  'fixtures.load': 'loaded the fixtures',
  'next.arm': 'armed the next {operation}',
  'next.disarm': 'disarmed the next call',
  'offramp.initiate': 'asked for a deposit address for {user}',
  'payout.create': 'paid {money} for {user}',
  'payout.move': 'marked {record} as {to}',
  'rate.set': 'set the rate of {base}/{quote} to {rate}',
  'reading.choose': 'chose {reading} for {id}',
  'rule.fire': '{rule}',
  'scenario.post': 'posted a scenario',
  'scenarios.activate': 'changed the scenarios',
  'snapshot.drop': 'deleted the snapshot {name}',
  'snapshot.restore': 'restored the snapshot {name}',
  'snapshot.take': 'took the snapshot {name}',
  'timer.cancel': 'dropped a plan',
  'timer.fire': 'fired a planned step',
  'timer.pass': 'passed a step of its plan',
  'transfer.move': 'moved {record} to {to}',
  'transfer.resume': 'let {record} go on',
  'transfer.read': 'read the status of {record}',
  'transfer.start': 'started a transfer of {money} for {user}',
  'user.create': 'created {first_name} {last_name}',
  'user.move': 'moved {record} to {to}',
  'wallet.create': 'created a wallet for {user}',
  'world.begin': 'reset the world',
  'world.fork': 'began from the snapshot {name}',
  'world.redo': 'redid the last step',
  'world.undo': 'took back the last step',
} satisfies Readonly<Record<CommandName | KernelCommand, string>>

const actPart = (tables: Tables, input: Input, name: string): Prose[number] => {
  if (name === 'money') return moneyIn(input)
  if (name === 'user') return recordRef(tables, text(input.user_id))
  if (name === 'record') return recordRef(tables, text(input.id))
  if (name === 'operation') return text(input.operation) || 'call'
  if (name === 'to') return statusWord(text(input.to))
  if (name === 'clock') return input.mode === 'manual' ? 'paused the clock' : 'started the clock'
  if (name === 'rule') return input.rule ? `met rule ${input.rule}` : 'was counted by rules'
  return name === 'address' ? shortId(text(input.address)) : String(input[name])
}

/** `turned on bank-rejects`; empty for an entry that was read back, because it lacks the names before. */
const switchedText = (entry: Entry): string => {
  const done: string[] = []
  const namesIn = (row: unknown): string[] =>
    (Object(row).names ?? []).filter((it: string) => it !== HAPPY_PATH)
  forEachChange(entry, 'playlist', (_, after, before) => {
    if (before === undefined) return
    for (const it of namesIn(after)) if (!namesIn(before).includes(it)) done.push(`turned on ${it}`)
    for (const it of namesIn(before))
      if (!namesIn(after).includes(it)) done.push(`turned off ${it}`)
  })
  return done.join(' and ')
}

/** `3 changes by your client, 1 refused` */
export const clientChanges = (entries: readonly Entry[]): string => {
  const refused = entries.filter((it) => it.refused).length
  const end = refused > 0 ? `, ${refused} refused` : ''
  return `${pluralize(entries.length - refused, 'change')} by your client${end}`
}

/** `You credited 5,000.00 NGN to Tola Adeyemi` */
export const entrySentence = (tables: Tables, entry: Entry): Prose => {
  const { command, cause, events, refused } = entry
  // The token of a deposit may be that which its address expects.
  const { id = '' } = events.find(({ type }) => type === 'deposit.received') ?? {}
  const input = { ...Object(entry.input), ...tables.deposits.get(id) }
  const isMove =
    command === 'clock.set' &&
    (cause.kind === 'library' || ('operation' in cause && cause.operation === 'advanceClock'))
  const switched = command === 'scenarios.activate' && switchedText(entry)
  const act = isMove ? 'moved the clock' : switched || (ACTS[command] ?? `ran ${command}`)
  const parts = act
    .split(/\{(\w+)\}/)
    .map((it, i) => (i % 2 === 1 ? actPart(tables, input, it) : it))
  const isOwn = command === 'snapshot.take' && isAutomatic({ name: text(input.name) })
  const who = isOwn ? ORIGINS.boot : actor(cause)
  return [refused ? 'Refused: ' : '', who, ' ', ...parts]
}

export const withStop = (sentence: string): string =>
  /[.!?]$/.test(sentence) ? sentence : `${sentence}.`

/** The title of a step: what happened to the record. */
export const eventTitle = ({ type, to, reason }: DomainEvent): string => {
  if (type === 'payout.repeated') return 'Asked for again, nothing paid again'
  if (type === 'payout.created') return 'Made'
  if (type.endsWith('.created')) return 'Created'
  if (type === 'rule.fired') return 'A rule left it unchanged'
  const word =
    to === undefined ? capitalize(type.slice(type.indexOf('.') + 1)) : statusWord(text(to))
  return withReason(word, text(reason))
}

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
    return to !== '' && isAhead(status, to) ? [{ to, reason, due, timer }] : []
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

/** The advice for a payout that failed. */
export const FAILED_FOR_GOOD = 'Failed for good: pay again with a new customer_payout_id.'

export const reasonText = (reason: string | null): string => reason ?? 'no reason given'

const STILL = ', and it does not move, from the fixtures'

/** Whom it is for, where it is, since when, and what comes next: the step of `timer`. */
export const paymentSentence = (
  tables: Tables,
  payment: Payout | Transfer,
  now: Instant,
  timer: Timer | undefined,
  last?: Pick<Entry, 'cause'>,
  attempts = 1,
): Prose => {
  const { status, reason, user_id, created_at, updated_at } = payment
  const [word, at, plan] = [
    statusWord(status),
    timeText(updated_at, now),
    planSentence(timer, now, status),
  ]
  const start = ['For ', recordRef(tables, user_id), '. ']
  const end = attempts > 1 ? `. Asked for ${timesText(attempts)}, paid once.` : '.'
  if (isDone(status)) {
    const later = laterText(created_at, updated_at, 'it was made')
    return [...start, { strong: `${word} ${at}` }, later, end]
  }
  if (isFailed(status)) {
    const isPayout = 'rail_fee' in payment
    const advice = isPayout ? [{ strong: FAILED_FOR_GOOD }, ' '] : []
    const why = { strong: `${word} ${at}: ${reasonText(reason)}` }
    return [...advice, ...start, why, end, isPayout ? ' The money returned.' : '']
  }
  const next =
    plan && timer
      ? [`, and it ${plan}, by `, scenarioRef(timer.plan.scenario)]
      : [last?.cause.kind === 'fixtures' ? STILL : ', and it waits until you move it']
  return [...start, { strong: `${word} since ${formatTime(updated_at, now)}` }, ...next, end]
}

/** `at 09:01:58`, or `on 2 June, 11:41` */
export const timeText = (at: string, now: Instant): string => {
  const time = formatTime(at, now)
  return `${/^\d\d:/.test(time) ? 'at' : 'on'} ${time}`
}

export const timesText = (count: number): string => (count === 2 ? 'twice' : `${count} times`)

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

/** `2 are moving, the next in 1 s. 4 are waiting for you. 1 will be returned, in 1 h.` */
export const movingSentence = (
  moving: readonly Timer[],
  waiting: number,
  returning: readonly Timer[],
  now: Instant,
): Prose => {
  const next = ([first]: readonly Timer[], word: string) =>
    first && `, ${word}${whenDue(first, now)}.`
  const parts = [
    moving.length > 0 &&
      `${moving.length} ${are(moving.length)} moving${next(moving, 'the next ')}`,
    waiting > 0 && `${waiting} ${are(waiting)} waiting for you.`,
    returning.length > 0 && `${returning.length} will be returned${next(returning, '')}`,
  ].filter((it) => it !== false)
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
