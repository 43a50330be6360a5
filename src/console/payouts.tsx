import * as z from 'zod'
import { text } from '../contract/fields.js'
import { showPayout } from '../contract/payout.js'
import { byUserAndStatus } from '../http/selection.js'
import { PAYOUT_STATUSES, type Payout, payoutMoves, payoutOf } from '../world/payouts.js'
import { type Action, checked } from './actions.js'
import { StatusBadge } from './badge.js'
import { OfUser, StatusLinks, TextFilter, userGiven } from './filters.js'
import { Id, PayoutLink } from './id.js'
import { lifePage } from './life.js'
import { Money, Recipient } from './money.js'
import { stepToPayout } from './money-steps.js'
import { DataTable, Facts, Live, NoneLikeThis, Pager } from './parts.js'
import { readerOf } from './register.js'
import { chosen, holdingText, rowsOf } from './selecting.js'
import { Time } from './time.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

const textsOf = (it: Payout) => [
  it.id,
  it.customer_payout_id,
  it.amount,
  it.reference,
  it.reason,
  it.account_details.account_holder_name,
  it.account_details.recipient_account_number,
]

export const payoutsPage = (view: View): Page => {
  const status = chosen(view, 'status', PAYOUT_STATUSES)
  const user_id = userGiven(view)
  const { payouts } = view.tables
  const selection = byUserAndStatus<Payout>({ status, user_id })
  const rows = rowsOf(view, payouts, holdingText(view, selection, textsOf))
  return {
    title: 'Payouts',
    body: (
      <>
        <h1>Payouts</h1>
        <TextFilter view={view} label="Amount, id, reference or recipient" />
        <Live id="list">
          <StatusLinks
            view={view}
            statuses={PAYOUT_STATUSES}
            count={(it) => payouts.count('status', it)}
          />
          <OfUser view={view} path="/payouts" />
          <PayoutTable view={view} rows={rows.records} />
          {rows.records.length === 0 ? (
            <NoneLikeThis view={view} noun="payout" size={payouts.size} step={stepToPayout(view)} />
          ) : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

export const PayoutTable = ({ view, rows }: { view: View; rows: readonly Payout[] }) =>
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
            <PayoutLink view={view} id={it.id} />
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
            <UserLink view={view} id={it.user_id} />
          </td>
          <td class="minor">
            <span class="name" dir="auto">
              {it.account_details.bank_name}
            </span>
          </td>
          <td class="minor">
            <Time view={view} at={it.created_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  )

const WAY = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED']

export const payoutPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const payout = payoutOf(view.tables, id.toLowerCase())
  const { status, created_at, updated_at, processed_at } = payout
  const ended = status === 'PAYOUT_PENDING' ? {} : { [status]: updated_at }
  const processed = processed_at ? { PAYOUT_PROCESSED: processed_at } : {}
  return lifePage(view, {
    noun: 'payout',
    record: payout,
    way: WAY,
    reached: { PAYOUT_PENDING: created_at, ...processed, ...ended },
    moves: payoutMoves[status],
    next: status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined,
    sides: <Sides view={view} payout={payout} />,
    answer: showPayout(payout, readerOf(view)),
  })
}

const Sides = ({ view, payout }: { view: View; payout: Payout }) => {
  const { account_details: to } = payout
  return (
    <Facts
      facts={[
        ['User', <UserLink view={view} id={payout.user_id} />],
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
        ['Created', <Time view={view} at={payout.created_at} whole />],
      ]}
    />
  )
}

const moveFields = z.object({ to: z.enum(PAYOUT_STATUSES), reason: text().optional() })

const move: Action = {
  path: '/console/payouts/:id/move',
  operation: 'advancePayout',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const { to, reason } = checked(moveFields, fields)
    view.world.run('payout.move', { id, to, ...(reason ? { reason } : {}) }, cause)
    return `The payout is ${payoutOf(view.tables, id).status} now.`
  },
}

export const payoutActions: readonly Action[] = [move]
