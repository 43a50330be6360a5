import { getAccount } from '../../domain/accounts.js'
import { addressKey } from '../../domain/addresses.js'
import type { Deposit, DepositAddress, Wallet } from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import { FoldedForm } from '../components/form.js'
import { Id, Time, UserLink } from '../components/links.js'
import { Money } from '../components/money.js'
import { Status } from '../components/status.js'
import { offrampExample, transferExample, walletExample } from '../examples.js'
import { addressWith, enumParam, param } from '../filters.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import { type List, listPage } from './list-page.js'

/** Deposits, and the addresses that expect them. */
export const cryptoInPage: DrawPage = (ctx) => {
  const shown = enumParam(ctx, 'status', ['addresses', 'wallets'])
  if (shown === 'addresses') return addressesPage(ctx)
  return shown === 'wallets' ? walletsPage(ctx) : depositsPage(ctx)
}

/** The parts that the three lists share. */
const common = (ctx: PageContext) => {
  const { deposits, instructions, wallets } = ctx.tables
  const unmatched = deposits.count('matched', 'unmatched')
  return {
    title: 'Crypto in',
    sentence: [
      unmatched === 0
        ? 'Each deposit has found its address.'
        : `${unmatched} of ${deposits.size} deposits matched no address that expects their token.`,
    ],
    actions: <DepositForm ctx={ctx} />,
    chips: [
      { text: 'Deposits', count: deposits.size },
      { value: 'addresses', text: 'Offramp addresses', count: instructions.size },
      { value: 'wallets', text: 'Wallets', count: wallets.size },
    ],
  } satisfies Partial<List<never>>
}

const DepositForm = ({ ctx }: { ctx: PageContext }) => {
  const { tokens, chains } = ctx.tables
  const symbols = [...new Set(tokens.list('all', '').map(({ symbol }) => symbol))]
  const names = chains.list('all', '').map(({ id }) => id)
  const toOptions = (values: readonly string[]) =>
    ['', ...values].map((it) => [it, it === '' ? 'as expected' : it] as const)
  const to = param(ctx, 'to')
  return (
    <FoldedForm
      ctx={ctx}
      operation="receiveDeposit"
      summary="Deposit…"
      submit="Deposit"
      isOpen={to !== undefined}
      fields={[
        { name: 'address', value: to },
        'amount',
        { name: 'crypto', label: 'Token', options: toOptions(symbols) },
        { name: 'chain', options: toOptions(names) },
      ]}
    />
  )
}

/** Opens the form for an address. */
const DepositLink = ({ ctx, address }: { ctx: PageContext; address: string }) => (
  <a href={addressWith(ctx, { to: address })}>Deposit…</a>
)

const nameOf = ({ tables }: PageContext, user_id: string | null): string | undefined => {
  const user = tables.users.get(user_id ?? '')
  return user && fullName(user)
}

function* newestFirst<R>(records: readonly R[]): Generator<R> {
  for (let i = records.length - 1; i >= 0; i--) yield records[i] as R
}

/** The user of the address, even if it expects another token. */
const findOwner = ({ tables }: PageContext, { address, user_id }: Deposit): string | null => {
  const key = addressKey(address)
  const { instructions, wallets } = tables
  const owner = instructions.first('address', key) ?? wallets.first('address', key)
  return user_id ?? owner?.user_id ?? null
}

export const depositTexts = (ctx: PageContext, it: Deposit) => [
  it.id,
  it.amount,
  it.crypto,
  it.chain,
  it.address,
  it.reason,
  nameOf(ctx, findOwner(ctx, it)),
]

