import { TRANSFER_STATUSES, type Transfer } from '../../domain/schema.js'
import { byUserAndStatus } from '../../domain/selection.js'
import { StatusBadge } from '../components/badge.js'
import { StatusLinks, TextFilter, UserFilter, userParam } from '../components/filters.js'
import { TransferLink, UserLink } from '../components/id.js'
import { Money } from '../components/money.js'
import { type Column, DataTable } from '../components/table.js'
import { Time } from '../components/time.js'
import { transferExample } from '../examples.js'
import { listPage } from '../list-page.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

const searchTexts = (it: Transfer) => [
  it.id,
  it.source_amount,
  it.destination_amount,
  it.bank_txn_reference,
  it.reason,
]

const columns = (ctx: PageContext): Column<Transfer>[] => [
  { name: 'Transfer', cell: ({ id }) => <TransferLink ctx={ctx} id={id} /> },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Source',
    kind: 'number minor',
    cell: (it) => <Money amount={it.source_amount} asset={it.source_currency} />,
  },
  {
    name: 'Target',
    kind: 'number',
    cell: (it) => <Money amount={it.destination_amount} asset={it.target_currency} />,
  },
  { name: 'User', kind: 'minor', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
  { name: 'Created', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
  { name: 'Changed', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.updated_at} /> },
]

export const transfersPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', TRANSFER_STATUSES)
  const { transfers } = ctx.tables
  const selection = byUserAndStatus<Transfer>({ status, user_id: userParam(ctx) })
  return listPage(ctx, {
    title: 'Transfers',
    filters: <TextFilter ctx={ctx} label="Amount, id, reference or reason" />,
    tabs: (
      <>
        <StatusLinks
          ctx={ctx}
          statuses={TRANSFER_STATUSES}
          count={(it) => transfers.count('status', it)}
        />
        <UserFilter ctx={ctx} path="/transfers" />
      </>
    ),
    rows: pageOf(ctx, transfers, textFilter(ctx, selection, searchTexts)),
    noun: 'transfer',
    columns: columns(ctx),
    empty: {
      text: 'No transfer yet. A deposit at the deposit address of an offramp starts one:',
      command: transferExample(ctx),
    },
  })
}

export const TransferTable = ({ ctx, rows }: { ctx: PageContext; rows: readonly Transfer[] }) => (
  <DataTable label="Transfers" columns={columns(ctx)} rows={rows} />
)
