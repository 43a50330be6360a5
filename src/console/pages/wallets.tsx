import { isZero } from '../../domain/money.js'
import { walletBalances } from '../../domain/wallets.js'
import { byUser } from '../../usecases/selection.js'
import { DataTable, EmptyList, LiveRegion, Pager } from '../components/components.js'
import { DepositForm } from '../components/deposit-form.js'
import { FilterForm, UserField, userGiven } from '../components/filters.js'
import { Id } from '../components/id.js'
import { Time } from '../components/time.js'
import { UserLink } from '../components/user-link.js'
import { pageOf } from '../list-query.js'
import { nextStepForWallet } from '../money-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { Money } from './money.js'

export const walletsPage = (ctx: PageContext): Page => {
  const { tables } = ctx
  const user = userGiven(ctx)
  const rows = pageOf(ctx, tables.wallets, byUser(user))
  return {
    title: 'Wallets',
    body: (
      <>
        <h1>Custody wallets</h1>
        <FilterForm ctx={ctx}>
          <UserField ctx={ctx} />
        </FilterForm>
        <LiveRegion id="list">
          {rows.records.length === 0 ? (
            <EmptyList step={nextStepForWallet(ctx)}>No wallet is here.</EmptyList>
          ) : (
            <DataTable
              label="Wallets"
              kind="stacked"
              columns={[
                'Address',
                'Chain',
                'User',
                'Balances',
                { name: 'Reference', kind: 'minor' },
                { name: 'Created', kind: 'minor' },
                'Deposit',
              ]}
            >
              {rows.records.map((wallet) => (
                <tr>
                  <td>
                    <Id id={wallet.wallet_address} what="address" />
                  </td>
                  <td>{wallet.blockchain}</td>
                  <td>
                    <UserLink ctx={ctx} id={wallet.user_id} />
                  </td>
                  <td>
                    {walletBalances(tables, wallet)
                      .filter(({ amount }) => !isZero(amount))
                      .map(({ token, amount }) => (
                        <div>
                          <Money amount={amount} asset={token.symbol} />
                        </div>
                      ))}
                  </td>
                  <td class="minor">
                    <Id id={wallet.customer_wallet_ref} what="reference" />
                  </td>
                  <td class="minor">
                    <Time ctx={ctx} at={wallet.created_at} />
                  </td>
                  <td>
                    <DepositForm
                      ctx={ctx}
                      address={wallet.wallet_address}
                      chain={wallet.blockchain}
                    />
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}
