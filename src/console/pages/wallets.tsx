import { isZero } from '../../domain/money.js'
import { byUser } from '../../domain/selection.js'
import { walletBalances } from '../../domain/wallets.js'
import { DepositForm } from '../components/deposit-form.js'
import { FilterForm, UserField, userParam } from '../components/filters.js'
import { Id, UserLink } from '../components/id.js'
import { Money } from '../components/money.js'
import { Time } from '../components/time.js'
import { walletExample } from '../examples.js'
import { listPage } from '../list-page.js'
import { pageOf } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

export const walletsPage = (ctx: PageContext): Page =>
  listPage(ctx, {
    title: 'Wallets',
    heading: 'Custody wallets',
    filters: (
      <FilterForm ctx={ctx}>
        <UserField ctx={ctx} />
      </FilterForm>
    ),
    rows: pageOf(ctx, ctx.tables.wallets, byUser(userParam(ctx))),
    noun: 'wallet',
    kind: 'stacked',
    columns: [
      { name: 'Address', cell: (it) => <Id id={it.wallet_address} what="address" /> },
      { name: 'Chain', cell: (it) => it.blockchain },
      { name: 'User', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
      {
        name: 'Balances',
        cell: (wallet) =>
          walletBalances(ctx.tables, wallet)
            .filter(({ amount }) => !isZero(amount))
            .map(({ token, amount }) => (
              <div>
                <Money amount={amount} asset={token.symbol} />
              </div>
            )),
      },
      {
        name: 'Reference',
        kind: 'minor',
        cell: (it) => <Id id={it.customer_wallet_ref} what="reference" />,
      },
      { name: 'Created', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
      {
        name: 'Deposit',
        cell: (it) => <DepositForm ctx={ctx} address={it.wallet_address} chain={it.blockchain} />,
      },
    ],
    empty: { text: 'No wallet yet. Create one:', command: walletExample(ctx) },
  })
