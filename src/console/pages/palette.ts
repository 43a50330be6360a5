import { formatMoney, statusWord } from '../../activity/format.js'
import {
  createMatcher,
  depositTexts,
  MAX_SEARCHED,
  payoutTexts,
  type Texts,
  transferTexts,
  userTexts,
} from '../../activity/search.js'
import {
  isFailed,
  partialSearch,
  payoutTitle,
  RECORD_TEXTS,
  transferTitle,
} from '../../activity/sentences.js'
import { PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import {
  type Deposit,
  PAYOUT_STATUSES,
  type Payout,
  type Tables,
  TRANSFER_STATUSES,
  type Transfer,
  USER_STATUSES,
  type User,
} from '../../domain/schema.js'
import { TRANSFER_TRANSITIONS } from '../../domain/transfers.js'
import { fullName, USER_TRANSITIONS } from '../../domain/users.js'
import type { Row } from '../../kernel/row.js'
import { runToEnd } from '../../kernel/run-to-end.js'
import type { Table } from '../../kernel/table.js'
import { drawButton } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawStatus } from '../components/text.js'
import { nextOutcomes } from '../control-sentences.js'
import { param } from '../filters.js'
import { drawSearchField, siteMap } from '../layout.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { PAYMENT_VERBS, toVerb } from './story.js'
import { toUserVerb, USER_FORMS, USER_VERBS } from './user.js'

/** One result: a link, or an action that runs at once. */
interface Hit {
  readonly text: string
  readonly note?: string
  readonly status?: string
  readonly path?: string
  readonly run?: { readonly operation: string; readonly given: Readonly<Record<string, string>> }
  readonly actions?: readonly Hit[]
  /** How many words only the actions have. */
  readonly others?: number
}

/** The results of the search. The palette shows those of this page. */
export const findPage: DrawPage = (ctx) => {
  const text = param(ctx, 'q') ?? ''
  const { users, payouts, transfers, deposits } = ctx.tables
  const isPartial = [users, payouts, transfers, deposits].some(({ size }) => size > MAX_SEARCHED)
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
      <div id="hits" data-text="${text}">
        ${found.map(
          ([title, hits]) =>
            html`<div><h2>${title}</h2>${hits.map((it) => drawHit(ctx, it))}</div>`,
        )}
        ${found.length === 0 && html`<p class="note">${RECORD_TEXTS.noHit}</p>`}
        ${isPartial && html`<p class="note">${partialSearch(MAX_SEARCHED)}</p>`}
      </div>`,
  }
}

const drawHit = (ctx: PageContext, { text, note, status, path = '/', run }: Hit): Html => {
  const mark = status ? drawStatus(status) : html`<small>${note}</small>`
  const content = html`<bdi>${text}</bdi> ${mark}`
  if (run) return drawButton(ctx, { ...run, kind: 'option' }, content)
  return html`<a class="option" href="${ctx.href(path)}">${content}</a>`
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
  { text: 'Lose the response of the next call…', note: 'drop', path: '/control#next' },
  { text: 'Take a snapshot…', path: '/control#takeSnapshot-name' },
  { text: 'Reset this world', run: { operation: 'reset', given: {} } },
]

type Group = readonly [title: string, hits: readonly Hit[]]

/** Finds the words of a text in records, requests, pages and actions. Without a text it lists actions and pages. */
const search = (ctx: PageContext, text: string): Group[] => {
  const words = text.split(/\s+/)
  const matchers = words.map(createMatcher)
  const fits = (it: Hit) => matchers.every((has) => has([it.text, it.note]))
  const byAmount = findRecords(ctx, text, Number.POSITIVE_INFINITY)
  const isInId = byAmount.length === 0 && words.some((it) => NUMBER.test(it))
  const records = isInId ? findRecords(ctx, text, MIN_DIGITS) : byAmount
  const actions = records.flatMap((it, i) => (i === 0 || it.others ? (it.actions ?? []) : []))
  const pages = Object.values(siteMap(ctx, 0)).flat()
  const own = records.filter(({ others = 0 }) => others < words.length)
  // Enter takes the first hit. It acts only if a word asks for an act.
  const isNamed = own.some(({ others }) => !others)
  const [first, rest] = isNamed ? [own.slice(0, 1), own.slice(1)] : [[], own]
  return [
    ['Found', first],
    ['Do', [...actions, ...ACTS.filter(fits)]],
    ['Records', rest],
    ['Requests', text === '' ? [] : findRequests(ctx, text)],
    ['Pages', pages.map(([path, name]) => ({ text: name, path })).filter(fits)],
  ]
}

type Matcher = ReturnType<typeof createMatcher>

const NUMBER = /^[\d,.]+$/
const AMOUNT = /^\d{1,9}$|^\d+\.\d+$/

/** Of a number that no amount has: most ids contain any shorter one. */
const MIN_DIGITS = 4

/** A shorter number is looked for in amounts only. */
const toMatcher = (word: string, minDigits: number): Matcher => {
  const has = createMatcher(word)
  if (!NUMBER.test(word) || word.length >= minDigits) return has
  return (texts) => has(texts.filter((it) => AMOUNT.test(it ?? '')))
}

const findRecords = (ctx: PageContext, text: string, minDigits: number): Hit[] => {
  if (text === '') return []
  const words = text.split(/\s+/)
  const isVerb = (word: string) => createMatcher(word)(VERBS)
  const names = words.filter((it) => !isVerb(it)).map((it) => toMatcher(it, minDigits))
  const search = { text, names, verbs: words.filter(isVerb).map(createMatcher) }
  const { transfers, payouts, users, deposits } = ctx.tables
  return [
    ...findIn(ctx, users, search, (_, it) => userTexts(it), userHit),
    ...findIn(ctx, payouts, search, payoutTexts, payoutHit),
    ...findIn(ctx, transfers, search, transferTexts, transferHit),
    ...findIn(ctx, deposits, search, depositTexts, depositHit),
  ]
}

const MAX_HITS = 4
/** Records whose actions are searched for verbs. */
const MAX_ACTED = 200
/** The words of actions that are not those of their record. */
const VERBS = [
  'Credit, make the next payout of, fail, return, move to',
  ...Object.values(USER_VERBS),
  ...Object.values(PAYMENT_VERBS),
  ...[...PAYOUT_STATUSES, ...TRANSFER_STATUSES, ...USER_STATUSES].map(statusWord),
]

interface Search {
  readonly text: string
  /** Words that only a record can have, and words that an action of it may have. */
  readonly names: readonly Matcher[]
  readonly verbs: readonly Matcher[]
}

/** The newest records that have the words, themselves or in their actions. An id finds its record, however old. */
const findIn = <R extends Row>(
  ctx: PageContext,
  table: Table<R>,
  { text, names, verbs }: Search,
  textsOf: (tables: Tables, record: R) => Texts,
  toHit: (record: R) => Hit,
): Hit[] => {
  const named = table.get(text.toLowerCase())
  if (named) return [toHit(named)]
  const found: Hit[] = []
  let [rest, acted] = [MAX_SEARCHED, 0]
  for (const record of table.newestFirst()) {
    if (rest-- === 0 || found.length === MAX_HITS) break
    const texts = textsOf(ctx.tables, record)
    if (!names.every((has) => has(texts))) continue
    const others = verbs.filter((has) => !has(texts))
    if (others.length > 0 && acted++ >= MAX_ACTED) continue
    const hit = toHit(record)
    const actions = hit.actions?.filter((it) => others.every((has) => has([it.text, it.note])))
    // A move that the record does not have now still finds it by its name.
    const isNamed = names.length > 0 && others.every((has) => has(Object.values(USER_VERBS)))
    if (others.length > 0 && !actions?.length && !isNamed) continue
    found.push({ ...hit, actions: actions ?? [], others: others.length })
  }
  return found
}

const userHit = (user: User): Hit => {
  const { id, status } = user
  const hit = { text: fullName(user), status, path: `/users/${id}` }
  const next = `/control?operation=createPayout&user_id=${id}&then=${FAILS}`
  const moves = USER_TRANSITIONS[status].map((to) =>
    moveHit(hit, toUserVerb(status, to), 'moveUser', { id, status: to }, USER_FORMS[to]),
  )
  return {
    ...hit,
    actions: [
      { text: `Credit ${hit.text}…`, path: `${hit.path}?do=creditUser#creditUser-${id}-amount` },
      ...moves,
      { text: `Make the next payout of ${hit.text} fail…`, path: next },
    ],
  }
}

