import { byUserAndStatus } from '../http/selection.js'
import { TRANSFER_STATUSES, type Transfer } from '../world/transfers.js'
import { StatusBadge } from './badge.js'
import { OfUser, StatusLinks, TextFilter, userGiven } from './filters.js'
import { TransferLink } from './id.js'
import { Money } from './money.js'
import { stepToTransfer } from './money-steps.js'
import { DataTable, Live, NoneLikeThis, Pager } from './parts.js'
import { chosen, holdingText, rowsOf } from './selecting.js'
import { Time } from './time.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

const textsOf = (it: Transfer) => [
  it.id,
  it.source_amount,
  it.destination_amount,
  it.bank_txn_reference,
  it.reason,
]

export const transfersPage = (view: View): Page => {
  const status = chosen(view, 'status', TRANSFER_STATUSES)
  const user_id = userGiven(view)
  const { transfers } = view.tables
  const selection = byUserAndStatus<Transfer>({ status, user_id })
  const rows = rowsOf(view, transfers, holdingText(view, selection, textsOf))
  return {
    title: 'Transfers',
    body: (
      <>
        <h1>Transfers</h1>
        <TextFilter view={view} label="Amount, id, reference or reason" />
        <Live id="list">
          <StatusLinks
            view={view}
            statuses={TRANSFER_STATUSES}
            count={(it) => transfers.count('status', it)}
          />
          <OfUser view={view} path="/transfers" />
          <TransferTable view={view} rows={rows.records} />
          {rows.records.length === 0 ? (
            <NoneLikeThis
              view={view}
              noun="transfer"
              size={transfers.size}
              step={stepToTransfer(view)}
            >
              Crypto that arrives at the deposit address of an offramp makes one.
            </NoneLikeThis>
          ) : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

export const TransferTable = ({ view, rows }: { view: View; rows: readonly Transfer[] }) =>
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
            <TransferLink view={view} id={it.id} />
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
            <UserLink view={view} id={it.user_id} />
          </td>
          <td class="minor">
            <Time view={view} at={it.created_at} />
          </td>
          <td class="minor">
            <Time view={view} at={it.updated_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
