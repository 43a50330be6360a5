import { statusWord } from '../../activity/format.js'
import {
  depositTexts,
  findOwner,
  nameOf,
  payoutTexts,
  transferTexts,
  userTexts,
} from '../../activity/search.js'
import { readSecondPayments } from '../../activity/second-payments.js'
import {
  depositsSentence,
  movingSentence,
  planSentence,
  RECORD_TEXTS,
  UNDER_WAY,
  usersSentence,
} from '../../activity/sentences.js'
import { getAccount } from '../../domain/accounts.js'
import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import type { Account, ApiKey, Deposit, Payout, Transfer, User } from '../../domain/schema.js'
import * as schema from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { type Instant, toIso } from '../../kernel/time.js'
import { compareByDue, type Timer } from '../../kernel/timer-records.js'
import { hashSecret } from '../../lib/secrets.js'
import { drawFolded, type Field, offer } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import type { Column } from '../components/parts.js'
import {
  drawConversion,
  drawId,
  drawMoney,
  drawStatus,
  drawTime,
  drawUser,
} from '../components/text.js'
import { payoutExample } from '../curl.js'
import { addressWith, enumParam, param } from '../filters.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import { type List, listPage } from './list-page.js'

const textColumn = <R>(
  name: string,
  textOf: (record: R) => Html,
  kind: Column<R>['kind'] = 'minor',
): Column<R> => ({ name, kind, cell: (it) => html`<bdi>${textOf(it)}</bdi>` })

const ownerColumn = <R>(ctx: PageContext, idOf: (record: R) => string | null): Column<R> =>
  textColumn('For', (it) => drawUser(ctx, idOf(it) ?? ''))

const timeColumn = <R>(
  ctx: PageContext,
  name: string,
  timeOf: (record: R) => string,
): Column<R> => ({ name, kind: 'minor number', cell: (it) => drawTime(ctx, timeOf(it)) })

const balanceColumn = (ctx: PageContext, name: string, owner: 'user' | 'wallet'): Column<Row> =>
  textColumn(name, ({ id }) =>
    [...ctx.tables.balances.of(`${owner}:${id}`)].map(
      ([asset, { amount }]) => html`${drawMoney(amount.toFixed(), asset)} `,
    ),
  )

/** The first cell of a row, which opens its record. */
const drawOpen = (ctx: PageContext, path: string, text: Html): Html =>
  html`<a class="open-row" href="${ctx.href(path)}"><b>${text}</b></a>`

const statusesOf = (chip: string) => (chip === 'UNDER_WAY' ? UNDER_WAY : [chip])

interface Changing extends Row {
  readonly status: string
  readonly updated_at: string
}

interface StatusList<R> extends Omit<List<R>, 'chips' | 'total'> {
  readonly statuses: readonly string[]
  readonly first: readonly [name: string, textOf: (record: R) => Html]
  readonly reasonOf: (record: R) => string | null | undefined
  /** Between the reason and the time of the last change. */
  readonly columns: readonly Column<R>[]
  /** A chip for records of any status. */
  readonly marked?: { readonly text: string; readonly ids: ReadonlySet<string> }
}

const MARKED = 'marked'

const newestChangeFirst = (a: Changing, b: Changing): number =>
  a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : b.n - a.n

