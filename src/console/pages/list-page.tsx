import type { Child } from 'hono/jsx'
import { type Chip, Chips } from '../components/chips.js'
import { Empty } from '../components/empty.js'
import { Head } from '../components/head.js'
import { Text } from '../components/links.js'
import { type Column, Table } from '../components/table.js'
import { addressWith, createMatcher, param, takePage } from '../filters.js'
import { formatCount, pluralize } from '../format.js'
import type { Page, PageContext } from '../page-context.js'
import { type Prose, userRef } from '../sentences.js'

/** A list page. The address has its chip, its text and its user. */
export interface List<R> {
  readonly title: string
  /** One record, for messages. */
  readonly noun: string
  readonly sentence?: Prose
  /** Above the filter, at the right: buttons and folded forms. */
  readonly actions?: Child
  /** Values of `?status=`. */
  readonly chips: readonly Chip[]
  /** In the order of the list. They are read only as far as the page shows them. */
  readonly records: Iterable<R>
  /** The number of all records, with neither chip nor filter. */
  readonly total: number
  /** The texts in which the filter searches. */
  readonly texts: (record: R) => readonly (string | null | undefined)[]
  /** The values that the filter finds, such as `amount, name, bank`. */
  readonly filter: string
  readonly columns: readonly Column<R>[]
  readonly empty: { readonly text: Child; readonly command?: string | undefined }
}

export const listPage = <R,>(ctx: PageContext, list: List<R>): Page => {
  const { title, noun, sentence, actions, chips, total, columns, empty } = list
  const rows = takePage(ctx, matching(ctx, list))
  const user_id = param(ctx, 'user_id')
  const isFiltered = ['text', 'status', 'user_id'].some((it) => param(ctx, it) !== undefined)
  return {
    title,
    body: (
      <>
        <Head ctx={ctx} title={title} sentence={sentence}>
          {actions}
        </Head>
        <search class="row">
          <TextFilter ctx={ctx} label={`Filter ${title.toLowerCase()}`} hint={list.filter} />
          <Chips ctx={ctx} chips={chips} parameter="status" label="Status" />
        </search>
        {user_id ? (
          <p class="note">
            Only of <Text ctx={ctx} prose={[userRef(ctx.tables, user_id)]} />.{' '}
            <a href={addressWith(ctx, { user_id: undefined, page: undefined })}>All users</a>
          </p>
        ) : null}
        {rows.records.length > 0 ? (
          <Table label={title} columns={columns} rows={rows.records} isList />
        ) : isFiltered ? (
          <Empty>
            No {noun} matches. <a href={ctx.href(ctx.path)}>Show all</a>
          </Empty>
        ) : (
          <Empty command={empty.command}>{empty.text}</Empty>
        )}
        <Pager ctx={ctx} hasMore={rows.hasMore}>
          {isFiltered ? `Of ${formatCount(total)}` : pluralize(total, noun)}.{' '}
          <span class="wide">
            <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>/</kbd> filters.
          </span>
        </Pager>
      </>
    ),
  }
}

/** Below a list: links to its other pages. */
export const Pager = ({
  ctx,
  hasMore,
  children,
}: {
  ctx: PageContext
  hasMore: boolean
  children: Child
}) => {
  const page = Number(param(ctx, 'page') ?? 0)
  const newer = page > 1 ? String(page - 1) : undefined
  return (
    <p class="note row">
      {children}
      {page > 0 ? <a href={addressWith(ctx, { page: newer })}>Newer</a> : null}
      {hasMore ? <a href={addressWith(ctx, { page: String(page + 1) })}>Older</a> : null}
    </p>
  )
}

function* matching<R>(ctx: PageContext, { records, texts }: List<R>): Iterable<R> {
  const text = param(ctx, 'text')
  if (text === undefined) return yield* records
  const fits = createMatcher(text)
  for (const record of records) if (fits(texts(record))) yield record
}

/** Sends while the user types. The address follows, so a reload shows the same rows. */
export const TextFilter = ({
  ctx,
  label,
  hint,
  choice,
  children,
}: {
  ctx: PageContext
  label: string
  hint: string
  /** The name of another field, which `children` has. */
  choice?: string
  children?: Child
}) => (
  <form
    action={ctx.path}
    class="filter"
    hx-get={ctx.path}
    hx-trigger="input changed delay:200ms, submit"
    hx-replace-url="true"
  >
    {[...ctx.query].map(([name, value]) =>
      ['text', 'page', choice].includes(name) ? null : (
        <input type="hidden" name={name} value={value} />
      ),
    )}
    <input
      type="search"
      id="filter"
      name="text"
      aria-label={label}
      placeholder={`Filter: ${hint}`}
      value={param(ctx, 'text')}
      autocomplete="off"
    />
    {children}
  </form>
)
