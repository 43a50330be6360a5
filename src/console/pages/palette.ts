import { PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import type { Deposit, Payout, Transfer, User } from '../../domain/schema.js'
import { transferTransitionsIn } from '../../domain/transfers.js'
import { fullName, userTransitionsIn } from '../../domain/users.js'
import type { Row } from '../../kernel/row.js'
import { runToEnd } from '../../kernel/run-to-end.js'
import type { Table } from '../../kernel/table.js'
import { drawButton } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawStatus } from '../components/text.js'
import { createMatcher, param } from '../filters.js'
import { formatMoney, statusWord } from '../format.js'
import { drawSearchField, siteMap } from '../layout.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { isFailed, partialSearch, payoutTitle, RECORD_TEXTS, transferTitle } from '../sentences.js'
import { depositTexts, payoutTexts, transferTexts, userTexts } from './lists.js'

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
  const { users, payouts, transfers, deposits } = ctx.tables
  const isPartial = [users, payouts, transfers, deposits].some(({ size }) => size > MAX_RECORDS)
  const found = search(ctx, text).filter(([, hits]) => hits.length > 0)
  return {
    title: 'Search',
    body: html`
      <h1>Search or do something</h1>
      <form action="/find" class="row">
        ${ctx.worldId && html`<input type="hidden" name="world" value="${ctx.worldId}" />`}
        ${drawSearchField(text)}
        <button type="submit">Search</button>
      </form>
      <div id="hits">
        ${found.map(
          ([title, hits]) =>
            html`<div><h2>${title}</h2>${hits.map((it) => drawHit(ctx, it))}</div>`,
        )}
        ${found.length === 0 && html`<p class="note">${RECORD_TEXTS.noHit}</p>`}
        ${isPartial && html`<p class="note">${partialSearch(MAX_RECORDS)}</p>`}
      </div>`,
  }
}

const drawHit = (ctx: PageContext, { text, note, status, path = '/', run }: Hit): Html => {
  if (run) return drawButton(ctx, { ...run, kind: 'option' }, text)
  const mark = status ? drawStatus(status) : html`<small>${note}</small>`
  return html`<a class="option" href="${ctx.href(path)}"><bdi>${text}</bdi> ${mark}</a>`
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
const search = (ctx: PageContext, text: string): [title: string, hits: readonly Hit[]][] => {
  const fits = createMatcher(text)
  const records = text === '' ? [] : findRecords(ctx, text)
  const pages = Object.values(siteMap(ctx, 0)).flat()
  return [
    ['Do', [...(records[0]?.actions ?? []), ...ACTS.filter((it) => fits([it.text]))]],
    ['Records', records],
    ['Requests', text === '' ? [] : findRequests(ctx, text)],
    ['Pages', pages.filter((it) => fits([it[1]])).map(([path, name]) => ({ text: name, path }))],
  ]
}

const findRecords = (ctx: PageContext, text: string): Hit[] => {
  const { transfers, payouts, users, deposits } = ctx.tables
  return [
    ...findIn(users, text, userTexts).map((it) => userHit(ctx, it)),
    ...findIn(payouts, text, (it) => payoutTexts(ctx, it)).map(payoutHit),
    ...findIn(transfers, text, (it) => transferTexts(ctx, it)).map((it) => transferHit(ctx, it)),
    ...findIn(deposits, text, (it) => depositTexts(ctx, it)).map((it) => depositHit(it, text)),
  ]
}

const MAX_HITS = 4
/** A search in more records of a table would delay the page. */
const MAX_RECORDS = 20_000

/** The newest records with a text. An id finds its record, however old. */
const findIn = <R extends Row>(
  table: Table<R>,
  text: string,
  texts: (record: R) => readonly (string | null | undefined)[],
): R[] => {
  const named = table.get(text.toLowerCase())
  if (named) return [named]
  const fits = createMatcher(text)
  const found: R[] = []
  let rest = MAX_RECORDS
  for (const record of table.newestFirst()) {
    if (rest-- === 0 || (fits(texts(record)) && found.push(record) === MAX_HITS)) break
  }
  return found
}

const userHit = ({ tables }: PageContext, user: User): Hit => {
  const { id, status } = user
  const hit = { text: fullName(user), status, path: `/users/${id}` }
  const credit = { text: `Credit ${hit.text}…`, path: `${hit.path}?do=creditUser` }
  const moves = userTransitionsIn(tables)[status].map((to) =>
    moveHit(hit.text, to, 'moveUser', { id, status: to }),
  )
  return { ...hit, actions: [credit, ...moves] }
}

const payoutHit = (payout: Payout): Hit => {
  const { id, status } = payout
  const hit = { text: payoutTitle(payout), status, path: `/payouts/${id}` }
  return { ...hit, actions: moneyActions(hit, id, 'advancePayout', PAYOUT_TRANSITIONS[status]) }
}

const transferHit = ({ tables }: PageContext, transfer: Transfer): Hit => {
  const { id, status } = transfer
  const hit = { text: transferTitle(transfer), status, path: `/transfers/${id}` }
  const moves = transferTransitionsIn(tables)[status]
  return { ...hit, actions: moneyActions(hit, id, 'advanceTransfer', moves) }
}

const depositHit = ({ amount, crypto, matched }: Deposit, text: string): Hit => {
  const path = `/crypto-in?text=${encodeURIComponent(text)}`
  return { text: `Deposit of ${formatMoney(amount, crypto)}`, status: matched, path }
}

/** The next move, and the form of a failure. */
const moneyActions = (
  { text, path }: Hit,
  id: string,
  operation: string,
  moves: readonly string[],
): Hit[] => {
  const fail = { text: `Let ${text} fail…`, path: `${path}?do=${operation}` }
  const next = moves.filter((to) => !isFailed(to))
  return [
    ...next.map((to) => moveHit(text, to, operation, { id, to })),
    ...(moves.length > 0 ? [fail] : []),
  ]
}

const moveHit = (
  text: string,
  to: string,
  operation: string,
  given: Readonly<Record<string, string>>,
): Hit => ({ text: `Move ${text} to ${statusWord(to)}`, run: { operation, given } })

const findRequests = ({ live }: PageContext, text: string): Hit[] => {
  const [found] = runToEnd(live.requests.take({}, 0, 1, text))
  const path = `/?text=${encodeURIComponent(text)}`
  return found ? [{ text: `Requests with “${text}”`, note: 'filter the activity', path }] : []
}
