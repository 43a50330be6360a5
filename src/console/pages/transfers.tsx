import { TRANSFER_STATUSES, type Transfer } from '../../domain/schema.js'
import { byUserAndStatus } from '../../usecases/selection.js'
import { StatusBadge } from '../components/badge.js'
import { DataTable, LiveRegion, NoMatches, Pager } from '../components/components.js'
import { StatusLinks, TextFilter, UserFilter, userGiven } from '../components/filters.js'
import { TransferLink } from '../components/id.js'
import { Time } from '../components/time.js'
import { UserLink } from '../components/user-link.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import { nextStepForTransfer } from '../money-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { Money } from './money.js'

const searchTexts = (it: Transfer) => [
  it.id,
  it.source_amount,
  it.destination_amount,
  it.bank_txn_reference,
  it.reason,
]

export const transfersPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', TRANSFER_STATUSES)
  const user_id = userGiven(ctx)
  const { transfers } = ctx.tables
  const selection = byUserAndStatus<Transfer>({ status, user_id })
  const rows = pageOf(ctx, transfers, textFilter(ctx, selection, searchTexts))
  return {
    title: 'Transfers',
    body: (
      <>
        <h1>Transfers</h1>
        <TextFilter ctx={ctx} label="Amount, id, reference or reason" />
        <LiveRegion id="list">
          <StatusLinks
            ctx={ctx}
            statuses={TRANSFER_STATUSES}
            count={(it) => transfers.count('status', it)}
          />
          <UserFilter ctx={ctx} path="/transfers" />
          <TransferTable ctx={ctx} rows={rows.records} />
          {rows.records.length === 0 ? (
            <NoMatches
              ctx={ctx}
              noun="transfer"
              size={transfers.size}
              step={nextStepForTransfer(ctx)}
            >
              Crypto that arrives at the deposit address of an offramp makes one.
            </NoMatches>
          ) : null}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}

export const TransferTable = ({ ctx, rows }: { ctx: PageContext; rows: readonly Transfer[] }) =>
  rows.length === 0 ? null : (
    <DataTable
      label="Transfers"
      columns={[
        'Transfer',
        'Status',
        { name: 'Source', kind: 'number minor' },
        { name: 'Target', kind: 'number' },
        { name: 'User', kind: 'minor' },
        { name: 'Created', kind: 'minor' },
        { name: 'Changed', kind: 'minor' },
      ]}
    >
      {rows.map((it) => (
        <tr>
          <td>
            <TransferLink ctx={ctx} id={it.id} />
          </td>
          <td>
            <StatusBadge status={it.status} />
          </td>
          <td class="number minor">
            <Money amount={it.source_amount} asset={it.source_currency} />
          </td>
          <td class="number">
            <Money amount={it.destination_amount} asset={it.target_currency} />
          </td>
          <td class="minor">
            <UserLink ctx={ctx} id={it.user_id} />
          </td>
          <td class="minor">
            <Time ctx={ctx} at={it.created_at} />
          </td>
          <td class="minor">
            <Time ctx={ctx} at={it.updated_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
