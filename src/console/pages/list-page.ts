import { noMatch, type Prose } from '../../activity/record-sentences.js'
import { createMatcher, type Texts } from '../../activity/search.js'
import { capitalize, formatCount, pluralize } from '../../history/format.js'
import { type Html, html } from '../components/html.js'
import {
  type Choice,
  type Column,
  drawChips,
  drawEmpty,
  drawHead,
  drawTable,
} from '../components/parts.js'
import { drawTime, drawUser } from '../components/text.js'
import { addressWith, param, takePage } from '../filters.js'
import type { Page, PageContext } from '../page-context.js'

export interface List<R> {
  readonly title: string
  /** One record, for messages. */
  readonly noun: string
  readonly sentence?: Prose
  readonly actions?: Html
  readonly chips: Chips
  /** Newest first. Without an order of their own, they are read only as far as the page shows them. */
  readonly records: Iterable<R>
  readonly order?: (a: R, b: R) => number
  /** With neither chip nor filter. */
  readonly total: number
  readonly texts: (record: R) => Texts
  /** The values that the filter finds, such as `amount, name, bank`. */
  readonly filter: string
  readonly columns: readonly Column<R>[]
  readonly empty: Prose
  readonly command?: string
}

type Chips = Readonly<Record<string, readonly Choice[]>>

export const KEY_HINT = html`<span class="wide">
  <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>/</kbd> filters.</span>`

export const listPage = <R>(ctx: PageContext, list: List<R>): Page => {
  const { title, noun, chips, total, columns, empty, command, order } = list
  const text = param(ctx, 'text')
  const matches = createMatcher(text ?? '')
  const fits = (it: R) => text === undefined || matches(list.texts(it))
  const { records, hasMore } = takePage(ctx, list.records, fits, order)
  const user_id = param(ctx, 'user_id')
  const isFiltered = ['text', 'status', 'user_id', 'page'].some(
    (it) => param(ctx, it) !== undefined,
  )
  const all = addressWith(ctx, { user_id: undefined, page: undefined })
  const nothing = isFiltered
    ? drawEmpty(ctx, noMatch(noun, ctx.path))
    : drawEmpty(ctx, empty, command)
  const count = isFiltered ? `Of ${formatCount(total)} in all` : pluralize(total, noun)
  return {
    title,
    body: html`
      ${drawHead(ctx, list)}
      ${drawFilterRow(ctx, { label: title.toLowerCase(), hint: list.filter }, chips)}
      ${user_id && html`<p class="note">Only of ${drawUser(ctx, user_id)} · <a href="${all}">All users</a></p>`}
      ${records.length > 0 ? drawTable(title, records, columns, 'list') : nothing}
      ${drawPager(ctx, hasMore, html`${count}. ${KEY_HINT}`)}`,
  }
}

export const drawPager = (ctx: PageContext, hasMore: boolean, text: Html): Html => {
  const page = Number(param(ctx, 'page') ?? 0)
  const to = (n: number) => addressWith(ctx, { page: n === 0 ? undefined : String(n) })
  return html`<p class="note row">${text}
    ${page > 0 && html`<a href="${to(page - 1)}">Newer</a>`}
    ${hasMore && html`<a href="${to(page + 1)}">Older</a>`}</p>`
}

interface Filter {
  /** `Filter <label>` names the field. */
  readonly label: string
  readonly hint: string
  /** Another field beside it, and its name. */
  readonly choice?: readonly [name: string, field: Html]
}

/** Sends while the user types. The address follows, so a reload shows the same rows. */
export const drawFilter = (ctx: PageContext, { label, hint, choice }: Filter): Html => {
  const own = ['text', 'page', choice?.[0]]
  const hidden = [...ctx.query].filter(([name]) => !own.includes(name))
  return html`
    <form action="${ctx.path}" class="filter" hx-get="${ctx.path}" hx-replace-url="true"
      hx-trigger="input changed delay:200ms, submit">
      ${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input type="search" id="filter" name="text" value="${param(ctx, 'text')}" autocomplete="off"
        aria-label="Filter ${label}" placeholder="Filter: ${hint}" />
      ${choice?.[1]}
    </form>`
}

export const drawFilterRow = (ctx: PageContext, filter: Filter, chips: Chips): Html =>
  html`<search class="row">${drawFilter(ctx, filter)} ${Object.entries(chips).map(([name, them]) =>
    drawChips(ctx, name, capitalize(name), them),
  )}</search>`

export const textColumn = <R>(
  name: string,
  textOf: (record: R) => Html,
  kind: Column<R>['kind'] = 'minor',
): Column<R> => ({ name, kind, cell: (it) => html`<bdi>${textOf(it)}</bdi>` })

export const ownerColumn = <R>(ctx: PageContext, idOf: (record: R) => string | null): Column<R> =>
  textColumn('For', (it) => drawUser(ctx, idOf(it) ?? ''), 'who')

export const timeColumn = <R>(
  ctx: PageContext,
  name: string,
  timeOf: (record: R) => string,
): Column<R> => ({ name, kind: 'who number', cell: (it) => drawTime(ctx, timeOf(it)) })

interface Changing {
  readonly n: number
  readonly updated_at: string
}

export const lastChangeFirst = (a: Changing, b: Changing): number =>
  a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : b.n - a.n

/** The first cell of a row, which opens its record. */
export const drawOpen = (ctx: PageContext, path: string, text: Html): Html =>
  html`<a class="open-row" href="${ctx.href(path)}"><b>${text}</b></a>`
