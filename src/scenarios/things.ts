import type { Row } from '../world/kernel/table.js'
import { shortened } from '../world/shortened.js'
import { type Evidence, type SeenExchange, viewOfExchange } from './evidence.js'
import type { Counted } from './expectations.js'
import type { Noun } from './fields.js'
import type { View } from './match.js'
import type { Moment, Moments } from './moments.js'
import { offrampView, recordView } from './views.js'

/** Something that expectations count: a record, or an exchange of the request log. */
export interface Thing {
  readonly noun: Counted
  readonly id: string
  /** A short name for people. */
  readonly what: string
  readonly view: View
  /** When it reached one of these statuses, else when it was made; asked for only where order matters. */
  readonly moment: (statuses: readonly string[]) => Moment
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
}

/** All of a noun that came after the fixtures, oldest first. */
export const thingsOf = (noun: Counted, evidence: Evidence): Thing[] =>
  noun === 'requests' ? exchangesOf(evidence) : recordsOf(noun, evidence)

const recordsOf = (noun: Noun, { tables, firstOwn, moments }: Evidence): Thing[] => {
  const first = firstOwn(noun)
  const viewOf = noun === 'offramps' ? offrampView : recordView
  return tables[noun]
    .all()
    .filter(({ n }) => n >= first)
    .map((record) => {
      const { id } = record
      const view = viewOf(tables, record)
      return {
        noun,
        id,
        what: [SINGULAR[noun], shortId(id), stateOf(view)].filter(Boolean).join(' '),
        view,
        moment: (statuses) => momentOf(noun, record, statuses, moments()),
      }
    })
}

/** The status of an offramp is that of its transfer, in lower case. */
const momentOf = (
  noun: Noun,
  record: Row & { readonly transfer_id?: string | null },
  statuses: readonly string[],
  moments: Moments,
): Moment => {
  if (statuses.length === 0) return moments.ofRecord(noun, record.id)
  if (noun !== 'offramps') return moments.ofStatus(noun, record.id, statuses)
  const upper = statuses.map((it) => it.toUpperCase())
  return moments.ofStatus('transfers', record.transfer_id ?? '', upper)
}

const shortId = (id: string): string => shortened(id, 8)

/** The word that tells most about where a record stands. */
const stateOf = (view: View): string => {
  const state = view('status') ?? view('matched')
  return typeof state === 'string' ? state : ''
}

const exchangesOf = ({ exchanges, moments }: Evidence): Thing[] =>
  exchanges().map((exchange) => ({
    noun: 'requests',
    id: exchange.id,
    what: `request ${exchange.n}, ${nameOf(exchange)}: ${exchange.status ?? 'connection cut'}`,
    view: viewOfExchange(exchange),
    moment: () => moments().ofExchange(exchange),
  }))

const nameOf = ({ operation, method, path }: SeenExchange): string =>
  operation ?? `${method} ${path}`
