import type { Child } from 'hono/jsx'
import { Empty, NoMatches } from './components/empty.js'
import { Pager } from './components/pager.js'
import { LiveRegion } from './components/panel.js'
import { DataTable, type TableProps } from './components/table.js'
import { param, type Rows } from './list-query.js'
import type { Page, PageContext } from './page-context.js'

export interface ListPageOptions<R> extends Omit<TableProps<R>, 'label' | 'rows'> {
  readonly title: string
  readonly heading?: string
  /** Content above the filters. */
  readonly intro?: Child
  readonly filters?: Child
  /** Links above the table that change with the world, such as counts by status. */
  readonly tabs?: Child
  readonly rows: Rows<R>
  /** One record, for messages. */
  readonly noun: string
  /** Replaces the table if the world has no such record. */
  readonly empty: { readonly text: Child; readonly command?: string | undefined }
  /** Below the table. */
  readonly footer?: Child
  /** Other worlds change the list too. */
  readonly showsOtherWorlds?: boolean | undefined
}

const FILTERS = ['text', 'status', 'user_id']

export const listPage = <R,>(ctx: PageContext, options: ListPageOptions<R>): Page => {
  const { title, heading = title, intro, filters, tabs, footer, showsOtherWorlds } = options
  return {
    title,
    body: (
      <>
        <h1>{heading}</h1>
        {ctx.flash}
        {intro}
        {filters}
        <LiveRegion id="list" others={showsOtherWorlds}>
          {tabs}
          <PagedTable ctx={ctx} {...options} label={title} />
          {footer}
        </LiveRegion>
      </>
    ),
  }
}

/** A table with its pager, or a hint if it is empty. */
export const PagedTable = <R,>({
  ctx,
  rows,
  noun,
  empty,
  pagerLabel,
  ...table
}: Omit<TableProps<R>, 'rows'> &
  Pick<ListPageOptions<R>, 'rows' | 'noun' | 'empty'> & {
    ctx: PageContext
    pagerLabel?: string | undefined
  }) => {
  const isFiltered = FILTERS.some((name) => param(ctx, name) !== undefined)
  return (
    <>
      {rows.records.length > 0 ? (
        <DataTable {...table} rows={rows.records} />
      ) : isFiltered ? (
        <NoMatches ctx={ctx} noun={noun} />
      ) : (
        <Empty command={empty.command}>{empty.text}</Empty>
      )}
      <Pager ctx={ctx} rows={rows} label={pagerLabel} />
    </>
  )
}
