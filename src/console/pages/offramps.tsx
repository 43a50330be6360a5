import { getAccount } from '../../domain/accounts.js'
import type { DepositAddress, Offramp } from '../../domain/schema.js'
import { ALL, byUser } from '../../domain/selection.js'
import { getTransfer } from '../../domain/transfers.js'
import { StatusBadge } from '../components/badge.js'
import { DepositForm } from '../components/deposit-form.js'
import { FilterForm, UserField, userParam } from '../components/filters.js'
import { Id, TransferLink, UserLink } from '../components/id.js'
import { Money } from '../components/money.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { Time } from '../components/time.js'
import { offrampExample, transferExample } from '../examples.js'
import { PagedTable } from '../list-page.js'
import { pageOf, pageOfArray, type Rows } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

export const offrampsPage = (ctx: PageContext): Page => ({
  title: 'Offramps',
  body: (
    <>
      <h1>Offramps</h1>
      <FilterForm ctx={ctx}>
        <UserField ctx={ctx} />
      </FilterForm>
      <LiveRegion id="addresses">
        <Panel title="Deposit addresses">
          <Addresses ctx={ctx} />
        </Panel>
      </LiveRegion>
      <LiveRegion id="list">
        <Panel title="Offramp transactions">
          <Transactions ctx={ctx} />
        </Panel>
      </LiveRegion>
    </>
  ),
})

const Transactions = ({ ctx }: { ctx: PageContext }) => {
  const transferOf = ({ transfer_id }: Offramp) => getTransfer(ctx.tables, transfer_id)
  return (
    <PagedTable
      ctx={ctx}
      label="Offramp transactions"
      rows={pageOf(ctx, ctx.tables.offramps, byUser(userParam(ctx)))}
      noun="offramp transaction"
      columns={[
        { name: 'Transfer', cell: (it) => <TransferLink ctx={ctx} id={it.transfer_id} /> },
        { name: 'Status', cell: (it) => <StatusBadge status={transferOf(it).status} /> },
        {
          name: 'Received',
          kind: 'number minor',
          cell: (it) => {
            const { source_amount, source_currency } = transferOf(it)
            return <Money amount={source_amount} asset={source_currency} />
          },
        },
        {
          name: 'Pays',
          kind: 'number',
          cell: (it) => {
            const { destination_amount, target_currency } = transferOf(it)
            return <Money amount={destination_amount} asset={target_currency} />
          },
        },
        { name: 'Chain', kind: 'minor', cell: (it) => it.blockchain },
        { name: 'User', kind: 'minor', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
        { name: 'Created', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
      ]}
      empty={{
        text: 'No offramp transaction yet. A deposit at a deposit address creates one:',
        command: transferExample(ctx),
      }}
    />
  )
}

/** The other list of the page uses the parameter `page`. */
const PAGE = 'addresses_page'

const addressRows = (ctx: PageContext): Rows<DepositAddress> => {
  const { accounts, instructions } = ctx.tables
  const user = userParam(ctx)
  if (!user) return pageOf(ctx, instructions, ALL, PAGE)
  const all = accounts
    .list('user', user)
    .flatMap(({ id }) => instructions.list('account', id))
    .sort((a, b) => b.n - a.n)
  return pageOfArray(ctx, all, PAGE)
}

const Addresses = ({ ctx }: { ctx: PageContext }) => (
  <PagedTable
    ctx={ctx}
    label="Deposit addresses"
    pagerLabel="Pages of deposit addresses"
    rows={addressRows(ctx)}
    noun="deposit address"
    kind="stacked"
    columns={[
      { name: 'Address', cell: ({ address }) => <Id id={address} what="address" /> },
      {
        name: 'Expects',
        cell: ({ crypto, chain }) => (
          <>
            {crypto} <span class="quiet">on {chain}</span>
          </>
        ),
      },
      { name: 'User', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
      {
        name: 'Pays to',
        kind: 'minor',
        cell: ({ account_id }) => <AccountName ctx={ctx} id={account_id} />,
      },
      {
        name: 'Deposit',
        cell: ({ address, chain, crypto }) => (
          <DepositForm ctx={ctx} address={address} chain={chain} crypto={crypto} />
        ),
      },
    ]}
    empty={{ text: 'No deposit address yet. Create one:', command: offrampExample(ctx) }}
  />
)

const AccountName = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const { nickname, currency } = getAccount(ctx.tables, id)
  return (
    <>
      <bdi>{nickname}</bdi> ({currency})
    </>
  )
}
