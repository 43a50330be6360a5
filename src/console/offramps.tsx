import { ALL, byUser } from '../http/selection.js'
import type { Instruction } from '../world/offramps.js'
import { StatusBadge } from './badge.js'
import { DepositForm } from './deposit-form.js'
import { FilterForm, UserField, userGiven } from './filters.js'
import { Id, TransferLink } from './id.js'
import { Money } from './money.js'
import { stepToAddress, stepToTransfer } from './money-steps.js'
import { DataTable, EmptyList, Live, Pager, Panel } from './parts.js'
import { type Rows, rowsAmong, rowsOf } from './selecting.js'
import { Time } from './time.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

export const offrampsPage = (view: View): Page => {
  const user = userGiven(view)
  const rows = rowsOf(view, view.tables.offramps, byUser(user))
  return {
    title: 'Offramps',
    body: (
      <>
        <h1>Offramps</h1>
        <FilterForm view={view}>
          <UserField view={view} />
        </FilterForm>
        <Live id="addresses">
          <Addresses view={view} user={user} />
        </Live>
        <Live id="list">
          <Panel title="Offramp transactions">
            {rows.records.length === 0 ? (
              <EmptyList step={stepToTransfer(view)}>
                None yet. Crypto that arrives at a deposit address makes one.
              </EmptyList>
            ) : (
              <DataTable
                label="Offramp transactions"
                columns={[
                  'Transfer',
                  'Status',
                  { name: 'Came', kind: 'number minor' },
                  { name: 'Pays', kind: 'number' },
                  { name: 'Chain', kind: 'minor' },
                  { name: 'User', kind: 'minor' },
                  { name: 'Created', kind: 'minor' },
                ]}
              >
                {rows.records.map((it) => {
                  const transfer = view.tables.transfers.get(it.transfer_id)
                  if (!transfer) return null
                  return (
                    <tr>
                      <td>
                        <TransferLink view={view} id={it.transfer_id} />
                      </td>
                      <td>
                        <StatusBadge status={transfer.status} />
                      </td>
                      <td class="number minor">
                        <Money amount={transfer.source_amount} asset={transfer.source_currency} />
                      </td>
                      <td class="number">
                        <Money
                          amount={transfer.destination_amount}
                          asset={transfer.target_currency}
                        />
                      </td>
                      <td class="minor">{it.blockchain}</td>
                      <td class="minor">
                        <UserLink view={view} id={it.user_id} />
                      </td>
                      <td class="minor">
                        <Time view={view} at={it.created_at} />
                      </td>
                    </tr>
                  )
                })}
              </DataTable>
            )}
            <Pager view={view} rows={rows} />
          </Panel>
        </Live>
      </>
    ),
  }
}

/** The page's other list is paged by `page`. */
const PAGE = 'addresses_page'

/** Deposit addresses, of one user or of all. */
const addressRows = (view: View, user: string | undefined): Rows<Instruction> => {
  const { accounts, instructions } = view.tables
  if (!user) return rowsOf(view, instructions, ALL, PAGE)
  const all = accounts
    .list('user', user)
    .flatMap(({ id }) => instructions.list('account', id))
    .sort((a, b) => b.n - a.n)
  return rowsAmong(view, all, PAGE)
}

const Addresses = ({ view, user }: { view: View; user: string | undefined }) => {
  const rows = addressRows(view, user)
  return (
    <Panel title="Deposit addresses">
      {rows.records.length === 0 ? (
        <EmptyList step={stepToAddress(view)}>None yet.</EmptyList>
      ) : (
        <DataTable
          label="Deposit addresses"
          kind="stacked"
          columns={['Address', 'Expects', 'User', { name: 'Pays to', kind: 'minor' }, 'Deposit']}
        >
          {rows.records.map((it) => (
            <tr>
              <td>
                <Id id={it.address} what="address" />
              </td>
              <td>
                {it.crypto} <span class="quiet">on {it.chain}</span>
              </td>
              <td>
                <UserLink view={view} id={it.user_id} />
              </td>
              <td class="minor">
                <AccountName view={view} id={it.account_id} />
              </td>
              <td>
                <DepositForm view={view} address={it.address} chain={it.chain} crypto={it.crypto} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <Pager view={view} rows={rows} label="Pages of deposit addresses" />
    </Panel>
  )
}

const AccountName = ({ view, id }: { view: View; id: string }) => {
  const account = view.tables.accounts.get(id)
  if (!account) return <>{id}</>
  return (
    <>
      <bdi>{account.nickname}</bdi> ({account.currency})
    </>
  )
}