const FAILS = encodeURIComponent(JSON.stringify(nextOutcomes('createPayout').world[0]?.[0]))

const payoutHit = (it: Payout): Hit =>
  paymentHit(it, payoutTitle(it), 'payouts', 'advancePayout', PAYOUT_TRANSITIONS[it.status])

const transferHit = (it: Transfer): Hit => {
  const moves = TRANSFER_TRANSITIONS[it.status]
  return paymentHit(it, transferTitle(it), 'transfers', 'advanceTransfer', moves)
}

const paymentHit = (
  { id, status }: Payout | Transfer,
  text: string,
  list: string,
  operation: string,
  moves: readonly string[],
): Hit => {
  const hit = { text, status, path: `/${list}/${id}` }
  const actions = moves.map((to) => {
    const fields = isFailed(to) ? ['reason'] : undefined
    return moveHit(hit, toVerb(status, to), operation, { id, to }, fields)
  })
  return { ...hit, actions }
}

const depositHit = ({ id, amount, crypto, matched }: Deposit): Hit => ({
  text: `Deposit of ${formatMoney(amount, crypto)}`,
  status: matched,
  path: `/crypto-in?text=${id}`,
})

/** A button, or a link to the first field of the form. */
const moveHit = (
  { text, path }: Hit,
  verb: string,
  operation: string,
  given: Readonly<Record<string, string>>,
  fields?: readonly string[],
): Hit => {
  const values = Object.values(given)
  const move = { text: `${verb}: ${text}`, note: `move to ${statusWord(values.at(-1) ?? '')}` }
  if (!fields) return { ...move, run: { operation, given } }
  const query = new URLSearchParams({ do: operation, ...given })
  const field = [operation, ...values, ...fields].join('-')
  return { ...move, text: `${move.text}…`, path: `${path}?${query}#${field}` }
}

const findRequests = ({ live }: PageContext, text: string): Hit[] => {
  const [found] = runToEnd(live.requests.take({}, 0, 1, text))
  const path = `/?text=${encodeURIComponent(text)}`
  return found ? [{ text: `Requests with “${text}”`, note: 'filter the activity', path }] : []
}
