import type { Payout, Tables, Transfer, User } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import type { StatementRow } from '../history/statement.js'
import type { Cause, DomainEvent, Entry, RuleCause } from '../kernel/entry.js'
import { type Instant, parseInstant, toIso } from '../kernel/time.js'
import { nextStep, type Timer } from '../kernel/timers.js'
import {
  capitalize,
  formatDay,
  formatDuration,
  formatMoney,
  formatTime,
  pluralize,
  shortId,
  statusWord,
} from './format.js'

/** A text with links, amounts and bold parts. All texts of the console about entries and records are made here. */
export type Prose = readonly (string | Ref | Sum | { readonly strong: string })[]

export interface Sum {
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

export const userRef = ({ users }: Tables, id: string): Ref => {
  const user = users.get(id)
  return { text: user ? fullName(user) : shortId(id), path: `/users/${id}`, title: id }
}

export const scenarioRef = (name: string): Ref => ({
  text: /^next-\d+$/.test(name) ? 'next call' : `scenario ${name}`,
  path: /^next-\d+$/.test(name) ? '/control' : `/scenarios/${name}`,
})

export const requestRef = (id: string): Ref => ({
  text: `request ${shortId(id)}`,
  path: `/?request=${id}`,
  title: id,
})

/** Names who did it: a person, a client, a rule. `after` says how long after which step a rule fired. */
export const causeSentence = (cause: Cause | RuleCause, after = ''): Prose => {
  switch (cause.kind) {
    case 'request':
      return ['Your client, ', requestRef(cause.request)]
    case 'read':
      return ['The read of your client, ', requestRef(cause.request)]
    case 'control':
      return [cause.by ? 'You, in the console' : 'A control call']
    case 'timer':
    case 'rule': {
      const ref = scenarioRef(cause.scenario)
      return [{ ...ref, text: capitalize(ref.text) }, after]
    }
    case 'library':
      return ['Your test']
    case 'fixtures':
      return ['From the fixtures']
    default:
      return ['The start of the sandbox']
  }
}

const actor = (cause: Cause): Prose => {
  if (cause.kind === 'request') return ['Your client']
  if (cause.kind === 'boot') return ['The sandbox']
  return cause.kind === 'control' && cause.by ? ['You'] : causeSentence(cause)
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

type Input = Readonly<Record<string, unknown>>

const moneyIn = ({ amount, currency, crypto, source_amount, source_currency }: Input): string =>
  formatMoney(text(amount ?? source_amount), text(currency ?? crypto ?? source_currency)).trim()

/** The verb of each command and what it was about. */
const ACTS: Readonly<Record<string, (input: Input, tables: Tables) => Prose>> = {
  'account.register': (it, tables) => [
    'registered an account for ',
    userRef(tables, text(it.user_id)),
  ],
  'api_key.create': ({ name }) => [`created the key ${text(name)}`],
  'api_key.set': () => ['changed a key'],
  'balance.credit': (it, tables) => [
    `credited ${moneyIn(it)} to `,
    userRef(tables, text(it.user_id)),
  ],
  'clock.set': ({ mode }) => [mode === 'manual' ? 'paused the clock' : 'started the clock'],
  'consent.create': () => ['recorded a consent'],
  'deposit.receive': (it) => [`deposited ${moneyIn(it)} to ${shortId(text(it.address))}`],
  'next.arm': () => ['armed the next call'],
  'next.disarm': () => ['disarmed the next call'],
  'offramp.initiate': (it, tables) => [
    'asked for a deposit address for ',
    userRef(tables, text(it.user_id)),
  ],
  'payout.create': (it, tables) => [`paid ${moneyIn(it)} for `, userRef(tables, text(it.user_id))],
  'payout.move': ({ id, to }, { payouts }) => {
    const payout = payouts.get(text(id))
    const name = payout ? formatMoney(payout.amount, payout.currency) : shortId(text(id))
    return ['moved ', { text: name, path: `/payouts/${text(id)}` }, ` to ${statusWord(text(to))}`]
  },
  'rate.set': ({ base, quote, rate }) => [
    `set the rate of ${text(base)}/${text(quote)} to ${rate}`,
  ],
  'reading.choose': ({ id, reading }) => [`chose ${text(reading)} for ${text(id)}`],
  'scenario.post': () => ['posted a scenario'],
  'scenarios.activate': () => ['changed the scenarios'],
  'snapshot.drop': ({ name }) => [`deleted the snapshot ${text(name)}`],
  'snapshot.restore': ({ name }) => [`restored the snapshot ${text(name)}`],
  'snapshot.take': ({ name }) => [`took the snapshot ${text(name)}`],
  'timer.cancel': () => ['dropped a plan'],
  'timer.fire': () => ['fired a planned step'],
  'transfer.move': ({ id, to }, { transfers }) => {
    const transfer = transfers.get(text(id))
    const name = transfer ? transferTitle(transfer) : shortId(text(id))
    return ['moved ', { text: name, path: `/transfers/${text(id)}` }, ` to ${statusWord(text(to))}`]
  },
  'transfer.start': (it, tables) => [
    `started a transfer of ${moneyIn(it)} for `,
    userRef(tables, text(it.user_id)),
  ],
  'user.create': ({ first_name, last_name }) => [`created ${text(first_name)} ${text(last_name)}`],
  'user.move': ({ id, to }, tables) => [
    'moved ',
    userRef(tables, text(id)),
    ` to ${statusWord(text(to))}`,
  ],
  'wallet.create': (it, tables) => ['created a wallet for ', userRef(tables, text(it.user_id))],
  'world.begin': () => ['reset the world'],
  'world.redo': () => ['redid the last step'],
  'world.undo': () => ['took back the last step'],
}

/** `You credited 5,000.00 NGN to Tola Adeyemi` */
export const entrySentence = (tables: Tables, entry: Entry): Prose => {
  const { command, cause, input, refused } = entry
  const isMove =
    command === 'clock.set' && 'operation' in cause && cause.operation === 'advanceClock'
  const act = isMove
    ? ['moved the clock']
    : (ACTS[command]?.(Object(input), tables) ?? [`ran ${command}`])
  const sentence = [...actor(cause), ' ', ...act]
  return refused ? ['Refused: ', ...sentence] : sentence
}

/** The title of a step: what happened to the record. */
export const eventTitle = ({ type, to, reason }: DomainEvent): string => {
  if (type === 'payout.repeated') return 'Asked for again, nothing paid again'
  if (type === 'payout.created') return 'Made'
  if (type.endsWith('.created')) return 'Created'
  if (type === 'rule.fired') return 'A rule left it unchanged'
  const word = statusWord(text(to))
  return typeof reason === 'string' && reason !== '' ? `${word}: ${reason}` : word
}

export const payoutTitle = ({ amount, currency, account_details }: Payout): string =>
  `${formatMoney(amount, currency)} to ${account_details.bank_name}`

export const transferTitle = (it: Transfer): string =>
  `${formatMoney(it.source_amount, it.source_currency)} → ${formatMoney(it.destination_amount, it.target_currency)}`

/** The title of a payout, a transfer or a user. */
export const subjectTitle = ({ payouts, transfers, users }: Tables, id: string): string => {
  const [payout, transfer, user] = [payouts.get(id), transfers.get(id), users.get(id)]
  if (payout) return payoutTitle(payout)
  if (transfer) return transferTitle(transfer)
  return user ? fullName(user) : shortId(id)
}

/** `Payment submitted in 1 s`; undefined without a plan. */
export const planSentence = (timer: Timer | undefined, now: Instant): string | undefined => {
  const { to } = Object(timer && nextStep(timer)?.input) as { to?: unknown }
  return timer && typeof to === 'string' ? `${statusWord(to)} ${whenDue(timer, now)}` : undefined
}

const whenDue = ({ due, reads = 0 }: Pick<Timer, 'due' | 'reads'>, now: Instant): string =>
  due === null
    ? reads === 1
      ? 'after one more read'
      : `after ${reads} more reads`
    : `in ${formatDuration(Math.max(due - now, 0))}`

interface Story {
  readonly now: Instant
  /** Of its next step. */
  readonly timer: Timer | undefined
}

/** Where a record is, since when, and what comes next. */
const progressSentence = (
  { status, reason, created_at }: Payout | Transfer,
  since: string,
  { timer, now }: Story,
): Prose => {
  const word = statusWord(status)
  const at = formatTime(since, now)
  if (isFailed(status)) return [{ strong: `${word} at ${at}: ${reason ?? 'no reason given'}` }]
  if (isDone(status)) {
    const took = formatBetween(created_at, since)
    return [
      { strong: `${word} at ${at}` },
      took === '0 s' ? ', at once' : `, ${took} after it was made`,
    ]
  }
  const plan = planSentence(timer, now)
  const what = { strong: `${word} since ${at}` }
  if (!timer || !plan) return [what, ', and it waits until you move it']
  return [what, `, and ${toLowerStart(plan)} by `, scenarioRef(timer.plan.scenario)]
}

/** The time between two instants of records. */
export const formatBetween = (from: string, to: string): string =>
  formatDuration(Math.max(parseInstant(to) - parseInstant(from), 0))

export const isDone = (status: string): boolean =>
  status === 'PAYOUT_PROCESSED' || status === 'PAYMENT_PROCESSED'

export const isFailed = (status: string): boolean => /FAILED|CANCELLED/.test(status)

/** The first sentence of a payout's page. */
export const payoutSentence = (
  tables: Tables,
  payout: Payout,
  story: Story & { readonly attempts: number },
): Prose => {
  const { status, processed_at, updated_at, fee_kept, user_id } = payout
  const since = isDone(status) ? (processed_at ?? updated_at) : updated_at
  const returned = fee_kept ? ', and the amount was returned' : ', and amount and fee were returned'
  return [
    ...['For ', userRef(tables, user_id), '. '],
    ...progressSentence(payout, since, story),
    isFailed(status) ? `${returned}.` : '.',
    story.attempts > 1 ? ` Asked for ${story.attempts} times, paid once.` : '',
  ]
}

export const transferSentence = (tables: Tables, transfer: Transfer, story: Story): Prose => {
  const since = transfer.reached[transfer.status] ?? transfer.updated_at
  const progress = progressSentence(transfer, since, story)
  return ['For ', userRef(tables, transfer.user_id), '. ', ...progress, '.']
}

/** `2 are moving, the next in 1 s. 4 wait until you move them.` */
export const movingSentence = (
  unfinished: number,
  moving: readonly Timer[],
  now: Instant,
): Prose => {
  if (unfinished === 0) return ['All of them are at their end.']
  const [next] = moving
  const still = unfinished - moving.length
  const are = moving.length === 1 ? 'is' : 'are'
  const wait = still === 1 ? 'waits until you move it' : 'wait until you move them'
  const parts = [
    next && `${moving.length} ${are} moving, the next ${whenDue(next, now)}.`,
    still > 0 && `${still} ${wait}.`,
  ]
  return [parts.filter(Boolean).join(' ')]
}

export const usersSentence = (active: number, total: number): Prose => [
  `${active} of ${pluralize(total, 'user')} ${active === 1 ? 'is' : 'are'} active.`,
]

export const depositsSentence = (unmatched: number, total: number): Prose => [
  unmatched === 0
    ? 'Each deposit has found its address.'
    : `${unmatched} of ${pluralize(total, 'deposit')} matched no address that expects their token.`,
]

interface Result {
  readonly id?: string
  readonly request?: string
  readonly key?: string
  readonly secret?: string
  readonly now?: string
  readonly count?: number
}

interface Notice {
  readonly text: string
  /** The page that follows. */
  readonly to?: string
  readonly secret?: string | undefined
}

const newWorldNotice = ({ key }: Result): Notice => ({
  text: 'This key opens the new world. It is shown once:',
  secret: key,
})

const clockNow = ({ now = '' }: Result): string => `The clock is at ${now.slice(11, 19)}.`

/** By operation. Others are described by their entry. */
const NOTICES: Readonly<Record<string, (result: Result) => Notice>> = {
  advanceClock: ({ count = 0, ...result }) => ({
    text: `${clockNow(result)} ${count === 0 ? 'Nothing was due.' : `${pluralize(count, 'entry', 'entries')} followed.`}`,
  }),
  createApiKey: ({ secret }) => ({ text: 'This is the new key. It is shown once:', secret }),
  createWorld: newWorldNotice,
  undo: (result) => ({ text: `Taken back. ${clockNow(result)}` }),
  redo: (result) => ({ text: `Done again. ${clockNow(result)}` }),
  deleteWorld: () => ({ text: 'The world is deleted.', to: '/worlds' }),
  sendAgain: ({ request }) => ({
    text: 'Sent again. This is the new request.',
    to: `/?request=${request}`,
  }),
  forkSnapshot: newWorldNotice,
  startTransfer: ({ id }) => ({ text: 'You started this transfer.', to: `/transfers/${id}` }),
}

interface Done {
  readonly operation: string
  readonly summary: string
  readonly result: unknown
  /** The newest entry of the action; undefined if it made none. */
  readonly entry: Entry | undefined
  readonly isUndoable: boolean
}

/** The answer to an action, with the operation that takes it back. */
export const toastAfter = (tables: Tables, done: Done) => {
  const { operation, summary, result, entry, isUndoable } = done
  const kind = operation === 'undo' ? 'redo' : isUndoable ? 'undo' : undefined
  const did = entry ? toPlainText(entrySentence(tables, entry)) : `Done: ${summary}`
  return { kind, ...(NOTICES[operation]?.(Object(result)) ?? { text: `${did}.` }) } as const
}

export const clockTitle = (now: Instant): string => {
  const iso = toIso(now)
  return `${formatDay(iso)} ${iso.slice(0, 4)}, ${iso.slice(11, 19)} UTC`
}

const MOVE_NOTES: Readonly<Record<string, string>> = {
  credit: 'Credit',
  deposit: 'Deposit',
  opening: 'From the fixtures',
  'brought forward': 'Brought forward',
}

/** `Payout to Access Bank`, `Returned from Access Bank` */
export const movementSentence = (
  { payouts, transfers }: Tables,
  { what, payout_id, transfer_id }: Pick<StatementRow, 'what' | 'payout_id' | 'transfer_id'>,
): Prose => {
  const payout = payouts.get(payout_id ?? '')
  if (payout) {
    const { bank_name } = payout.account_details
    const text = what === 'payout' ? `Payout to ${bank_name}` : `Returned from ${bank_name}`
    return [{ text, path: `/payouts/${payout.id}` }]
  }
  const transfer = transfers.get(transfer_id ?? '')
  if (transfer) return [{ text: transferTitle(transfer), path: `/transfers/${transfer.id}` }]
  return [MOVE_NOTES[what] ?? capitalize(what)]
}

/** `Active since 09:00:02, by scenario happy-path.` */
export const userSentence = (
  user: User,
  last: Cause | RuleCause | undefined,
  now: Instant,
): Prose => {
  const { status, updated_at, rejection_reasons, requirements } = user
  const why = rejection_reasons?.map(({ reason }) => reason) ?? requirements ?? []
  return [
    { strong: `${statusWord(status)} since ${formatTime(updated_at, now)}` },
    ...(why.length > 0 ? [`: ${why.join(', ')}`] : []),
    ...(last ? [', ', ...uncapitalize(causeSentence(last))] : []),
    '.',
  ]
}

const toLowerStart = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const uncapitalize = ([first, ...rest]: Prose): Prose => {
  if (typeof first === 'string') return [toLowerStart(first), ...rest]
  return first && 'path' in first ? [{ ...first, text: toLowerStart(first.text) }, ...rest] : rest
}

/** Below the oldest step, if there were older ones. */
export const gapTitle = 'The journal begins here'
export const gapCause: Prose = ['It no longer holds what came before']
