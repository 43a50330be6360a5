import type { Payout } from '../domain/schema.js'
import { buildLineage } from '../history/lineage.js'
import type { LogRecord } from '../history/log-record.js'
import { type LoggedExchange, showExchange } from '../history/views.js'
import type { Entry } from '../kernel/entry.js'
import { groupBy } from '../lib/group-by.js'
import { accumulate } from './accumulate.js'
import { type ClientId, findClientId } from './client-id.js'
import { readHistories } from './histories.js'
import { oncePerState } from './once-per-state.js'
import { findPair, type RepeatedPayment } from './second-payments.js'
import { toActor } from './story.js'
import type { View } from './view.js'

/** The requests of one payment or wallet, equal reads in a row, or one other request. */
export interface Group<V extends View = View> {
  readonly view: V
  /** The id that the client gave the record; undefined for other requests. */
  readonly client: ClientId | undefined
  /** Whether the world began again since: it has no record of these requests. */
  readonly isEarlier: boolean
  /** Newest first. */
  readonly requests: readonly [newest: LogRecord, ...older: LogRecord[]]
  /** Payouts of the client's id, oldest first. */
  readonly payouts: readonly Payout[]
}

/** One request of a client, and what it did to the record that it was about. */
export interface Attempt {
  readonly request: LogRecord
  readonly exchange: LoggedExchange
  /** From 1, oldest first. */
  readonly n: number
  /** `undone` if an undo or a restore removed the record that it made. */
  readonly effect: 'made' | 'repeated' | 'undone' | undefined
}

/** The requests that asked for the same: one payment, one wallet, or equal reads in a row. */
export interface Inquiry {
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  readonly newest: Attempt
  /** A record that an id of the client names. */
  readonly noun: 'payout' | 'wallet' | undefined
  readonly made: number
  readonly payout: Payout | undefined
  /** If the bill of the payout was paid twice. */
  readonly pair: RepeatedPayment | undefined
}

/** The client has no answer: the connection broke, or the client left. */
export const isLost = ({ pending, status, aborted_ms }: LogRecord | LoggedExchange): boolean =>
  !pending && (status === null || typeof aborted_ms === 'number')

/** The newest answer was lost, and no earlier one has its outcome. */
export const isInDoubt = ({ newest, attempts }: Inquiry): boolean =>
  isLost(newest.request) &&
  !attempts.some(({ request }) => !isLost(request) && (request.status ?? 500) < 400)

/** Groups requests, given newest first, by what they asked for. */
export const groupRequests = <V extends View>(
  view: V,
  requests: readonly LogRecord[],
  isEarlier = false,
): Group<V>[] => {
  type Growing = Group<V> & { readonly requests: LogRecord[] }
  const groups: Growing[] = []
  const byId = { payout: new Map<string, Growing>(), wallet: new Map<string, Growing>() }
  for (const [i, request] of requests.entries()) {
    const client = findClientId(request)
    const before = requests[i - 1]
    const isRead = request.method === 'GET' && before?.method === 'GET'
    const isSame = isRead && request.url === before.url
    const known = client ? byId[client.noun].get(client.id) : isSame ? groups.at(-1) : undefined
    if (known) {
      known.requests.push(request)
      continue
    }
    const isKept = client?.noun === 'payout' && !isEarlier
    const payouts = isKept ? view.tables.payouts.list('customer_id', client.id) : []
    const group = { view, client, isEarlier, requests: [request] as [LogRecord], payouts }
    groups.push(group)
    if (client) byId[client.noun].set(client.id, group)
  }
  return groups
}

/** As many requests as the log keeps by default. */
const MAX_REQUESTS = 1_000

const readBeginnings = accumulate(
  ({ live }) => live.journal.all().flatMap(({ command, seq }) => (command === BEGIN ? seq : [])),
  (seqs, { command, seq }) => void (command === BEGIN && seqs.push(seq)),
)

const findBeginning = (view: View, { from }: LogRecord): number | undefined =>
  readBeginnings(view).findLast((seq) => seq < from)

/** The number of the entry that began the world of the oldest request. */
export const findLogBeginning = (view: View): number | undefined => {
  const oldest = view.live.requests.recent(MAX_REQUESTS, true).at(-1)
  return oldest ? findBeginning(view, oldest) : view.tables.clock.get('clock')?.since
}

