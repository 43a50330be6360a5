import { getAccount } from '../../domain/accounts.js'
import {
  PAYOUT_STATUSES,
  type Payout,
  TRANSFER_STATUSES,
  type Transfer,
  USER_STATUSES,
  type User,
} from '../../domain/schema.js'
import { byUser } from '../../domain/selection.js'
import { fullName } from '../../domain/users.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { compareByDue, type Timer } from '../../kernel/timers.js'
import { drawFolded } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import type { Column } from '../components/parts.js'
import { drawMoney, drawStatus, drawTime, drawUser } from '../components/text.js'
import { payoutExample } from '../examples.js'
import { enumParam, param } from '../filters.js'
import { statusWord } from '../format.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import { isDone, isFailed, movingSentence, planSentence } from '../sentences.js'
import { type List, listPage } from './list-page.js'

/** The first cell of a row, which opens its record. */
export const drawOpen = (ctx: PageContext, path: string, text: Html): Html =>
  html`<a class="open-row" href="${ctx.href(path)}"><b>${text}</b></a>`

export const ownerColumn = (ctx: PageContext): Column<{ readonly user_id: string }> => ({
  name: 'For',
  kind: 'minor',
  cell: ({ user_id }) => drawUser(ctx, user_id),
})

interface Changing extends Row {
  readonly status: string
  readonly updated_at: string
}

interface StatusList<R> extends Omit<List<R>, 'chips' | 'total'> {
  readonly records: R[]
  /** Statuses by the value of their chip. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** The statuses of records that must move on. */
  readonly underWay: readonly string[]
  readonly first: Column<R>
  readonly reasonOf: (record: R) => string | null | undefined
  /** Between the reason and the time of the last change. */
  readonly columns: readonly Column<R>[]
}

/** Records in order of creation are nearly sorted, so this is fast. */
const newestChangeFirst = (a: Changing, b: Changing): number =>
  a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : b.n - a.n

