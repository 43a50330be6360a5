import type { Child } from 'hono/jsx'

/** Small screens hide `minor` columns, and show the first cell, the status and the `reason` of a row in two lines. */
export interface Column<R> {
  readonly name: string
  readonly kind?: 'minor' | 'number' | 'minor number' | 'reason'
  readonly cell: (row: R) => Child
}

export const Table = <R,>({
  columns,
  rows,
  label,
}: {
  columns: readonly Column<R>[]
  rows: readonly R[]
  label: string
}) => (
  <table aria-label={label}>
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
