import { PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import type { Deposit, Payout, Transfer, User } from '../../domain/schema.js'
import { nextStatus } from '../../domain/transfers.js'
import { fullName, userTransitionsIn } from '../../domain/users.js'
import type { Row } from '../../kernel/row.js'
import { runToEnd } from '../../kernel/run-to-end.js'
import type { Table } from '../../kernel/table.js'
import { drawButton } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawStatus } from '../components/text.js'
import { createMatcher, param } from '../filters.js'
import { pluralize, statusWord } from '../format.js'
import { drawSearchField, siteMap } from '../layout.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { payoutTitle, transferTitle } from '../sentences.js'
import { depositTexts } from './crypto-in.js'
import { payoutTexts, transferTexts, userTexts } from './lists.js'

/** One result: a link, or an action that runs at once. */
interface Hit {
  readonly text: string
  readonly note?: string
  readonly status?: string
  readonly path?: string
  readonly run?: { readonly operation: string; readonly given: Readonly<Record<string, string>> }
  /** The first record of all shows its actions. */
  readonly actions?: readonly Hit[]
}

/** The results of the search. The palette shows those of this page. */
export const findPage: DrawPage = (ctx) => {
  const text = param(ctx, 'q') ?? ''
  return {
    title: 'Search',
    body: html`
      <h1>Search or do something</h1>
      <form action="/find" class="row">
        ${ctx.worldId && html`<input type="hidden" name="world" value="${ctx.worldId}" />`}
        ${drawSearchField(text)}
        <button type="submit">Search</button>
      </form>
      <div id="hits">${search(ctx, text).map(
        ([title, hits]) =>
          hits.length > 0 &&
          html`<div><h2>${title}</h2>${hits.map((it) => drawHit(ctx, it))}</div>`,
      )}</div>`,
  }
}

const drawHit = (ctx: PageContext, { text, note, status, path = '/', run }: Hit): Html => {
  if (run) return drawButton(ctx, { ...run, kind: 'option' }, text)
  const href = path === '/reference' ? path : ctx.href(path)
  const mark = status ? drawStatus(status) : html`<small>${note}</small>`
  return html`<a class="option" href="${href}"><bdi>${text}</bdi> ${mark}</a>`
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
const search = (ctx: PageContext, text: string): (readonly [title: string, hits: Hit[]])[] => {
  const fits = createMatcher(text)
  const records = text === '' ? [] : findRecords(ctx, text)
  const pages = siteMap(ctx, 0)
    .flatMap(([, entries]) => entries)
    .filter(([, name]) => fits([name]))
    .map(([path, name]): Hit => ({ text: name, path }))
  return [
    ['Do', [...(records[0]?.actions ?? []), ...ACTS.filter((it) => fits([it.text]))]],
    ['Records', records],
    ['Requests', text === '' ? [] : findRequests(ctx, text)],
    ['Pages', pages],
  ]
}

const findRecords = (ctx: PageContext, text: string): Hit[] => {
  const { transfers, payouts, users, deposits } = ctx.tables
  const depositHit = ({ amount, crypto, matched }: Deposit): Hit => ({
    text: `Deposit of ${amount} ${crypto}`,
    status: matched,
    path: `/crypto-in?text=${encodeURIComponent(text)}`,
  })
  return [
    ...findIn(users, text, userTexts, (it) => userHit(ctx, it)),
    ...findIn(payouts, text, (it) => payoutTexts(ctx, it), payoutHit),
    ...findIn(transfers, text, (it) => transferTexts(ctx, it), transferHit),
    ...findIn(deposits, text, (it) => depositTexts(ctx, it), depositHit),
  ]
}

const MAX_PER_TABLE = 4
const PAGE = 1_000
/** A search in more records would delay the page. */
const MAX_PAGES = 20

/** The newest records with a text. An id finds its record, however old. */
const findIn = <R extends Row>(
  table: Table<R, 'all'>,
  text: string,
  texts: (record: R) => readonly (string | null | undefined)[],
  toHit: (record: R) => Hit,
): Hit[] => {
  const named = table.get(text.toLowerCase())
  if (named) return [toHit(named)]
  const fits = createMatcher(text)
  const found: Hit[] = []
  for (let page = 0; page < MAX_PAGES && page * PAGE < table.size; page++) {
    for (const record of table.page('all', '', page, PAGE)) {
      if (!fits(texts(record))) continue
      found.push(toHit(record))
      if (found.length === MAX_PER_TABLE) return found
    }
  }
  return found
}

const userHit = (ctx: PageContext, user: User): Hit => {
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

const payoutHit = (payout: Payout): Hit => {
  const { id, status } = payout
  const hit = { text: payoutTitle(payout), status, path: `/payouts/${id}` }
  if (PAYOUT_TRANSITIONS[status].length === 0) return hit
  const next = status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined
  return { ...hit, actions: moveHits(hit, 'advancePayout', id, next) }
}

const transferHit = (transfer: Transfer): Hit => {
  const { id, status } = transfer
  const hit = { text: transferTitle(transfer), status, path: `/transfers/${id}` }
  const next = nextStatus(status)
  return next ? { ...hit, actions: moveHits(hit, 'advanceTransfer', id, next) } : hit
}

const moveHits = (
  { text, path }: Hit,
  operation: string,
  id: string,
  next: string | undefined,
): Hit[] => {
  const fail = { text: `Let ${text} fail…`, path: `${path}?do=${operation}` }
  if (next === undefined) return [fail]
  const run = { operation, given: { id, to: next } }
  return [{ text: `Move ${text} to ${statusWord(next)}`, run }, fail]
}

const MAX_REQUESTS = 99

const findRequests = ({ live: { requests } }: PageContext, text: string): Hit[] => {
  const found = runToEnd(requests.take({}, 0, MAX_REQUESTS, text)).length
  if (found === 0) return []
  const count = found === MAX_REQUESTS ? `${found} or more requests` : pluralize(found, 'request')
  const path = `/?text=${encodeURIComponent(text)}`
  return [{ text: `${count} with “${text}”`, note: 'filter the activity', path }]
}