/** A list of records with a status, last change first. Chips without records are left out. */
const statusPage = <R extends Changing>(
  ctx: PageContext,
  table: Pick<Table<R, 'status'>, 'count' | 'get' | 'size'>,
  { statuses, first: [name, textOf], reasonOf, marked, ...list }: StatusList<R>,
): Page => {
  const { now } = ctx.world
  const timers = nextTimers(ctx)
  const planned = [...timers.values()].filter(({ plan }) => table.get(plan.subject))
  const isUnderWay = ({ plan }: Timer) => UNDER_WAY.includes(table.get(plan.subject)?.status ?? '')
  const moving = planned.filter(isUnderWay)
  const returning = planned.filter((it) => !isUnderWay(it))
  const countOf = (chip: string): number =>
    statusesOf(chip).reduce((sum, it) => sum + table.count('status', it), 0)
  const chips = statuses.map((it) => ({ value: it, text: statusWord(it), count: countOf(it) }))
  if (marked) chips.push({ value: MARKED, text: marked.text, count: marked.ids.size })
  const accepted = [MARKED, ...statuses.flatMap((it) => [it, ...statusesOf(it)])]
  const chosen = enumParam(ctx, 'status', accepted)
  const shown = chosen && statusesOf(chosen)
  const fits = (it: R) => (chosen === MARKED ? marked?.ids.has(it.id) : shown?.includes(it.status))
  const nextText = ({ id, status }: R): string =>
    planSentence(timers.get(id), now, status) || (UNDER_WAY.includes(status) ? 'waits for you' : '')
  const drawFirst = (it: R) => drawOpen(ctx, `${ctx.path}/${it.id}`, textOf(it))
  return listPage<R>(ctx, {
    sentence: movingSentence(moving, countOf('UNDER_WAY') - moving.length, returning, now),
    ...list,
    chips: [{ text: 'All', count: table.size }, ...chips.filter(({ count }) => count > 0)],
    records: shown ? only(list.records, fits) : list.records,
    order: newestChangeFirst,
    total: table.size,
    columns: [
      { name, cell: drawFirst },
      {
        name: 'Status',
        cell: (it) =>
          html`${drawStatus(it.status)} ${marked?.ids.has(it.id) && html`<span class="chip bad">${marked.text}</span>`}`,
      },
      textColumn('Reason or next step', (it) => reasonOf(it) ?? nextText(it), 'reason'),
      ...list.columns,
      timeColumn(ctx, 'Changed', (it) => it.updated_at),
    ],
  })
}

function* only<R>(records: Iterable<R>, fits: (record: R) => boolean | undefined) {
  for (const record of records) if (fits(record)) yield record
}

/** The next timer of each record, in the order in which they are due. */
const nextTimers = ({ tables }: PageContext): ReadonlyMap<string, Timer> => {
  const next = new Map<string, Timer>()
  for (const timer of [...tables.timers.values()].sort(compareByDue)) {
    if (!next.has(timer.plan.subject)) next.set(timer.plan.subject, timer)
  }
  return next
}

/** The records of the chosen user, or all. */
const ofUser = <R extends Row>(ctx: PageContext, table: Table<R, 'user'>): Iterable<R> => {
  const user_id = param(ctx, 'user_id')?.toLowerCase()
  return user_id === undefined ? table.newestFirst() : table.list('user', user_id).reverse()
}

/** The texts that the filters of the lists and the search look at. */
export const usersPage: DrawPage = (ctx) => {
  const { users } = ctx.tables
  return statusPage<User>(ctx, users, {
    title: 'Users',
    noun: 'user',
    sentence: usersSentence(users.count('status', 'active'), users.size),
    records: users.newestFirst(),
    statuses: schema.USER_STATUSES,
    filter: 'name, email, phone, id',
    texts: userTexts,
    first: ['Name', fullName],
    reasonOf: (it) => it.rejection_reasons?.[0]?.reason ?? it.requirements?.join(', '),
    columns: [
      balanceColumn(ctx, 'Balances', 'user'),
      textColumn('Email', ({ email_address }) => email_address),
    ],
    empty: RECORD_TEXTS.noUser,
  })
}

export const payoutsPage: DrawPage = (ctx) =>
  statusPage<Payout>(ctx, ctx.tables.payouts, {
    title: 'Payouts',
    noun: 'payout',
    records: ofUser(ctx, ctx.tables.payouts),
    statuses: schema.PAYOUT_STATUSES,
    filter: 'amount, name, bank, reason, id',
    texts: (it) => payoutTexts(ctx.tables, it),
    first: ['Amount', ({ amount, currency }) => drawMoney(amount, currency)],
    marked: {
      text: 'Paid twice',
      ids: new Set(readSecondPayments(ctx).flatMap(({ of, payout }) => [of.id, payout.id])),
    },
    reasonOf: ({ reason }) => reason,
    columns: [
      ownerColumn(ctx, ({ user_id }) => user_id),
      textColumn('To', ({ account_details }) => account_details.bank_name),
    ],
    empty: RECORD_TEXTS.noPayout,
    command: payoutExample(ctx),
  })

