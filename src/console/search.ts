import { PAYOUT_TRANSITIONS } from '../domain/payouts.js'
import type { Payout, Transfer, User } from '../domain/schema.js'
import { nextStatus } from '../domain/transfers.js'
import { fullName, userTransitionsIn } from '../domain/users.js'
import type { Row } from '../kernel/row.js'
import { runToEnd } from '../kernel/run-to-end.js'
import type { Table } from '../kernel/table.js'
import { createMatcher } from './filters.js'
import { pluralize, statusWord } from './format.js'
import { siteMap } from './layout.js'
import type { PageContext } from './page-context.js'
import { depositTexts } from './pages/crypto-in.js'
import { payoutTexts, transferTexts, userTexts } from './pages/lists.js'
import { payoutTitle, transferTitle } from './sentences.js'

/** One result: a link, or an action that runs at once. */
export interface Hit {
  readonly text: string
  readonly note?: string
  readonly status?: string
  readonly path?: string
  readonly run?: { readonly operation: string; readonly given: Readonly<Record<string, string>> }
}

interface Hits {
  readonly title: string
  readonly hits: readonly Hit[]
}

const MAX_PER_TABLE = 4
const MAX_REQUESTS = 99

interface Found extends Hit {
  /** The first record of all has actions. */
  readonly actions: readonly Hit[]
}

/** The newest records with a text, looked up only until there are enough. */
const findIn = <R extends Row>(
  table: Table<R, 'all'>,
  fits: (record: R) => boolean,
  toHit: (record: R) => Found,
): Found[] => {
  const found: Found[] = []
  const records = table.list('all', '')
  for (let i = records.length - 1; i >= 0 && found.length < MAX_PER_TABLE; i--) {
    const record = records[i] as R
    if (fits(record)) found.push(toHit(record))
  }
  return found
}

const userHit = (ctx: PageContext, user: User): Found => {
  const { id, status } = user
  const name = fullName(user)
  const moves = userTransitionsIn(ctx.tables)[status].map((to): Hit => {
    const run = { operation: 'moveUser', given: { id, status: to } }
    return { text: `Move ${name} to ${statusWord(to)}`, run }
  })
  const path = `/users/${id}`
  const credit = { text: `Credit ${name}…`, path: `${path}?do=creditUser` }
  return { text: name, status, path, actions: [credit, ...moves] }
}

const moveHits = (
  title: string,
  path: string,
  operation: string,
  id: string,
  next: string | undefined,
): Hit[] => [
  ...(next
    ? [
        {
          text: `Move ${title} to ${statusWord(next)}`,
          run: { operation, given: { id, to: next } },
        },
      ]
    : []),
  { text: `Let ${title} fail…`, path: `${path}?do=${operation}` },
]

const payoutHit = (payout: Payout): Found => {
  const { id, status } = payout
  const [title, path] = [payoutTitle(payout), `/payouts/${id}`]
  const next = status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined
  const isFinal = PAYOUT_TRANSITIONS[status].length === 0
  const actions = isFinal ? [] : moveHits(title, path, 'advancePayout', id, next)
  return { text: title, status, path, actions }
}

const transferHit = (transfer: Transfer): Found => {
  const { id, status } = transfer
  const [title, path] = [transferTitle(transfer), `/transfers/${id}`]
  const next = nextStatus(status)
  const actions = next ? moveHits(title, path, 'advanceTransfer', id, next) : []
  return { text: title, status, path, actions }
}

/** Acts that need no record. */
const ACTS: readonly Hit[] = [
  { text: 'Deposit crypto…', path: '/crypto-in?do=receiveDeposit' },
  { text: 'Create an API key…', path: '/api-keys?do=createApiKey' },
  {
    text: 'Advance until nothing is planned',
    run: { operation: 'advanceClock', given: { until: 'idle' } },
  },
  { text: 'Undo the last step', run: { operation: 'undo', given: {} } },
  { text: 'Take a snapshot…', path: '/control#time' },
  { text: 'Reset this world…', path: '/control#time' },
]

/** Finds a text in records, requests, pages and actions. Without a text it lists actions and pages. */
export const search = (ctx: PageContext, text: string): Hits[] => {
  const { transfers, payouts, users, deposits } = ctx.tables
  const fits = createMatcher(text)
  const records =
    text === ''
      ? []
      : [
          ...findIn(
            users,
            (it) => fits(userTexts(it)),
            (it) => userHit(ctx, it),
          ),
          ...findIn(payouts, (it) => fits(payoutTexts(ctx, it)), payoutHit),
          ...findIn(transfers, (it) => fits(transferTexts(ctx, it)), transferHit),
          ...findIn(
            deposits,
            (it) => fits(depositTexts(ctx, it)),
            ({ amount, crypto, matched }) => ({
              text: `Deposit of ${amount} ${crypto}`,
              status: matched,
              path: `/crypto-in?text=${encodeURIComponent(text)}`,
              actions: [],
            }),
          ),
        ]
  const pages = siteMap(ctx, 0)
    .flatMap(([, entries]) => entries)
    .filter(([, name]) => fits([name]))
    .map(([path, name]): Hit => ({ text: name, path }))
  return [
    {
      title: 'Do',
      hits: [...(records[0]?.actions ?? []), ...ACTS.filter((it) => fits([it.text]))],
    },
    { title: 'Records', hits: records },
    { title: 'Requests', hits: text === '' ? [] : findRequests(ctx, text) },
    { title: 'Pages', hits: pages },
  ].filter(({ hits }) => hits.length > 0)
}

const findRequests = ({ live: { requests } }: PageContext, text: string): Hit[] => {
  const found = runToEnd(requests.take({}, 0, MAX_REQUESTS, text)).length
  if (found === 0) return []
  const count = found === MAX_REQUESTS ? `${found} or more requests` : pluralize(found, 'request')
  const path = `/?text=${encodeURIComponent(text)}`
  return [{ text: `${count} with “${text}”`, note: 'filter the activity', path }]
}
