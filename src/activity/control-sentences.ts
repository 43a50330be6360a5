import { Decimal } from '../domain/money.js'
import type { NextCall, Tables } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import type { ComparedRequest, Comparison } from '../history/compare-worlds.js'
import {
  capitalize,
  formatCount,
  formatDuration,
  formatMoney,
  pluralize,
} from '../history/format.js'
import type { Entry } from '../kernel/entry.js'
import type { Timer } from '../kernel/timer-records.js'
import { findDifferences } from '../lib/json.js'
import { listChoices } from '../scenarios/faults/fault.js'
import { listMoveChoices } from '../scenarios/faults/moves.js'
import { entrySentence } from './entry-sentences.js'
import {
  are,
  type Prose,
  recordRef,
  ruleRef,
  scenarioRef,
  timesText,
  toPlainText,
  transferTitle,
} from './record-sentences.js'

/** A step of a scenario, and how it reads. */
export type Outcome = readonly [step: object, text: string, note: string]

/** Outcomes of the next call of an operation: of the connection, and of the record that it makes. */
export const nextOutcomes = (operation: string | undefined) => {
  const wire = listChoices(operation === 'createPayout')
  return { wire, world: listMoveChoices(operation) }
}

type ShownCall = Pick<NextCall, 'operation' | 'user_id' | 'then'> & { left: number | string | null }

/** `The next createPayout pays, and loses its response, once` */
export const nextCallSentence = (tables: Tables, call: ShownCall): string => {
  const { operation, user_id, left, then } = call
  const { wire, world } = nextOutcomes(operation ?? undefined)
  const json = JSON.stringify(then)
  const known = [...wire, ...world].find(([step]) => JSON.stringify(step) === json)
  const of = user_id === null ? '' : ` of ${toPlainText([recordRef(tables, user_id)])}`
  const often = typeof left === 'number' ? timesText(left) : 'always'
  return `The next ${operation ?? 'call'}${of} ${known?.[1] ?? `gets ${json}`}, ${often}`
}

export const controlSentence = (
  calls: readonly string[],
  scenarios: number,
  speed: number,
  planned: number,
  { nextDue, now }: Pick<World, 'nextDue' | 'now'>,
): Prose => {
  const [call, ...others] = calls
  const more = others.length > 0 ? `, and ${others.length} more ${are(others.length)} armed` : ''
  const next =
    nextDue === undefined ? '' : `, the first in ${formatDuration(Math.max(nextDue - now, 0))}`
  const clock = speed === 0 ? 'paused' : `running at ${speed}×`
  return [
    ...(call === undefined ? [] : [{ strong: `${call}${more}.` }, ' ']),
    `${pluralize(scenarios, 'scenario')} on, the clock is ${clock}, ${pluralize(planned, 'step')} planned${next}.`,
  ]
}

/** The toast of an action, and the page that follows. */
export interface Notice {
  readonly text: string
  /** The operation of its button, or a failure. */
  readonly kind?: 'undo' | 'redo' | 'error' | undefined
  /** A secret that no other page shows. */
  readonly secret?: string | undefined
  readonly to?: string
}

type Texts = 'id' | 'request' | 'key' | 'secret' | 'now' | 'reason' | 'transfer_id'
type Result = Readonly<Partial<Record<Texts, string>>> &
  Readonly<{ count?: number; deleted?: number; fired?: readonly Entry[] }>

const newWorldNotice = ({ key }: Result): Notice => ({
  text: 'This key opens the new world. It is shown once:',
  secret: key,
})

const clockNow = ({ now = '' }: Result): string => `The clock is at ${now.slice(11, 19)}.`

const deletedNotice =
  (noun: string) =>
  ({ deleted = 0 }: Result): Notice => ({
    text: `${pluralize(deleted, noun)} ${are(deleted)} deleted.`,
  })

/** By operation. Others are described by their entry, in the sentence `did`. */
const NOTICES: Readonly<Record<string, (result: Result, did: string, tables: Tables) => Notice>> = {
  advanceClock: ({ count = 0, fired = [], ...result }, _, tables) => {
    const last = fired.at(-1)
    const end = last ? toPlainText(entrySentence(tables, last)) : 'Nothing was due'
    const start = count > 1 ? `${count} entries followed, the last: ` : ''
    return { text: `${clockNow(result)} ${start}${end}.` }
  },
  armNextCall: (call, _, tables) => ({ text: `${nextCallSentence(tables, Object(call))}.` }),
  createApiKey: ({ secret }) => ({ text: 'This is the new key. It is shown once:', secret }),
  createWorld: (it) => ({ ...newWorldNotice(it), to: `/worlds?open=${it.id}` }),
  forkSnapshot: newWorldNotice,
  undo: (result, did) => ({ text: `Taken back: ${did} ${clockNow(result)}` }),
  redo: (result, did) => ({ text: `Done again: ${did} ${clockNow(result)}` }),
  clearRequests: (it) => ({ ...deletedNotice('request')(it), to: '/' }),
  receiveDeposit: ({ transfer_id = '', reason }, did, { transfers }) => {
    const transfer = transfers.get(transfer_id)
    const outcome = transfer ? `It started ${transferTitle(transfer)}` : reason
    return { text: outcome ? `${did} ${capitalize(outcome)}.` : did }
  },
  renameWorld: () => ({ text: 'The world has its new name.' }),
  deleteWorlds: deletedNotice('world'),
  deleteWorld: () => ({ text: 'The world is deleted.', to: '/worlds' }),
  newPayout: ({ request }) =>
    request === undefined
      ? { text: 'Sent.' }
      : { text: 'Sent as this request.', to: `/?request=${request}` },
  sendAgain: ({ request }) => ({ text: 'Sent again as this request.', to: `/?request=${request}` }),
  startTransfer: ({ id }) => ({ text: 'You started this transfer.', to: `/transfers/${id}` }),
}

