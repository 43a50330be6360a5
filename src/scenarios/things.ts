import { fiatBalances } from '../world/balances.js'
import type { Row } from '../world/kernel/table.js'
import { shortened } from '../world/shortened.js'
import { type Evidence, type SeenExchange, viewOfExchange } from './evidence.js'
import type { Counted } from './expectations.js'
import type { Noun } from './fields.js'
import { type View, viewOf } from './match.js'
import type { Moment, Moments } from './moments.js'
import { offrampView, recordView } from './views.js'

/** Something that expectations count: a record, or an exchange of the request log. */
export interface Thing {
  readonly noun: Counted
  readonly id: string
  /** A short name for people. */
  readonly what: string
  /** What tells it from others of its kind: amount, client id, and the request that made it. */
  readonly detail?: () => readonly string[]
  readonly view: View
  /** When it reached one of these statuses, else when it was made; asked for only where order matters. */
  readonly moment: (statuses: readonly string[]) => Moment
  /** Whether it has had a status, whatever it has now. */
  readonly hasReached: (status: string) => boolean
}

export const SINGULAR: Readonly<Record<Counted, string>> = {
  requests: 'request',
  consents: 'consent',
  users: 'user',
  accounts: 'account',
  wallets: 'wallet',
  instructions: 'instruction',
  offramps: 'offramp',
  deposits: 'deposit',
  transfers: 'transfer',
  payouts: 'payout',
  balances: 'balance',
}

/** All of a noun that came after the fixtures, oldest first. */
export const thingsOf = (noun: Counted, evidence: Evidence): Thing[] => {
  if (noun === 'requests') return exchangesOf(evidence)
  return noun === 'balances' ? balancesOf(evidence) : recordsOf(noun, evidence)
}

/** Balances are sums, which nothing made: all of them count, and they have no place in time. */
const balancesOf = ({ tables }: Evidence): Thing[] =>
  tables.users.all().flatMap((user) =>
    fiatBalances(tables, user.id).map(({ currency, amount }) => ({
      noun: 'balances' as const,
      id: `${user.id}/${currency}`,
      what: `balance of ${user.first_name} ${user.last_name}, ${amount} ${currency}`,
      view: viewOf({ user_id: user.id, currency, amount, user }),
      moment: () => [0, 0] as const,
      hasReached: () => false,
    })),
  )

const recordsOf = (noun: Noun, { tables, firstOwn, moments, exchanges }: Evidence): Thing[] => {
  const first = firstOwn(noun)
  const viewIn = noun === 'offramps' ? offrampView : recordView
  return tables[noun]
    .all()
    .filter(({ n }) => n >= first)
    .map((record) => {
      const { id } = record
      const view = viewIn(tables, record)
      return {
        noun,
        id,
        what: [SINGULAR[noun], shortId(id), stateOf(view)].filter(Boolean).join(' '),
        detail: () => {
          const [entry] = moments().ofRecord(noun, id)
          return [...moneyOf(view), ...clientIdOf(view), ...makerOf(entry, exchanges())]
        },
        view,
        moment: (statuses) => momentOf(noun, record, statuses, moments()),
        hasReached: (status) => hasReached(noun, record, status, moments()),
      }
    })
}

type Stated = Row & { readonly transfer_id?: string | null }

const momentOf = (
  noun: Noun,
  record: Stated,
  statuses: readonly string[],
  moments: Moments,
): Moment => {
  if (statuses.length === 0) return moments.ofRecord(noun, record.id)
  const { table, id, word } = bearerOf(noun, record)
  return moments.ofStatus(table, id, statuses.map(word))
}

const hasReached = (noun: Noun, record: Stated, status: string, moments: Moments): boolean => {
  const { table, id, word } = bearerOf(noun, record)
  return moments.hasReached(table, id, word(status))
}

/** Where a status is kept: that of an offramp is its transfer's, in upper case there. */
const bearerOf = (noun: Noun, { id, transfer_id }: Stated) =>
  noun === 'offramps'
    ? { table: 'transfers', id: transfer_id ?? '', word: (it: string) => it.toUpperCase() }
    : { table: noun, id, word: (it: string) => it }

const shortId = (id: string): string => shortened(id, 8)

/** The word that tells most about where a record stands. */
const stateOf = (view: View): string => {
  const state = view('status') ?? view('matched')
  return typeof state === 'string' ? state : ''
}

const moneyOf = (view: View): string[] => {
  const amount = view('amount') ?? view('source_amount')
  const unit = view('currency') ?? view('source_currency') ?? view('crypto')
  return amount === undefined ? [] : [[amount, unit].filter(Boolean).join(' ')]
}

const clientIdOf = (view: View): string[] => {
  const id = view('customer_payout_id')
  return typeof id === 'string' ? [`customer_payout_id ${id}`] : []
}

/** The request that made an entry, while the log keeps it. */
const makerOf = (entry: number, exchanges: readonly SeenExchange[]): string[] => {
  const maker = exchanges.find(
    ({ entries }) => entries && entries.from <= entry && entry <= entries.to,
  )
  return maker ? [`made by request ${maker.n}`] : []
}

/** Code and message of a refusal; a body may be anything. */
const refusalIn = ({ status, response }: SeenExchange): string => {
  const { code, message } = Object(response.body) as { code?: unknown; message?: unknown }
  if (status === null || status < 400 || typeof message !== 'string') return ''
  return ` ${code === undefined ? '' : `${code} `}${shortened(message, LONGEST_MESSAGE)}`
}

const LONGEST_MESSAGE = 200

const exchangesOf = ({ exchanges, moments }: Evidence): Thing[] =>
  exchanges().map((exchange) => ({
    noun: 'requests',
    id: exchange.id,
    what: `request ${exchange.n}, ${nameOf(exchange)}: ${resultOf(exchange)}${refusalIn(exchange)}`,
    detail: () => {
      const view = viewOf(Object(exchange.request.body))
      return [...moneyOf(view), ...clientIdOf(view)]
    },
    view: viewOfExchange(exchange),
    moment: () => moments().ofExchange(exchange),
    hasReached: () => false,
  }))

const resultOf = ({ status, pending, aborted_ms }: SeenExchange): string => {
  const result = pending ? 'pending' : String(status ?? 'connection cut')
  return aborted_ms === null ? result : `${result}, aborted by the client after ${aborted_ms} ms`
}

const nameOf = ({ operation, method, path }: SeenExchange): string =>
  operation ?? `${method} ${path}`
