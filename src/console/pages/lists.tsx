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
import type { Chip } from '../components/chips.js'
import { Time } from '../components/links.js'
import { Money } from '../components/money.js'
import { Status } from '../components/status.js'
import type { Column } from '../components/table.js'
import { payoutExample, transferExample, userExample } from '../examples.js'
import { enumParam, param } from '../filters.js'
import { statusWord } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { isDone, isFailed, movingSentence, planSentence } from '../sentences.js'
import { listPage } from './list-page.js'

/** Last change first. Records in order of creation are nearly sorted, so this is fast. */
const sortByChange = <R extends Row & { readonly updated_at: string }>(records: R[]): R[] =>
  records
    .sort((a, b) =>
      a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.n - b.n,
    )
    .reverse()

/** The records of the chosen user, or all. */
const ofUser = <R extends Row & { readonly updated_at: string }>(
  ctx: PageContext,
  table: Table<R, 'all' | 'user'>,
): R[] => {
  const { index, key } = byUser(param(ctx, 'user_id')?.toLowerCase())
  return sortByChange(table.list(index, key))
}

/** The next timer of each record. Most have none. */
const nextTimers = ({ world }: PageContext): ReadonlyMap<string, Timer> => {
  const next = new Map<string, Timer>()
  for (const timer of world.tables.timers.all().sort(compareByDue)) {
    if (!next.has(timer.plan.subject)) next.set(timer.plan.subject, timer)
  }
  return next
}

const nameOfUser = ({ tables }: PageContext, id: string): string => {
  const user = tables.users.get(id)
  return user ? fullName(user) : id
}

const Reason = ({
  ctx,
  reason,
  timer,
}: {
  ctx: PageContext
  reason: string | null
  timer: Timer | undefined
}) => <bdi>{reason ?? planSentence(timer, ctx.world.now) ?? ''}</bdi>

const statusColumn: Column<{ readonly status: string }> = {
  name: 'Status',
  cell: ({ status }) => <Status status={status} />,
}

const ownerColumn = (ctx: PageContext): Column<{ readonly user_id: string }> => ({
  name: 'For',
  kind: 'minor',
  cell: ({ user_id }) => <bdi>{nameOfUser(ctx, user_id)}</bdi>,
})

const changedColumn = (ctx: PageContext): Column<{ readonly updated_at: string }> => ({
  name: 'Changed',
  kind: 'minor number',
  cell: ({ updated_at }) => <Time ctx={ctx} at={updated_at} />,
})

/** All, and each status that some record has. */
const statusChips = (
  table: {
    readonly size: number
    readonly count: (index: 'status', status: string) => number
  },
  statuses: readonly string[],
): Chip[] => {
  const chips = statuses.map((value) => ({
    value,
    text: statusWord(value),
    count: table.count('status', value),
  }))
  return [{ text: 'All', count: table.size }, ...chips.filter(({ count }) => count > 0)]
}

const isUnderWay = (status: string): boolean => !isDone(status) && !isFailed(status)

/** The texts that the filters of the lists and the search look at. */
export const userTexts = (it: User) => [it.id, fullName(it), it.email_address, it.phone_number]

export const payoutTexts = (ctx: PageContext, it: Payout) => [
  it.id,
  it.customer_payout_id,
  it.amount,
  it.reference,
  it.reason,
  it.account_details.bank_name,
  it.account_details.account_holder_name,
  it.account_details.recipient_account_number,
  nameOfUser(ctx, it.user_id),
]

export const transferTexts = (ctx: PageContext, it: Transfer) => [
  it.id,
  it.source_amount,
  it.destination_amount,
  it.bank_txn_reference,
  it.reason,
  ctx.tables.accounts.get(it.account_id)?.bank_name,
  nameOfUser(ctx, it.user_id),
]

export const usersPage: DrawPage = (ctx) => {
  const { users, balances } = ctx.tables
  const status = enumParam(ctx, 'status', USER_STATUSES)
  const timers = nextTimers(ctx)
  const records = sortByChange(users.list('all', ''))
  return listPage<User>(ctx, {
    title: 'Users',
    noun: 'user',
    chips: statusChips(users, USER_STATUSES),
    records: status ? records.filter((it) => it.status === status) : records,
    total: users.size,
    filter: 'name, email, phone, id',
    texts: userTexts,
    columns: [
      {
        name: 'Name',
        cell: (it) => (
          <a class="open-row" href={ctx.href(`/users/${it.id}`)}>
            <b>
              <bdi>{fullName(it)}</bdi>
            </b>
          </a>
        ),
      },
      statusColumn,
      {
        name: 'Reason or next step',
        kind: 'reason',
        cell: (it) => (
          <Reason
            ctx={ctx}
            reason={it.rejection_reasons?.[0]?.reason ?? it.requirements?.join(', ') ?? null}
            timer={timers.get(it.id)}
          />
        ),
      },
      {
        name: 'Balances',
        kind: 'minor',
        cell: (it) => [...balances.of(`user:${it.id}`).keys()].join(', '),
      },
      { name: 'Email', kind: 'minor', cell: (it) => <bdi>{it.email_address}</bdi> },
      changedColumn(ctx),
    ],
    empty: { text: 'No user yet. Create one:', command: userExample(ctx) },
  })
}

