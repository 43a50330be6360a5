import { toPayoutResponse } from '../../contract/payout.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import { PAYOUT_STATUSES, type Payout } from '../../domain/schema.js'
import { byUserAndStatus } from '../../domain/selection.js'
import { type Action, formAction } from '../actions.js'
import { StatusBadge } from '../components/badge.js'
import { StatusLinks, TextFilter, UserFilter, userParam } from '../components/filters.js'
import { Id, PayoutLink, UserLink } from '../components/id.js'
import { Money, Recipient } from '../components/money.js'
import { DescriptionList } from '../components/panel.js'
import { type Column, DataTable } from '../components/table.js'
import { Time } from '../components/time.js'
import { payoutExample } from '../examples.js'
import { listPage } from '../list-page.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import { type DrawPage, type Page, type PageContext, readingsOf } from '../page-context.js'
import { recordPage } from './record-page.js'

const searchTexts = (it: Payout) => [
  it.id,
  it.customer_payout_id,
  it.amount,
  it.reference,
  it.reason,
  it.account_details.account_holder_name,
  it.account_details.recipient_account_number,
]

const columns = (ctx: PageContext): Column<Payout>[] => [
  { name: 'Payout', cell: ({ id }) => <PayoutLink ctx={ctx} id={id} /> },
  { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: 'Amount',
    kind: 'number',
    cell: (it) => <Money amount={it.amount} asset={it.currency} />,
  },
  {
    name: 'Fee',
    kind: 'number minor',
    cell: (it) => <Money amount={it.rail_fee} asset={it.currency} />,
  },
  { name: 'User', kind: 'minor', cell: ({ user_id }) => <UserLink ctx={ctx} id={user_id} /> },
  {
    name: 'To',
    kind: 'minor',
    cell: ({ account_details }) => (
      <span class="name" dir="auto">
        {account_details.bank_name}
      </span>
    ),
  },
  { name: 'Created', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
]

export const payoutsPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', PAYOUT_STATUSES)
  const { payouts } = ctx.tables
  const selection = byUserAndStatus<Payout>({ status, user_id: userParam(ctx) })
  return listPage(ctx, {
    title: 'Payouts',
    filters: <TextFilter ctx={ctx} label="Amount, id, reference or recipient" />,
    tabs: (
      <>
        <StatusLinks
          ctx={ctx}
          statuses={PAYOUT_STATUSES}
          count={(it) => payouts.count('status', it)}
        />
        <UserFilter ctx={ctx} path="/payouts" />
      </>
    ),
    rows: pageOf(ctx, payouts, textFilter(ctx, selection, searchTexts)),
    noun: 'payout',
    columns: columns(ctx),
    empty: { text: 'No payout yet. Create one:', command: payoutExample(ctx) },
  })
}

export const PayoutTable = ({ ctx, rows }: { ctx: PageContext; rows: readonly Payout[] }) => (
  <DataTable label="Payouts" columns={columns(ctx)} rows={rows} />
)

const HAPPY_PATH = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED']

export const payoutPage: DrawPage = (ctx, { id = '' }) => {
  const payout = getPayout(ctx.tables, id.toLowerCase())
  const { status, created_at, updated_at, processed_at } = payout
  const ended = status === 'PAYOUT_PENDING' ? {} : { [status]: updated_at }
  const processed = processed_at ? { PAYOUT_PROCESSED: processed_at } : {}
  return recordPage(ctx, {
    noun: 'payout',
    record: payout,
    happyPath: HAPPY_PATH,
    reached: { PAYOUT_PENDING: created_at, ...processed, ...ended },
    moves: PAYOUT_TRANSITIONS[status],
    next: status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined,
    sides: <Sides ctx={ctx} payout={payout} />,
    answer: toPayoutResponse(payout, readingsOf(ctx)),
  })
}

const Sides = ({ ctx, payout }: { ctx: PageContext; payout: Payout }) => {
  const { account_details: to } = payout
  return (
    <DescriptionList
      facts={[
        ['User', <UserLink ctx={ctx} id={payout.user_id} />],
        ['Amount', <Money amount={payout.amount} asset={payout.currency} />],
        ['Fee', <Money amount={payout.rail_fee} asset={payout.currency} />],
        [
          'To',
          <Recipient
            holder={to.account_holder_name}
            number={to.recipient_account_number}
            bank={to.bank_name}
            rail={payout.rail}
          />,
        ],
        [
          'Reference',
          payout.reference ?? (payout.status === 'PAYOUT_FAILED' ? 'never' : 'none yet'),
        ],
        ['customer_payout_id', <Id id={payout.customer_payout_id} />],
        ['Created', <Time ctx={ctx} at={payout.created_at} whole />],
      ]}
    />
  )
}

const move = formAction({
  path: '/console/payouts/:id/move',
  operation: 'advancePayout',
  conclude: ({ ctx, params: { id = '' } }) =>
    `The payout is ${getPayout(ctx.tables, id).status} now.`,
})

export const payoutActions: readonly Action[] = [move]
