import { formatCount } from '../format.js'
import { addressWith, ROWS, type Rows } from '../list-query.js'
import type { PageContext } from '../page-context.js'

export const Pager = ({
  ctx,
  rows,
  label = 'Pages',
}: {
  ctx: PageContext
  rows: Rows<unknown>
  label?: string | undefined
}) => {
  const { page, total, records, more, parameter } = rows
  if (page === 0 && !more) {
    return records.length === 0 ? null : <p class="count">{records.length} in all</p>
  }
  const first = page * ROWS
  return (
    <nav class="pager" aria-label={label}>
      <span class="count">
        {records.length > 0
          ? `${formatCount(first + 1)}–${formatCount(first + records.length)}`
          : 'none'}
        {total === undefined ? '' : ` of ${formatCount(total)}`}
      </span>
      {page > 0 ? (
        <a
          rel="prev"
          href={addressWith(ctx, { [parameter]: page > 1 ? String(page - 1) : undefined })}
        >
          Newer
        </a>
      ) : null}
      {more ? (
        <a rel="next" href={addressWith(ctx, { [parameter]: String(page + 1) })}>
          Older
        </a>
      ) : null}
    </nav>
  )
}
