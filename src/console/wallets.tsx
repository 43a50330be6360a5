import { byUser } from '../http/selection.js'
import { isZero } from '../world/money.js'
import { walletBalances } from '../world/wallets.js'
import { DepositForm } from './deposit-form.js'
import { FilterForm, UserField, userGiven } from './filters.js'
import { Id } from './id.js'
import { Money } from './money.js'
import { stepToWallet } from './money-steps.js'
import { DataTable, EmptyList, Live, Pager } from './parts.js'
import { rowsOf } from './selecting.js'
import { Time } from './time.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

export const walletsPage = (view: View): Page => {
  const { tables } = view
  const user = userGiven(view)
  const rows = rowsOf(view, tables.wallets, byUser(user))
  return {
    title: 'Wallets',
    body: (
      <>
        <h1>Custody wallets</h1>
        <FilterForm view={view}>
          <UserField view={view} />
        </FilterForm>
        <Live id="list">
          {rows.records.length === 0 ? (
            <EmptyList step={stepToWallet(view)}>No wallet is here.</EmptyList>
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
                    <UserLink view={view} id={wallet.user_id} />
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
                    <Time view={view} at={wallet.created_at} />
                  </td>
                  <td>
                    <DepositForm
                      view={view}
                      address={wallet.wallet_address}
                      chain={wallet.blockchain}
                    />
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}