interface Did {
  readonly entry: Entry | undefined
  /** `2 requests of your client and 2 records`, by an undo of several changes. */
  readonly taken: string | undefined
}

/** The answer to an action, with the operation that takes it back. */
export const toastAfter = (
  tables: Tables,
  operation: string,
  result: unknown,
  { entry, taken }: Did,
  isUndoable: boolean,
): Notice => {
  const done = taken ?? (entry && toPlainText(entrySentence(tables, entry)))
  const did = done ? `${done}.` : 'It is done.'
  const kind = operation === 'undo' ? 'redo' : isUndoable ? 'undo' : undefined
  return { kind, ...(NOTICES[operation]?.(Object(result), did, tables) ?? { text: did }) }
}

/** Sentences without a value, of the pages that control a world. */
export const CONTROL_TEXTS = {
  nextCall: ['As often as you choose, or until you disarm it. Nothing else changes.'],
  ownStep: ['One step of a scenario, as JSON. It replaces the choice.'],
  reset: ['The log keeps the requests, and Undo brings all of it back.'],
  noFile: ['The file is not available.'],
  mainWorld: ['The world without a key cannot be renamed or deleted.'],
  worldOrder: ['Problems of this page first, then the most recently used.'],
  noPair: ['Tick two worlds in the list: ', { text: 'Worlds', path: '/worlds' }, '.'],
} satisfies Readonly<Record<string, Prose>>

export const timerCause = ({ plan }: Timer): Prose => ['Planned by ', scenarioRef(plan.scenario)]

export const laterSteps = (count: number): string =>
  `${pluralize(count, 'more step')} planned after these.`

/** `3 entries ago`, or `now` */
export const agoText = (entries: number): string =>
  entries === 0 ? 'now' : `${pluralize(entries, 'entry', 'entries')} ago`

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
export const scenarioSentence = (why: string | undefined, place: number, fired = 0): Prose => {
  const on = place < 0 ? 'It is off.' : place === 0 ? 'It is on, first of all.' : 'It is on.'
  const times = fired && place >= 0 ? ` Its rules fired ${pluralize(fired, 'time')}.` : ''
  return [{ strong: on + times }, why === undefined ? '' : ` ${why}`]
}

interface WorldCounts {
  readonly total: number
  readonly with_problems: number
  readonly unfinished: number | null
}

/** `61 worlds. With a problem: 2. Left unfinished: 1.` */
export const worldsSentence = ({ total, with_problems, unfinished }: WorldCounts): Prose => [
  `${pluralize(total, 'world')}. `,
  with_problems > 0
    ? { strong: `With a problem: ${formatCount(with_problems)}.` }
    : 'None has a problem.',
  unfinished ? ` Left unfinished: ${formatCount(unfinished)}.` : '',
]

/** `2 chosen: pays again, repeats.` */
export const chosenSentence = (names: readonly string[]): Prose => {
  if (names.length === 0) return ['Tick two worlds to see where they part.']
  const more = names.length === 1 ? ' Tick another to compare them.' : ''
  return [{ strong: `${names.length} chosen` }, `: ${names.join(', ')}.${more}`]
}

export const deletionsNote = (worlds: number): Prose => [
  `Of the ${pluralize(worlds, 'world')}, those by key that fit both go for good.`,
]

export const deletionNote = ({ payouts, transfers }: Tables, requests: number): Prose => [
  `${pluralize(payouts.size, 'payout')}, ${pluralize(transfers.size, 'transfer')} and ${pluralize(requests, 'request')} go with it. Its key opens a new world.`,
]

