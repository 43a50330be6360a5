import * as z from 'zod'
import { text } from '../../contract/fields.js'
import { toPayoutResponse } from '../../contract/payout.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import { PAYOUT_STATUSES, type Payout } from '../../domain/schema.js'
import { byUserAndStatus } from '../../usecases/selection.js'
import { type Action, checked } from '../actions.js'
import { worldReader } from '../assumption-view.js'
import { StatusBadge } from '../components/badge.js'
import {
  DataTable,
  DescriptionList,
  LiveRegion,
  NoMatches,
  Pager,
} from '../components/components.js'
import { StatusLinks, TextFilter, UserFilter, userGiven } from '../components/filters.js'
import { Id, PayoutLink } from '../components/id.js'
import { Time } from '../components/time.js'
import { UserLink } from '../components/user-link.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import { nextStepForPayout } from '../money-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { Money, Recipient } from './money.js'
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

export const payoutsPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', PAYOUT_STATUSES)
  const user_id = userGiven(ctx)
  const { payouts } = ctx.tables
  const selection = byUserAndStatus<Payout>({ status, user_id })
  const rows = pageOf(ctx, payouts, textFilter(ctx, selection, searchTexts))
  return {
    title: 'Payouts',
    body: (
      <>
        <h1>Payouts</h1>
        <TextFilter ctx={ctx} label="Amount, id, reference or recipient" />
        <LiveRegion id="list">
          <StatusLinks
            ctx={ctx}
            statuses={PAYOUT_STATUSES}
            count={(it) => payouts.count('status', it)}
          />
          <UserFilter ctx={ctx} path="/payouts" />
          <PayoutTable ctx={ctx} rows={rows.records} />
          {rows.records.length === 0 ? (
            <NoMatches ctx={ctx} noun="payout" size={payouts.size} step={nextStepForPayout(ctx)} />
          ) : null}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}

export const PayoutTable = ({ ctx, rows }: { ctx: PageContext; rows: readonly Payout[] }) =>
  rows.length === 0 ? null : (
    <DataTable
      label="Payouts"
      columns={[
        'Payout',
        'Status',
        { name: 'Amount', kind: 'number' },
        { name: 'Fee', kind: 'number minor' },
        { name: 'User', kind: 'minor' },
        { name: 'To', kind: 'minor' },
        { name: 'Created', kind: 'minor' },
      ]}
    >
      {rows.map((it) => (
        <tr>
          <td>
            <PayoutLink ctx={ctx} id={it.id} />
          </td>
          <td>
            <StatusBadge status={it.status} />
          </td>
          <td class="number">
            <Money amount={it.amount} asset={it.currency} />
          </td>
          <td class="number minor">
            <Money amount={it.rail_fee} asset={it.currency} />
          </td>
          <td class="minor">
            <UserLink ctx={ctx} id={it.user_id} />
          </td>
          <td class="minor">
            <span class="name" dir="auto">
              {it.account_details.bank_name}
            </span>
          </td>
          <td class="minor">
            <Time ctx={ctx} at={it.created_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  )

const WAY = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED']

export const payoutPage = (
  ctx: PageContext,
  { id = '' }: Readonly<Record<string, string>>,
): Page => {
  const payout = getPayout(ctx.tables, id.toLowerCase())
  const { status, created_at, updated_at, processed_at } = payout
  const ended = status === 'PAYOUT_PENDING' ? {} : { [status]: updated_at }
  const processed = processed_at ? { PAYOUT_PROCESSED: processed_at } : {}
  return recordPage(ctx, {
    noun: 'payout',
    record: payout,
    way: WAY,
    reached: { PAYOUT_PENDING: created_at, ...processed, ...ended },
    moves: PAYOUT_TRANSITIONS[status],
    next: status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined,
    sides: <Sides ctx={ctx} payout={payout} />,
    answer: toPayoutResponse(payout, worldReader(ctx)),
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

const moveFields = z.object({ to: z.enum(PAYOUT_STATUSES), reason: text().optional() })

const move: Action = {
  path: '/console/payouts/:id/move',
  operation: 'advancePayout',
  act: ({ ctx, params: { id = '' }, fields, cause }) => {
    const { to, reason } = checked(moveFields, fields)
    ctx.world.run('payout.move', { id, to, ...(reason ? { reason } : {}) }, cause)
    return `The payout is ${getPayout(ctx.tables, id).status} now.`
  },
}

export const payoutActions: readonly Action[] = [move]