export const transfersPage: DrawPage = (ctx) =>
  statusPage<Transfer>(ctx, ctx.tables.transfers, {
    title: 'Transfers',
    noun: 'transfer',
    actions: drawFolded(ctx, {
      operation: 'startTransfer',
      summary: 'Start a transfer',
      fields: [
        { name: 'user_id', label: 'User', suggestions: offer(ctx.tables.users, fullName) },
        { name: 'account_id', label: 'To', suggestions: offer(ctx.tables.accounts, accountText) },
        { name: 'source_amount', label: 'Amount' },
        { name: 'source_currency', label: 'Currency', value: 'USD' },
      ],
    }),
    records: ofUser(ctx, ctx.tables.transfers),
    statuses: ['UNDER_WAY', 'PAYMENT_PROCESSED', 'FAILED', 'CANCELLED'],
    filter: 'amount, name, bank, reason, id',
    texts: (it) => transferTexts(ctx.tables, it),
    first: ['Amount', drawConversion],
    reasonOf: ({ reason }) => reason,
    columns: [
      ownerColumn(ctx, ({ user_id }) => user_id),
      textColumn('To', ({ account_id }) => getAccount(ctx.tables, account_id).bank_name),
    ],
    empty: RECORD_TEXTS.noTransfer,
  })

const accountText = (it: Account): string =>
  `${it.account_holder_name}: ${it.nickname}, ${it.currency}`

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
  return listPage(ctx, {
    ...list,
    title: 'Crypto in',
    sentence: depositsSentence(deposits.count('matched', 'unmatched'), deposits.size),
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
  const { tokens, chains, instructions } = ctx.tables
  const suggestions = offer(
    instructions,
    (it) => `${nameOf(ctx.tables, it.user_id)}: ${it.crypto} on ${it.chain}`,
    ({ address }) => address,
  )
  const toOptions = (values: readonly string[]) =>
    ['', ...new Set(values)].map((it) => [it, it || 'as expected'] as const)
  const symbols = toOptions(tokens.list('all', '').map(({ symbol }) => symbol))
  const names = toOptions(chains.list('all', '').map(({ id }) => id))
  return drawFolded(ctx, {
    operation: 'receiveDeposit',
    summary: 'Deposit',
    fields: [
      { name: 'address', value: param(ctx, 'to'), suggestions },
      'amount',
      { name: 'crypto', label: 'Token', options: symbols },
      { name: 'chain', options: names },
    ],
  })
}

/** Opens the form for an address. */
const drawDepositLink = (ctx: PageContext, address: string): Html =>
  html`<a href="${addressWith(ctx, { do: 'receiveDeposit', to: address })}">Deposit…</a>`

const depositsPage = (ctx: PageContext): Page =>
  cryptoPage<Deposit>(ctx, ctx.tables.deposits, {
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
  })

const drawDepositAmount = (ctx: PageContext, { amount, crypto, transfer_id }: Deposit): Html => {
  const money = drawMoney(amount, crypto)
  if (transfer_id === null) return html`<b>${money}</b>`
  return drawOpen(ctx, `/transfers/${transfer_id}`, money)
}

const addressesPage = (ctx: PageContext): Page =>
  cryptoPage<schema.DepositAddress>(ctx, ctx.tables.instructions, {
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
      { name: 'Try', cell: ({ address }) => drawDepositLink(ctx, address) },
    ],
    empty: RECORD_TEXTS.noAddress,
  })