export const payoutsPage: DrawPage = (ctx) => {
  const { payouts } = ctx.tables
  const status = enumParam(ctx, 'status', PAYOUT_STATUSES)
  const timers = nextTimers(ctx)
  const records = ofUser(ctx, payouts)
  const moving = [...timers.values()].filter(({ plan }) => payouts.get(plan.subject))
  return listPage<Payout>(ctx, {
    title: 'Payouts',
    noun: 'payout',
    sentence: movingSentence(payouts.count('status', 'PAYOUT_PENDING'), moving, ctx.world.now),
    chips: statusChips(payouts, PAYOUT_STATUSES),
    records: status ? records.filter((it) => it.status === status) : records,
    total: payouts.size,
    filter: 'amount, name, bank, reason, id',
    texts: (it) => payoutTexts(ctx, it),
    columns: [
      {
        name: 'Amount',
        cell: (it) => (
          <a class="open-row" href={ctx.href(`/payouts/${it.id}`)}>
            <b>
              <Money amount={it.amount} asset={it.currency} />
            </b>
          </a>
        ),
      },
      statusColumn,
      {
        name: 'Reason or next step',
        kind: 'reason',
        cell: (it) => <Reason ctx={ctx} reason={it.reason} timer={timers.get(it.id)} />,
      },
      ownerColumn(ctx),
      { name: 'To', kind: 'minor', cell: (it) => <bdi>{it.account_details.bank_name}</bdi> },
      changedColumn(ctx),
    ],
    empty: { text: 'No payout yet. Create one:', command: payoutExample(ctx) },
  })
}

export const transfersPage: DrawPage = (ctx) => {
  const { transfers } = ctx.tables
  const chips = ['UNDER_WAY', 'PAYMENT_PROCESSED', 'FAILED', 'CANCELLED'] as const
  const status = enumParam(ctx, 'status', [...chips, ...TRANSFER_STATUSES])
  const timers = nextTimers(ctx)
  const records = ofUser(ctx, transfers)
  const fits = (it: Transfer) =>
    status === 'UNDER_WAY' ? isUnderWay(it.status) : it.status === status
  const moving = [...timers.values()].filter(({ plan }) => transfers.get(plan.subject))
  const underWay = TRANSFER_STATUSES.filter(isUnderWay)
    .map((it) => transfers.count('status', it))
    .reduce((sum, it) => sum + it, 0)
  return listPage<Transfer>(ctx, {
    title: 'Transfers',
    noun: 'transfer',
    sentence: movingSentence(underWay, moving, ctx.world.now),
    chips: [
      { text: 'All', count: transfers.size },
      ...chips.map((it) => ({
        value: it,
        text: statusWord(it),
        count: it === 'UNDER_WAY' ? underWay : transfers.count('status', it),
      })),
    ],
    records: status ? records.filter(fits) : records,
    total: transfers.size,
    filter: 'amount, name, bank, reason, id',
    texts: (it) => transferTexts(ctx, it),
    columns: [
      {
        name: 'Amount',
        cell: (it) => (
          <a class="open-row" href={ctx.href(`/transfers/${it.id}`)}>
            <b>
              <Money amount={it.source_amount} asset={it.source_currency} />
            </b>{' '}
            → <Money amount={it.destination_amount} asset={it.target_currency} />
          </a>
        ),
      },
      statusColumn,
      {
        name: 'Reason or next step',
        kind: 'reason',
        cell: (it) =>
          isUnderWay(it.status) && !timers.has(it.id) ? (
            <span class="note">waits for you</span>
          ) : (
            <Reason ctx={ctx} reason={it.reason} timer={timers.get(it.id)} />
          ),
      },
      ownerColumn(ctx),
      {
        name: 'To',
        kind: 'minor',
        cell: (it) => <bdi>{getAccount(ctx.tables, it.account_id).bank_name}</bdi>,
      },
      changedColumn(ctx),
    ],
    empty: {
      text: 'No transfer yet. A deposit at the deposit address of an offramp starts one:',
      command: transferExample(ctx),
    },
  })
}
