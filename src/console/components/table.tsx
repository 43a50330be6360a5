import type { Child } from 'hono/jsx'

/** Small screens hide `minor` columns. */
export interface Column<R> {
  readonly name: string
  readonly kind?: 'minor' | 'number' | 'minor number' | 'reason'
  readonly cell: (row: R) => Child
}

export const Table = <R,>({
  columns,
  rows,
  label,
  isList = false,
}: {
  columns: readonly Column<R>[]
  rows: readonly R[]
  label: string
  /** Small screens show the first cell and the status of a row in one line, the `reason` in the next. */
  isList?: boolean
}) => (
  <table aria-label={label} class={isList ? 'list' : undefined}>
    <thead>
      <tr>
        {columns.map(({ name, kind }) => (
          <th scope="col" class={kind}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          {columns.map(({ kind, cell }) => (
            <td class={kind}>{cell(row)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
