import { depositsSentence, RECORD_TEXTS, usersSentence } from '../../activity/record-sentences.js'
import { depositTexts, findOwner, nameOf, userTexts, walletTexts } from '../../activity/search.js'
import { getAccount } from '../../domain/accounts.js'
import {
  type Deposit,
  type DepositAddress,
  USER_STATUSES,
  type User,
  type Wallet,
} from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import { statusWord } from '../../history/format.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { type Html, html } from '../components/html.js'
import type { Column } from '../components/parts.js'
import { drawId, drawMoney, drawStatus } from '../components/text.js'
import { addressWith, enumParam } from '../filters.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import {
  drawOpen,
  type List,
  lastChangeFirst,
  listPage,
  ownerColumn,
  textColumn,
  timeColumn,
} from './list-page.js'
import { drawDepositForm } from './money-forms.js'

const balanceColumn = (ctx: PageContext, name: string, owner: 'user' | 'wallet'): Column<Row> =>
  textColumn(name, ({ id }) =>
    [...ctx.tables.balances.of(`${owner}:${id}`)].map(
      ([asset, { amount }]) => html`${drawMoney(amount.toFixed(), asset)} `,
    ),
  )

export const usersPage: DrawPage = (ctx) => {
  const show = enumParam(ctx, 'show', ['wallets', 'addresses', 'deposits'])
  return show === undefined ? drawUsers(ctx) : LISTS[show](ctx)
}

type Shared = 'title' | 'sentence' | 'actions' | 'chips' | 'records' | 'total'

const usersList = <R extends Row>(
  ctx: PageContext,
  table: Pick<Table<R, 'all'>, 'newestFirst' | 'size'>,
  { chips, ...list }: Omit<List<R>, Shared> & Partial<Pick<List<R>, 'chips' | 'records'>>,
): Page => {
  const { users, deposits, instructions, wallets } = ctx.tables
  return listPage(ctx, {
    records: table.newestFirst(),
    ...list,
    title: 'Users',
    sentence: [
      ...usersSentence(users.count('status', 'active'), users.size),
      ' ',
      ...depositsSentence(deposits.count('matched', 'unmatched'), deposits.size),
    ],
    actions: drawDepositForm(ctx),
    chips: {
      show: [
        { text: 'Users', count: users.size },
        { value: 'wallets', text: 'Wallets', count: wallets.size },
        { value: 'addresses', text: 'Deposit addresses', count: instructions.size },
        { value: 'deposits', text: 'Deposits', count: deposits.size },
      ],
      ...chips,
    },
    total: table.size,
  })
}

const drawUsers = (ctx: PageContext): Page => {
  const { users } = ctx.tables
  const status = enumParam(ctx, 'status', USER_STATUSES)
  const counts = USER_STATUSES.map((value) => ({
    value,
    text: statusWord(value),
    count: users.count('status', value),
  }))
  return usersList<User>(ctx, users, {
    noun: 'user',
    chips: { status: [{ text: 'Any status' }, ...counts.filter(({ count }) => count > 0)] },
    ...(status && { records: users.list('status', status) }),
    order: lastChangeFirst,
    filter: 'name, email, phone, id',
    texts: userTexts,
    columns: [
      { name: 'Name', cell: (it) => drawOpen(ctx, `/users/${it.id}`, fullName(it)) },
      { name: 'Status', cell: (it) => drawStatus(it.status) },
      textColumn(
        'Reason',
        (it) => it.rejection_reasons?.[0]?.reason ?? it.requirements?.join(', '),
        'reason',
      ),
      balanceColumn(ctx, 'Balances', 'user'),
      textColumn('Email', ({ email_address }) => email_address),
      timeColumn(ctx, 'Changed', (it) => it.updated_at),
    ],
    empty: RECORD_TEXTS.noUser,
  })
}

const tryColumn = <R>(ctx: PageContext, addressOf: (record: R) => string): Column<R> => ({
  name: 'Try',
  cell: (it) =>
    html`<a href="${addressWith(ctx, { do: 'receiveDeposit', to: addressOf(it) })}">Deposit…</a>`,
})

const LISTS = {
  deposits: (ctx: PageContext): Page =>
    usersList<Deposit>(ctx, ctx.tables.deposits, {
      noun: 'deposit',
      filter: 'amount, token, name, address, reason',
      texts: (it) => depositTexts(ctx.tables, it),
      columns: [
        { name: 'Amount', cell: (it) => drawDepositAmount(ctx, it) },
        { name: 'Matched', cell: ({ matched }) => drawStatus(matched) },
        textColumn('Reason', ({ reason }) => reason, 'reason'),
        ownerColumn(ctx, (it) => findOwner(ctx.tables, it)),
        textColumn('Chain', ({ chain }) => chain),
        { name: 'Address', kind: 'minor', cell: ({ address }) => drawId(address) },
        timeColumn(ctx, 'Received', (it) => it.created_at),
      ],
      empty: RECORD_TEXTS.noDeposit,
    }),
  addresses: (ctx: PageContext): Page =>
    usersList<DepositAddress>(ctx, ctx.tables.instructions, {
      noun: 'address',
      filter: 'address, name, token',
      texts: (it) => [it.id, it.address, it.crypto, it.chain, nameOf(ctx.tables, it.user_id)],
      columns: [
        { name: 'Address', cell: ({ address }) => drawId(address) },
        { name: 'Expects', cell: ({ crypto, chain }) => `${crypto} on ${chain}` },
        ownerColumn(ctx, ({ user_id }) => user_id),
        textColumn('Pays to', ({ account_id }) => {
          const { nickname, currency } = getAccount(ctx.tables, account_id)
          return `${nickname}, ${currency}`
        }),
        timeColumn(ctx, 'Made', (it) => it.created_at),
        tryColumn(ctx, ({ address }) => address),
      ],
      empty: RECORD_TEXTS.noAddress,
    }),
  wallets: (ctx: PageContext): Page =>
    usersList<Wallet>(ctx, ctx.tables.wallets, {
      noun: 'wallet',
      filter: 'address, name, chain, reference',
      texts: (it) => walletTexts(ctx.tables, it),
      columns: [
        { name: 'Address', cell: (it) => drawId(it.wallet_address) },
        { name: 'Chain', cell: ({ blockchain }) => blockchain },
        balanceColumn(ctx, 'Holds', 'wallet'),
        ownerColumn(ctx, ({ user_id }) => user_id),
        { name: 'Client’s reference', kind: 'minor', cell: (it) => drawId(it.customer_wallet_ref) },
        timeColumn(ctx, 'Made', (it) => it.created_at),
        tryColumn(ctx, (it) => it.wallet_address),
      ],
      empty: RECORD_TEXTS.noWallet,
    }),
}

const drawDepositAmount = (ctx: PageContext, { amount, crypto, transfer_id }: Deposit): Html => {
  const money = drawMoney(amount, crypto)
  if (transfer_id === null) return html`<b>${money}</b>`
  return drawOpen(ctx, `/transfers/${transfer_id}`, money)
}
