import { getAccount } from '../../domain/accounts.js'
import { addressKey } from '../../domain/addresses.js'
import type { Deposit, DepositAddress, Wallet } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { drawFolded } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import type { Column } from '../components/parts.js'
import { drawId, drawMoney, drawStatus, drawTime, drawUser } from '../components/text.js'
import { addressWith, enumParam, param } from '../filters.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import { type List, listPage } from './list-page.js'
import { drawOpen, nameOf, ownerColumn } from './lists.js'

/** Deposits, and the addresses that expect them. */
export const cryptoInPage: DrawPage = (ctx) => {
  const shown = enumParam(ctx, 'status', ['addresses', 'wallets'])
  if (shown === 'addresses') return addressesPage(ctx)
  return shown === 'wallets' ? walletsPage(ctx) : depositsPage(ctx)
}

type Shared = 'title' | 'sentence' | 'actions' | 'chips' | 'records' | 'total'

const cryptoPage = <R extends Row>(
  ctx: PageContext,
  table: Table<R, 'all'>,
  list: Omit<List<R>, Shared>,
): Page => {
  const { deposits, instructions, wallets } = ctx.tables
  const unmatched = deposits.count('matched', 'unmatched')
  const sentence =
    unmatched === 0
      ? 'Each deposit has found its address.'
      : `${unmatched} of ${deposits.size} deposits matched no address that expects their token.`
  return listPage(ctx, {
    ...list,
    title: 'Crypto in',
    sentence: [sentence],
    actions: drawDepositForm(ctx),
    chips: [
      { text: 'Deposits', count: deposits.size },
      { value: 'addresses', text: 'Offramp addresses', count: instructions.size },
      { value: 'wallets', text: 'Wallets', count: wallets.size },
    ],
    records: table.list('all', '').reverse(),
    total: table.size,
  })
}

const drawDepositForm = (ctx: PageContext): Html => {
  const { tokens, chains } = ctx.tables
  const symbols = new Set(tokens.list('all', '').map(({ symbol }) => symbol))
  const names = chains.list('all', '').map(({ id }) => id)
  const toOptions = (values: Iterable<string>) => [
    ['', 'as expected'] as const,
    ...[...values].map((it) => [it, it] as const),
  ]
  const to = param(ctx, 'to')
  return drawFolded(ctx, {
    operation: 'receiveDeposit',
    summary: 'Deposit…',
    submit: 'Deposit',
    isOpen: to !== undefined,
    fields: [
      { name: 'address', value: to },
      'amount',
      { name: 'crypto', label: 'Token', options: toOptions(symbols) },
      { name: 'chain', options: toOptions(names) },
    ],
  })
}

const timeColumn = (ctx: PageContext, name: string): Column<{ readonly created_at: string }> => ({
  name,
  kind: 'minor number',
  cell: (it) => drawTime(ctx, it.created_at),
})

/** Opens the form for an address. */
const drawDepositLink = (ctx: PageContext, address: string): Html =>
  html`<a href="${addressWith(ctx, { to: address })}">Deposit…</a>`

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

const depositsPage = (ctx: PageContext): Page =>
  cryptoPage<Deposit>(ctx, ctx.tables.deposits, {
    noun: 'deposit',
    filter: 'amount, token, name, address, reason',
    texts: (it) => depositTexts(ctx, it),
    columns: [
      {
        name: 'Amount',
        cell: ({ amount, crypto, transfer_id }) => {
          const money = drawMoney(amount, crypto)
          return transfer_id === null
            ? html`<b>${money}</b>`
            : drawOpen(ctx, `/transfers/${transfer_id}`, money)
        },
      },
      { name: 'Matched', cell: (it) => drawStatus(it.matched) },
      { name: 'Reason', kind: 'reason', cell: ({ reason }) => html`<bdi>${reason}</bdi>` },
      {
        name: 'For',
        kind: 'minor',
        cell: (it) => {
          const owner = findOwner(ctx, it)
          return owner && drawUser(ctx, owner)
        },
      },
      { name: 'Chain', kind: 'minor', cell: ({ chain }) => html`<bdi>${chain}</bdi>` },
      { name: 'Address', kind: 'minor', cell: ({ address }) => drawId(address) },
      timeColumn(ctx, 'Received'),
    ],
    empty: { text: 'No deposit yet. “Deposit…” simulates one.' },
  })

const addressesPage = (ctx: PageContext): Page =>
  cryptoPage<DepositAddress>(ctx, ctx.tables.instructions, {
    noun: 'address',
    filter: 'address, name, token',
    texts: (it) => [it.id, it.address, it.crypto, it.chain, nameOf(ctx, it.user_id)],
    columns: [
      { name: 'Address', cell: ({ address }) => drawId(address) },
      { name: 'Expects', cell: ({ crypto, chain }) => `${crypto} on ${chain}` },
      ownerColumn(ctx),
      {
        name: 'Pays to',
        kind: 'minor',
        cell: ({ account_id }) => {
          const { nickname, currency } = getAccount(ctx.tables, account_id)
          return html`<bdi>${nickname}</bdi>, ${currency}`
        },
      },
      timeColumn(ctx, 'Made'),
      { name: 'Try', cell: ({ address }) => drawDepositLink(ctx, address) },
    ],
    empty: {
      text: 'No deposit address yet. Your client makes one with POST /payment/api/v1/offramp.',
    },
  })

const walletsPage = (ctx: PageContext): Page =>
  cryptoPage<Wallet>(ctx, ctx.tables.wallets, {
    noun: 'wallet',
    filter: 'address, name, chain, reference',
    texts: (it) => [
      it.id,
      it.wallet_address,
      it.blockchain,
      it.customer_wallet_ref,
      nameOf(ctx, it.user_id),
    ],
    columns: [
      { name: 'Address', cell: ({ wallet_address }) => drawId(wallet_address) },
      { name: 'Chain', cell: ({ blockchain }) => blockchain },
      {
        name: 'Holds',
        cell: ({ id }) =>
          [...ctx.tables.balances.of(`wallet:${id}`)].map(
            ([asset, { amount }]) => html`${drawMoney(amount.toFixed(), asset)} `,
          ),
      },
      ownerColumn(ctx),
      {
        name: 'Client’s reference',
        kind: 'minor',
        cell: ({ customer_wallet_ref }) => drawId(customer_wallet_ref),
      },
      timeColumn(ctx, 'Made'),
      { name: 'Try', cell: ({ wallet_address }) => drawDepositLink(ctx, wallet_address) },
    ],
    empty: {
      text: 'No custody wallet yet. Your client makes one with POST /payment/api/v1/custody-wallet.',
    },
  })
