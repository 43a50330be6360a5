import { capitalize, statusWord } from '../../activity/format.js'
import { payoutTexts, transferTexts } from '../../activity/search.js'
import { readSecondPayments } from '../../activity/second-payments.js'
import {
  isDone,
  isFailed,
  movingSentence,
  planSentence,
  RECORD_TEXTS,
  UNDER_WAY,
} from '../../activity/sentences.js'
import { getAccount } from '../../domain/accounts.js'
import {
  PAYOUT_STATUSES,
  type Payout,
  TRANSFER_STATUSES,
  type Transfer,
} from '../../domain/schema.js'
import { compareByDue, type Timer } from '../../kernel/timer-records.js'
import { html } from '../components/html.js'
import { drawConversion, drawMoney, drawStatus } from '../components/text.js'
import { payoutExample } from '../curl.js'
import { enumParam, param } from '../filters.js'
import type { DrawPage, PageContext } from '../page-context.js'
import {
  drawOpen,
  lastChangeFirst,
  listPage,
  ownerColumn,
  textColumn,
  timeColumn,
} from './list-page.js'
import { drawDepositForm, drawPayoutForm } from './money-forms.js'

type Payment = Payout | Transfer

const isPayout = (it: Payment): it is Payout => 'rail_fee' in it

const KINDS = ['payouts', 'transfers'] as const

const STATUSES: readonly string[] = [...new Set([...PAYOUT_STATUSES, ...TRANSFER_STATUSES])]

/** The statuses of each chip. Two of them choose among their records once more. */
const CHIPS: Readonly<Record<string, readonly string[]>> = {
  under_way: UNDER_WAY,
  waiting: UNDER_WAY,
  processed: STATUSES.filter(isDone),
  failed: STATUSES.filter((it) => it.endsWith('FAILED')),
  cancelled: STATUSES.filter((it) => isFailed(it) && !it.endsWith('FAILED')),
  paid_twice: STATUSES,
}

const CHIP_TEXTS: Readonly<Record<string, string>> = { waiting: 'Waiting for you' }

/** Payouts and transfers, last change first. Chips without records are left out. */
export const paymentsPage: DrawPage = (ctx) => {
  const { tables } = ctx
  const { now } = ctx.world
  const kind = enumParam(ctx, 'kind', KINDS)
  const status = enumParam(ctx, 'status', [...Object.keys(CHIPS), ...STATUSES])
  const kinds = KINDS.filter((it) => kind === undefined || it === kind)
  const timers = nextTimers(ctx)
  const planOf = ({ id, status }: Payment) => planSentence(timers.get(id), now, status)
  const planned = [...timers].flatMap(([id, timer]) => {
    const payment = kinds.map((it) => tables[it].get(id)).find((it) => it !== undefined)
    return payment && planOf(payment)
      ? [{ timer, isMoving: UNDER_WAY.includes(payment.status) }]
      : []
  })
  const timersOf = (moving: boolean): Timer[] =>
    planned.filter(({ isMoving }) => isMoving === moving).map(({ timer }) => timer)
  const count = (statuses: readonly string[]): number =>
    statuses
      .flatMap((status) => kinds.map((it) => tables[it].count('status', status)))
      .reduce((a, b) => a + b, 0)
  const moving = timersOf(true)
  const waiting = count(UNDER_WAY) - moving.length
  const twice = new Set(readSecondPayments(ctx).flatMap(({ of, payout }) => [of.id, payout.id]))
  const countOf = (chip: string): number => {
    if (chip === 'waiting') return waiting
    return chip !== 'paid_twice'
      ? count(CHIPS[chip] ?? [chip])
      : kind === 'transfers'
        ? 0
        : twice.size
  }
  const fits = (it: Payment): boolean => {
    if (status === 'paid_twice') return twice.has(it.id)
    return status !== 'waiting' || planOf(it) === undefined
  }
  const total = count(STATUSES)
  const names = new Set([...Object.keys(CHIPS).filter(countOf), ...(status ? [status] : [])])
  return listPage<Payment>(ctx, {
    title: 'Payments',
    noun: 'payment',
    sentence: movingSentence(moving, waiting, timersOf(false), now),
    actions: [drawPayoutForm(ctx), drawDepositForm(ctx)],
    chips: {
      kind: [
        { text: 'All', count: tables.payouts.size + tables.transfers.size },
        ...KINDS.map((value) => ({ value, text: capitalize(value), count: tables[value].size })),
      ],
      status: [
        { text: 'Any status' },
        ...[...names].map((value) => ({
          value,
          text: CHIP_TEXTS[value] ?? statusWord(value),
          count: countOf(value),
        })),
      ],
    },
    records: paymentsIn(
      ctx,
      kinds,
      status === undefined ? undefined : (CHIPS[status] ?? [status]),
      fits,
    ),
    order: lastChangeFirst,
    total,
    filter: 'amount, name, bank, reason, id',
    texts: (it) => (isPayout(it) ? payoutTexts(tables, it) : transferTexts(tables, it)),
    columns: [
      {
        name: 'Amount',
        cell: (it) =>
          isPayout(it)
            ? drawOpen(ctx, `/payouts/${it.id}`, drawMoney(it.amount, it.currency))
            : drawOpen(ctx, `/transfers/${it.id}`, drawConversion(it)),
      },
      {
        name: 'Status',
        cell: (it) =>
          html`${drawStatus(it.status)} ${twice.has(it.id) && html`<span class="chip bad">Paid twice</span>`}`,
      },
      textColumn(
        'Reason or next step',
        (it) => it.reason ?? planOf(it) ?? (UNDER_WAY.includes(it.status) && 'waits for you'),
        'reason',
      ),
      ownerColumn(ctx, ({ user_id }) => user_id),
      textColumn(
        'To',
        (it) =>
          isPayout(it) ? it.account_details.bank_name : getAccount(tables, it.account_id).bank_name,
        'who',
      ),
      timeColumn(ctx, 'Changed', (it) => it.updated_at),
    ],
    empty: RECORD_TEXTS.noPayment,
    command: payoutExample(ctx),
  })
}

function* paymentsIn(
  ctx: PageContext,
  kinds: (typeof KINDS)[number][],
  statuses: readonly string[] | undefined,
  fits: (payment: Payment) => boolean,
): Generator<Payment> {
  const user_id = param(ctx, 'user_id')?.toLowerCase()
  for (const kind of kinds) {
    const table = ctx.tables[kind]
    const found: Iterable<Payment> =
      user_id !== undefined
        ? table.list('user', user_id)
        : statuses === undefined || statuses === STATUSES
          ? table.newestFirst()
          : statuses.flatMap<Payment>((it) => table.list('status', it))
    for (const it of found) if ((statuses?.includes(it.status) ?? true) && fits(it)) yield it
  }
}

/** The next timer of each record, in the order in which they are due. */
const nextTimers = ({ tables }: PageContext): ReadonlyMap<string, Timer> => {
  const next = new Map<string, Timer>()
  for (const timer of [...tables.timers.values()].sort(compareByDue)) {
    if (!next.has(timer.plan.subject)) next.set(timer.plan.subject, timer)
  }
  return next
}
