import type { Child } from 'hono/jsx'

/** Narrow tables hide `minor` columns. Values of `number` columns are aligned to the right. */
export interface Column<R> {
  readonly name: string
  readonly kind?: 'minor' | 'number' | 'number minor'
  readonly isRowHeader?: boolean
  readonly cell: (row: R) => Child
}

export interface TableProps<R> {
  readonly label: string
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  /** Narrow screens stack the cells of a `stacked` table, such as one with forms. */
  readonly kind?: 'stacked'
  readonly rowId?: (row: R) => string
}

export const DataTable = <R,>({ label, columns, rows, kind, rowId }: TableProps<R>) => (
  <div class="scroll">
    <table aria-label={label} class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column.kind}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr id={rowId?.(row)}>
            {columns.map((column) =>
              column.isRowHeader ? (
                <th scope="row">{column.cell(row)}</th>
              ) : (
                <td class={column.kind}>{column.cell(row)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