const walletsPage = (ctx: PageContext): Page =>
  cryptoPage<schema.Wallet>(ctx, ctx.tables.wallets, {
    noun: 'wallet',
    filter: 'address, name, chain, reference',
    texts: ({ id, wallet_address, blockchain, customer_wallet_ref, user_id }) => [
      ...[id, wallet_address, blockchain, customer_wallet_ref],
      nameOf(ctx.tables, user_id),
    ],
    columns: [
      { name: 'Address', cell: (it) => drawId(it.wallet_address) },
      { name: 'Chain', cell: ({ blockchain }) => blockchain },
      balanceColumn(ctx, 'Holds', 'wallet'),
      ownerColumn(ctx, ({ user_id }) => user_id),
      { name: 'Client’s reference', kind: 'minor', cell: (it) => drawId(it.customer_wallet_ref) },
      timeColumn(ctx, 'Made', (it) => it.created_at),
      { name: 'Try', cell: (it) => drawDepositLink(ctx, it.wallet_address) },
    ],
    empty: RECORD_TEXTS.noWallet,
  })

/** The keys of the shipped fixtures, by hash. They are public, so the page shows them in full. */
const PUBLIC_KEYS: ReadonlyMap<string, string> = new Map(
  [
    'SandrampFullAccessKey00000000001',
    'SandrampReadOnlyKey0000000000001',
    'SandrampExpiredKey00000000000001',
    'SandrampSuspendedKey000000000001',
    'SandrampDeactivatedKey0000000001',
  ].map((it) => [hashSecret(it), it]),
)

export const apiKeysPage: DrawPage = (ctx) => {
  const { api_keys } = ctx.tables
  const { now } = ctx.world
  return listPage<ApiKey>(ctx, {
    title: 'API keys',
    noun: 'key',
    sentence: RECORD_TEXTS.keys,
    actions: drawFolded(ctx, {
      operation: 'createApiKey',
      summary: 'Create a key',
      fields: ['name', 'permissions', expiryField(now, ['', 'never'])],
    }),
    chips: [],
    records: api_keys.list('all', ''),
    total: api_keys.size,
    filter: 'name, last four characters',
    texts: ({ name, last_four, id }) => [name, last_four, id],
    columns: [
      { name: 'Name', cell: ({ name }) => html`<b><bdi>${name}</bdi></b>` },
      { name: 'Status', cell: (it) => drawStatus(statusAt(it, now)) },
      { name: 'Key', kind: 'reason', cell: drawSecret },
      textColumn('May', (it) => (it.permissions === 'full' ? 'read and write' : 'read')),
      textColumn('Expires', ({ expires_at }) => (expires_at ? drawTime(ctx, expires_at) : 'never')),
      { name: 'Change', cell: (it) => drawChange(ctx, it) },
    ],
    empty: RECORD_TEXTS.noKey,
  })
}

const statusAt = (key: ApiKey, now: Instant): string =>
  key.status === 'active' && isExpired(key, now) ? 'expired' : key.status

const drawSecret = ({ hash, last_four }: ApiKey): Html => {
  const secret = PUBLIC_KEYS.get(hash)
  if (!secret) return html`<code>…${last_four}</code>`
  return html`<code data-copy="${secret}">${secret}</code>`
}

const DAY_MS = 86_400_000

const expiryField = (now: Instant, ...first: readonly (readonly [string, string])[]): Field => ({
  name: 'expires_at',
  label: 'Expires',
  options: [...first, [toIso(now + DAY_MS), 'in a day'], [toIso(now + 30 * DAY_MS), 'in 30 days']],
})

const drawChange = (ctx: PageContext, { id, status }: ApiKey): Html => {
  const moves = KEY_TRANSITIONS[status]
  if (moves.length === 0) return html`<span class="note">final</span>`
  const { now } = ctx.world
  const kept = ['', 'as it is'] as const
  return drawFolded(ctx, {
    operation: 'setApiKey',
    given: { id },
    summary: 'Change',
    fields: [
      { name: 'status', options: [kept, ...moves] },
      expiryField(now, kept, ['null', 'never'], [toIso(now), 'now']),
    ],
    note: RECORD_TEXTS.deactivated,
  })
}