/** Newest first, those before the last reset behind them. A client may repeat its ids after each reset. */
export const newestGroups = <V extends View>(view: V, most = MAX_REQUESTS): Group<V>[] => {
  const { requests } = view.live
  const lives = groupBy(requests.recent(most, true), (it) => findBeginning(view, it))
  const earlier = [...lives.values()].flatMap((it) => groupRequests(view, it, true))
  return [...groupRequests(view, requests.recent(most)), ...earlier]
}

/** False if clients changed the world before its log begins: that was cleared, evicted or lost with a process. */
export const isLogComplete = oncePerState(({ live }: View): boolean => {
  const { requests, journal, beginning } = live
  if (requests.evictedCount > 0) return false
  const entries = buildLineage(journal.all())
  const isCut = entries[0]?.command !== BEGIN && !journal.hasAllAfter(beginning.at(-1)?.seq ?? 0)
  const logged = isCut ? requests.recent().at(-1) : undefined
  if (isCut) return !!logged && logged.started_at < (journal.machineTimeOf(journal.oldest) ?? 0)
  const first = entries.find(
    ({ command, cause }) => command !== BEGIN && toActor(cause) === 'client',
  )?.cause
  return !first || requests.find(Object(first).request) !== undefined
})

export const BEGIN = 'world.begin'

/** Lists need the newest attempt only, so the others are read on demand. */
const toAttempt = ({ view, client }: Group, request: LogRecord, n: number): Attempt => {
  let exchange: LoggedExchange | undefined
  return {
    ...{ request, n },
    get exchange() {
      exchange ??= showExchange(request)
      return exchange
    },
    get effect() {
      return client && findEffect(view, request)
    },
  }
}

export const toInquiry = (group: Group): Inquiry => {
  const { view, client, requests, isEarlier, payouts } = group
  const wallets =
    client?.noun === 'wallet' && !isEarlier ? view.tables.wallets.count('ref', client.id) : 0
  const payout = payouts.at(-1)
  const attempts = requests.toReversed().map((request, i) => toAttempt(group, request, i + 1))
  return {
    attempts,
    newest: attempts.at(-1) as Attempt,
    noun: client?.noun,
    made: payouts.length + wallets,
    payout,
    pair: payout && findPair(view, payout),
  }
}

/** The entries that a request caused. After an undo, others may have their numbers. */
export const findEntries = (
  { live: { journal } }: View,
  { id, from, to }: Pick<LogRecord, 'id' | 'from' | 'to'>,
): Entry[] =>
  to < from || !journal.hasAllAfter(from - 1)
    ? []
    : journal
        .oldestAfter(from - 1, to - from + 1)
        .filter(({ cause }) => !('request' in cause) || cause.request === id)

const findEffect = (view: View, request: LogRecord): Attempt['effect'] => {
  const entries = findEntries(view, request)
  const find = (event: RegExp) =>
    entries.find(({ events }) => events.some(({ type }) => event.test(type)))
  const made = find(/^(payout|wallet)\.created$/)
  if (made) return readHistories(view).has(made.seq) ? 'made' : 'undone'
  return find(/^(payout|wallet)\.repeated$/) && 'repeated'
}

const MAX_ATTEMPTS = 100

/** The requests for a payout, found by its id and by the entries that they caused. */
export const findInquiry = (
  view: View,
  { customer_payout_id: id }: Payout,
  steps: readonly { readonly entry?: number }[],
): Inquiry | undefined => {
  const about = { id, entries: steps.flatMap(({ entry }) => entry ?? []) }
  const found = view.live.requests.newest({ operation: 'createPayout', about }, 0, MAX_ATTEMPTS)
  const group = groupRequests(view, found).find(({ client }) => client?.id === id)
  return group && toInquiry(group)
}

const SLOW_US = 1_000_000

/** The chips above the list. */
export const KINDS = {
  failed: (group: Group) =>
    group.requests.some((it) => isLost(it) || (it.status ?? 0) >= 400) ||
    group.payouts.some(({ status }) => status === 'PAYOUT_FAILED'),
  faults: ({ requests }: Group) => requests.some(({ fault }) => fault !== undefined),
  paid_twice: ({ view, payouts }: Group) => payouts.some((it) => findPair(view, it)),
  repeats: ({ client, requests }: Group) => client !== undefined && requests.length > 1,
  slow: ({ requests }: Group) => requests.some((it) => it.pending || it.duration_us >= SLOW_US),
}