/** A list of records with a status, last change first. Chips without records are left out. */
const statusPage = <R extends Changing>(
  ctx: PageContext,
  table: Pick<Table<R, 'status'>, 'count' | 'get' | 'size'>,
  { groups, underWay, first, reasonOf, ...list }: StatusList<R>,
): Page => {
  const { now } = ctx.world
  const timers = nextTimers(ctx)
  const moving = [...timers.values()].filter(({ plan }) => table.get(plan.subject))
  const countOf = (statuses: readonly string[]): number =>
    statuses.reduce((sum, it) => sum + table.count('status', it), 0)
  const chips = Object.entries(groups).map(([value, statuses]) => ({
    value,
    text: statusWord(value),
    count: countOf(statuses),
  }))
  const status = enumParam(ctx, 'status', Object.entries(groups).flat(2))
  const chosen = status && (groups[status] ?? [status])
  const nextText = ({ id, status }: R): string =>
    planSentence(timers.get(id), now) ?? (underWay.includes(status) ? 'waits for you' : '')
  return listPage<R>(ctx, {
    ...(underWay.length > 0 && { sentence: movingSentence(countOf(underWay), moving, now) }),
    ...list,
    chips: [{ text: 'All', count: table.size }, ...chips.filter(({ count }) => count > 0)],
    records: list.records
      .filter((it) => !chosen || chosen.includes(it.status))
      .sort(newestChangeFirst),
    total: table.size,
    columns: [
      first,
      { name: 'Status', cell: (it) => drawStatus(it.status) },
      {
        name: 'Reason or next step',
        kind: 'reason',
        cell: (it) => html`<bdi>${reasonOf(it) ?? nextText(it)}</bdi>`,
      },
      ...list.columns,
      { name: 'Changed', kind: 'minor number', cell: (it) => drawTime(ctx, it.updated_at) },
    ],
  })
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
const ofUser = <R extends Row>(ctx: PageContext, table: Table<R, 'all' | 'user'>): R[] => {
  const { index, key } = byUser(param(ctx, 'user_id')?.toLowerCase())
  return table.list(index, key)
}

const groupEach = (statuses: readonly string[]) =>
  Object.fromEntries(statuses.map((it) => [it, [it]]))

/** The texts that the filters of the lists and the search look at. */
export const userTexts = (it: User) => [it.id, fullName(it), it.email_address, it.phone_number]

export const payoutTexts = (ctx: PageContext, it: Payout) => [
  it.id,
  it.customer_payout_id,
  it.amount,
  it.reference,
  it.reason,
  ...Object.values(it.account_details),
  nameOf(ctx, it.user_id),
]

export const transferTexts = (ctx: PageContext, it: Transfer) => [
  it.id,
  it.source_amount,
  it.destination_amount,
  it.bank_txn_reference,
  it.reason,
  ctx.tables.accounts.get(it.account_id)?.bank_name,
  nameOf(ctx, it.user_id),
]

export const nameOf = ({ tables }: PageContext, user_id: string | null): string | undefined => {
  const user = tables.users.get(user_id ?? '')
  return user && fullName(user)
}

export const usersPage: DrawPage = (ctx) => {
  const { users, balances } = ctx.tables
  return statusPage<User>(ctx, users, {
    title: 'Users',
    noun: 'user',
    records: users.list('all', ''),
    groups: groupEach(USER_STATUSES),
    underWay: [],
    filter: 'name, email, phone, id',
    texts: userTexts,
    first: { name: 'Name', cell: (it) => drawOpen(ctx, `/users/${it.id}`, fullName(it)) },
    reasonOf: (it) => it.rejection_reasons?.[0]?.reason ?? it.requirements?.join(', '),
    columns: [
      {
        name: 'Balances',
        kind: 'minor',
        cell: (it) => [...balances.of(`user:${it.id}`).keys()].join(', '),
      },
      { name: 'Email', kind: 'minor', cell: (it) => html`<bdi>${it.email_address}</bdi>` },
    ],
    empty: { text: 'No user yet. Your client makes one with POST /onboarding/api/v1/users.' },
  })
}

export const payoutsPage: DrawPage = (ctx) => {
  const { payouts } = ctx.tables
  const drawAmount = (it: Payout) => drawMoney(it.amount, it.currency)
  return statusPage<Payout>(ctx, payouts, {
    title: 'Payouts',
    noun: 'payout',
    records: ofUser(ctx, payouts),
    groups: groupEach(PAYOUT_STATUSES),
    underWay: ['PAYOUT_PENDING'],
    filter: 'amount, name, bank, reason, id',
    texts: (it) => payoutTexts(ctx, it),
    first: { name: 'Amount', cell: (it) => drawOpen(ctx, `/payouts/${it.id}`, drawAmount(it)) },
    reasonOf: ({ reason }) => reason,
    columns: [
      ownerColumn(ctx),
      { name: 'To', kind: 'minor', cell: (it) => html`<bdi>${it.account_details.bank_name}</bdi>` },
    ],
    empty: { text: 'No payout yet. Create one:', command: payoutExample(ctx) },
  })
}

const UNDER_WAY = TRANSFER_STATUSES.filter((it) => !isDone(it) && !isFailed(it))

export const transfersPage: DrawPage = (ctx) => {
  const { transfers } = ctx.tables
  const drawAmounts = (it: Transfer) => html`${drawMoney(it.source_amount, it.source_currency)}
    → ${drawMoney(it.destination_amount, it.target_currency)}`
  return statusPage<Transfer>(ctx, transfers, {
    title: 'Transfers',
    noun: 'transfer',
    actions: drawFolded(ctx, {
      operation: 'startTransfer',
      summary: 'Start a transfer…',
      submit: 'Start',
      fields: ['user_id', 'account_id', 'source_amount', 'source_currency'],
    }),
    records: ofUser(ctx, transfers),
    groups: { UNDER_WAY, ...groupEach(['PAYMENT_PROCESSED', 'FAILED', 'CANCELLED']) },
    underWay: UNDER_WAY,
    filter: 'amount, name, bank, reason, id',
    texts: (it) => transferTexts(ctx, it),
    first: { name: 'Amount', cell: (it) => drawOpen(ctx, `/transfers/${it.id}`, drawAmounts(it)) },
    reasonOf: ({ reason }) => reason,
    columns: [
      ownerColumn(ctx),
      {
        name: 'To',
        kind: 'minor',
        cell: (it) => html`<bdi>${getAccount(ctx.tables, it.account_id).bank_name}</bdi>`,
      },
    ],
    empty: {
      text: html`No transfer yet.
        <a href="${ctx.href('/crypto-in?do=receiveDeposit')}">A deposit</a> starts one.`,
    },
  })
}