/** The first difference, and how the worlds end. */
export const compareSentence = (compared: Comparison): Prose => {
  const { first, requests } = compared
  if (!first) return [{ strong: 'Nothing differs' }, ' but times and ids.']
  const place = requests.findIndex(({ same }) => !same)
  const parting = [{ strong: `They part at request ${place + 1}` }, partingText(requests, place)]
  return [
    ...FIRST_DIFFERENCES[first.kind],
    first.kind === 'request' && place > 0 ? 'They begin alike. ' : '',
    ...(place < 0 ? [] : parting),
    endText(compared),
  ]
}

const FIRST_DIFFERENCES: Readonly<Record<NonNullable<Comparison['first']>['kind'], Prose>> = {
  setup: [{ strong: 'They are set up differently' }, ', so they may differ from the start. '],
  request: [],
  record: ['Requests and answers are the same. ', { strong: 'The records differ.' }, ' '],
  balance: ['Requests and records are the same. ', { strong: 'Balances differ.' }, ' '],
}

/** A response differs with its request, so it counts only if the requests are alike. */
export const requestDifferences = (a: ComparedRequest, b: ComparedRequest) => {
  const sent = [...findDifferences(a.request, b.request)]
  const isAlike = sent.length === 0 && a.status === b.status
  return isAlike ? [...findDifferences(a.response, b.response)] : sent
}

const partingText = (requests: Comparison['requests'], place: number): string => {
  const { a = null, b = null } = requests[place] ?? {}
  const operation = a?.operation ?? b?.operation ?? 'to no operation'
  const did = (inA: string, inB: string) => `, ${operation}: A ${inA}, B ${inB}. `
  const fields = a && b ? requestDifferences(a, b) : []
  const id = fields.find(({ path }) => path.startsWith('customer_'))
  const isOld = (side: 'a' | 'b'): boolean =>
    requests.slice(0, place).some((it) => Object(it[side]?.request)[id?.path ?? ''] === id?.[side])
  if (id && isOld('a') !== isOld('b')) {
    const again = operation === 'createPayout' ? 'pays again' : 'asks again'
    const describe = (side: 'a' | 'b', name: string): string =>
      isOld(side) ? `repeats the old ${name}` : `${again} with a new ${name}`
    return did(describe('a', id.path), describe('b', 'one'))
  }
  const [field] = fields
  return field
    ? did(`has ${field.path} ${fieldText(field.a)}`, fieldText(field.b))
    : did(outcomeText(a), outcomeText(b))
}

const outcomeText = (request: ComparedRequest | null): string => {
  if (request === null) return 'made none'
  const rule = request.fault === null ? '' : ` (${ruleRef(request.fault).text})`
  return `got ${request.status ?? 'no answer'}${rule}`
}

export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')

const MAX_ENDS = 4

/** `A ends with 1 payout more and 1,550.00 NGN less for Ada Okafor.` */
const endText = ({ records, balances }: Comparison): string => {
  const counts = records.map(({ noun, a, b }) => {
    const more = Number(a) - Number(b)
    const count = pluralize(Math.abs(more), noun.slice(0, -1))
    return more !== 0 && `${count} ${more > 0 ? 'more' : 'fewer'}`
  })
  const sums = balances.map(({ of, asset, same, a, b }) => {
    const more = new Decimal(a ?? 0).minus(b ?? 0)
    const sum = formatMoney(more.abs().toFixed(), asset.replace('@', ' on '))
    return !same && `${sum} ${more.gt(0) ? 'more' : 'less'} for ${of}`
  })
  const ends = [...counts, ...sums].filter((it) => it !== false)
  if (ends.length === 0) return 'Both end with the same money and as many records.'
  if (ends.length > MAX_ENDS) ends.splice(MAX_ENDS, ends.length, 'more differences below')
  return `A ends with ${new Intl.ListFormat('en').format(ends)}.`
}

export const questionsSentence = (total: number, relied: number, high: number): Prose => {
  const start = `The contract leaves ${total} questions open. `
  if (relied === 0) return [start, { strong: 'Your requests relied on none of them.' }]
  const strong = `Your requests relied on ${relied} of them, ${high} with a high risk.`
  return [start, { strong }, ' Ask the operator about these first.']
}

/** Above the newest requests that relied on a question. */
export const reliedNote = (shown: number, hits: number): string =>
  shown < hits
    ? `The newest ${shown} of ${pluralize(hits, 'request')} of yours that relied on it`
    : 'Requests of yours that relied on it'

export const ledgerSentence = (violations: number): Prose =>
  violations === 0
    ? [
        { strong: 'Balanced.' },
        ' Each movement leaves one account and enters another, so every row sums to zero. No user is below zero, and every payout and transfer has moved what its status says.',
      ]
    : [
        { strong: `Not balanced: ${pluralize(violations, 'error')}.` },
        ' See the first of them below.',
      ]

/** The columns of the ledger, by kind of account. */
export const ACCOUNT_NAMES: Readonly<Record<string, string>> = {
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

export const auditedText = (assets: number, entriesSince: number): string =>
  `${pluralize(assets, 'asset')} audited ${agoText(entriesSince)}`
