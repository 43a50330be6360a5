import type { DepositAddress } from '../../domain/schema.js'
import { ALL, byUser } from '../../usecases/selection.js'
import { StatusBadge } from '../components/badge.js'
import { DataTable, EmptyList, LiveRegion, Pager, Panel } from '../components/components.js'
import { DepositForm } from '../components/deposit-form.js'
import { FilterForm, UserField, userGiven } from '../components/filters.js'
import { Id, TransferLink } from '../components/id.js'
import { Time } from '../components/time.js'
import { UserLink } from '../components/user-link.js'
import { pageOf, pageOfArray, type Rows } from '../list-query.js'
import { nextStepForAddress, nextStepForTransfer } from '../money-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { Money } from './money.js'

export const offrampsPage = (ctx: PageContext): Page => {
  const user = userGiven(ctx)
  const rows = pageOf(ctx, ctx.tables.offramps, byUser(user))
  return {
    title: 'Offramps',
    body: (
      <>
        <h1>Offramps</h1>
        <FilterForm ctx={ctx}>
          <UserField ctx={ctx} />
        </FilterForm>
        <LiveRegion id="addresses">
          <Addresses ctx={ctx} user={user} />
        </LiveRegion>
        <LiveRegion id="list">
          <Panel title="Offramp transactions">
            {rows.records.length === 0 ? (
              <EmptyList step={nextStepForTransfer(ctx)}>
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
                  const transfer = ctx.tables.transfers.get(it.transfer_id)
                  if (!transfer) return null
                  return (
                    <tr>
                      <td>
                        <TransferLink ctx={ctx} id={it.transfer_id} />
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
                        <UserLink ctx={ctx} id={it.user_id} />
                      </td>
                      <td class="minor">
                        <Time ctx={ctx} at={it.created_at} />
                      </td>
                    </tr>
                  )
                })}
              </DataTable>
            )}
            <Pager ctx={ctx} rows={rows} />
          </Panel>
        </LiveRegion>
      </>
    ),
  }
}

/** The page's other list is paged by `page`. */
const PAGE = 'addresses_page'

/** Deposit addresses, of one user or of all. */
const addressRows = (ctx: PageContext, user: string | undefined): Rows<DepositAddress> => {
  const { accounts, instructions } = ctx.tables
  if (!user) return pageOf(ctx, instructions, ALL, PAGE)
  const all = accounts
    .list('user', user)
    .flatMap(({ id }) => instructions.list('account', id))
    .sort((a, b) => b.n - a.n)
  return pageOfArray(ctx, all, PAGE)
}

const Addresses = ({ ctx, user }: { ctx: PageContext; user: string | undefined }) => {
  const rows = addressRows(ctx, user)
  return (
    <Panel title="Deposit addresses">
      {rows.records.length === 0 ? (
        <EmptyList step={nextStepForAddress(ctx)}>None yet.</EmptyList>
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
                <UserLink ctx={ctx} id={it.user_id} />
              </td>
              <td class="minor">
                <AccountName ctx={ctx} id={it.account_id} />
              </td>
              <td>
                <DepositForm ctx={ctx} address={it.address} chain={it.chain} crypto={it.crypto} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <Pager ctx={ctx} rows={rows} label="Pages of deposit addresses" />
    </Panel>
  )
}

const AccountName = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const account = ctx.tables.accounts.get(id)
  if (!account) return <>{id}</>
  return (
    <>
      <bdi>{account.nickname}</bdi> ({account.currency})
    </>
  )
}