const depositsPage = (ctx: PageContext): Page => {
  const { deposits } = ctx.tables
  return listPage<Deposit>(ctx, {
    ...common(ctx),
    noun: 'deposit',
    records: newestFirst(deposits.list('all', '')),
    total: deposits.size,
    filter: 'amount, token, name, address, reason',
    texts: (it) => depositTexts(ctx, it),
    columns: [
      {
        name: 'Amount',
        cell: (it) => <DepositAmount ctx={ctx} deposit={it} />,
      },
      { name: 'Matched', cell: (it) => <Status status={it.matched} /> },
      { name: 'Reason', kind: 'reason', cell: ({ reason }) => <bdi>{reason}</bdi> },
      {
        name: 'For',
        kind: 'minor',
        cell: (it) => {
          const owner = findOwner(ctx, it)
          return owner === null ? null : <UserLink ctx={ctx} id={owner} />
        },
      },
      { name: 'Chain', kind: 'minor', cell: ({ chain }) => <bdi>{chain}</bdi> },
      { name: 'Address', kind: 'minor', cell: ({ address }) => <Id id={address} /> },
      {
        name: 'Received',
        kind: 'minor number',
        cell: (it) => <Time ctx={ctx} at={it.created_at} />,
      },
    ],
    empty: { text: 'No deposit yet. Simulate one:', command: transferExample(ctx) },
  })
}

const DepositAmount = ({ ctx, deposit }: { ctx: PageContext; deposit: Deposit }) => {
  const amount = (
    <b>
      <Money amount={deposit.amount} asset={deposit.crypto} />
    </b>
  )
  return deposit.transfer_id === null ? (
    amount
  ) : (
    <a class="open-row" href={ctx.href(`/transfers/${deposit.transfer_id}`)}>
      {amount}
    </a>
  )
}

const addressesPage = (ctx: PageContext): Page => {
  const { instructions } = ctx.tables
  return listPage<DepositAddress>(ctx, {
    ...common(ctx),
    noun: 'address',
    records: newestFirst(instructions.list('all', '')),
    total: instructions.size,
    filter: 'address, name, token',
    texts: (it) => [it.id, it.address, it.crypto, it.chain, nameOf(ctx, it.user_id)],
    columns: [
      { name: 'Address', cell: ({ address }) => <Id id={address} /> },
      { name: 'Expects', cell: ({ crypto, chain }) => `${crypto} on ${chain}` },
      { name: 'For', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
      {
        name: 'Pays to',
        kind: 'minor',
        cell: ({ account_id }) => {
          const { nickname, currency } = getAccount(ctx.tables, account_id)
          return (
            <>
              <bdi>{nickname}</bdi>, {currency}
            </>
          )
        },
      },
      { name: 'Made', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
      { name: 'Try', cell: ({ address }) => <DepositLink ctx={ctx} address={address} /> },
    ],
    empty: { text: 'No deposit address yet. Create one:', command: offrampExample(ctx) },
  })
}

const walletsPage = (ctx: PageContext): Page => {
  const { wallets, balances } = ctx.tables
  return listPage<Wallet>(ctx, {
    ...common(ctx),
    noun: 'wallet',
    records: newestFirst(wallets.list('all', '')),
    total: wallets.size,
    filter: 'address, name, chain, reference',
    texts: (it) => [
      it.id,
      it.wallet_address,
      it.blockchain,
      it.customer_wallet_ref,
      nameOf(ctx, it.user_id),
    ],
    columns: [
      { name: 'Address', cell: ({ wallet_address }) => <Id id={wallet_address} /> },
      { name: 'Chain', cell: ({ blockchain }) => blockchain },
      {
        name: 'Holds',
        cell: ({ id }) =>
          [...balances.of(`wallet:${id}`)].map(([asset, { amount }]) => (
            <>
              <Money amount={amount.toFixed()} asset={asset} />{' '}
            </>
          )),
      },
      { name: 'For', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
      {
        name: 'Client’s reference',
        kind: 'minor',
        cell: ({ customer_wallet_ref }) => <Id id={customer_wallet_ref} />,
      },
      { name: 'Made', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
      { name: 'Try', cell: (it) => <DepositLink ctx={ctx} address={it.wallet_address} /> },
    ],
    empty: { text: 'No custody wallet yet. Create one:', command: walletExample(ctx) },
  })
}
