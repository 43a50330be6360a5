import * as z from 'zod'
import { text } from '../contract/fields.js'
import { showPayout } from '../contract/payout.js'
import { byUserAndStatus } from '../http/selection.js'
import { PAYOUT_STATUSES, type Payout, payoutMoves, payoutOf } from '../world/payouts.js'
import { type Action, checked } from './actions.js'
import { StatusBadge } from './badge.js'
import { StatusLinks, userGiven } from './filters.js'
import { Id, PayoutLink } from './id.js'
import { JsonView } from './json-view.js'
import { Money, Movements } from './money.js'
import { Moves } from './moves.js'
import { DataTable, Empty, Facts, Live, Pager, Panel } from './parts.js'
import { RelatedRequests } from './related.js'
import { chosen, rowsOf } from './selecting.js'
import { Time } from './time.js'
import { plannedMoves, timersOf } from './timers.js'
import { Track } from './track.js'
import { demoCurl } from './try.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'
import { madeTimes, WhyPanel, whyOf } from './why.js'

export const payoutsPage = (view: View): Page => {
  const status = chosen(view, 'status', PAYOUT_STATUSES)
  const user_id = userGiven(view)
  const { payouts } = view.tables
  const rows = rowsOf(view, payouts, byUserAndStatus<Payout>({ status, user_id }))
  return {
    title: 'Payouts',
    body: (
      <>
        <h1>Payouts</h1>
        <Live id="list">
          <StatusLinks
            view={view}
            statuses={PAYOUT_STATUSES}
            count={(it) => payouts.count('status', it)}
          />
          {user_id ? (
            <p>
              Of <UserLink view={view} id={user_id} />.{' '}
              <a href={view.to('/payouts')}>Of all users</a>
            </p>
          ) : null}
          <PayoutTable view={view} rows={rows.records} />
          {rows.records.length === 0 ? (
            <Empty command={payoutCurl(view)}>No payout is like this. A client makes one:</Empty>
          ) : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

/** A payout of the first user that has something to pay with. */
const payoutCurl = (view: View): string | undefined => {
  const [user] = view.tables.users.list('status', 'active')
  return (
    user &&
    demoCurl(view, '/payment/api/v1/payout', {
      user_id: user.id,
      currency: 'NGN',
      customer_payout_id: 'c0ffee00-0000-4000-8000-000000000001',
      amount: '1500.00',
      recipient_details: {
        bank_name: 'Marina Test Bank',
        account_holder_name: `${user.first_name} ${user.last_name}`,
        recipient_account_number: '0690000031',
      },
    })
  )
}

export const PayoutTable = ({ view, rows }: { view: View; rows: readonly Payout[] }) =>
  rows.length === 0 ? null : (
    <DataTable
      label="Payouts"
      columns={[
        'Payout',
        'Status',
        { name: 'Amount', kind: 'number' },
        { name: 'Fee', kind: 'minor' },
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
          <td class="minor">
            <Money amount={it.rail_fee} asset={it.currency} />
          </td>
          <td class="minor">
            <UserLink view={view} id={it.user_id} />
          </td>
          <td class="minor">{it.account_details.bank_name}</td>
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
  const why = whyOf(view, 'payouts', payout.id)
  const ended = payout.status === 'PAYOUT_PENDING' ? {} : { [payout.status]: payout.updated_at }
  return {
    title: `Payout ${payout.id.slice(0, 8)}`,
    body: (
      <>
        <h1>
          Payout <Id id={payout.id} />
        </h1>
        <Live id="payout">
          <Panel title="Lifecycle" aside={<StatusBadge status={payout.status} />}>
            <Track
              view={view}
              way={WAY}
              status={payout.status}
              reached={{ PAYOUT_PENDING: payout.created_at, ...ended }}
              planned={plannedMoves(timersOf(view, payout.id))}
              made={madeTimes(view, why)}
            />
            {payout.reason === null ? null : <p>Reason: {payout.reason}</p>}
            <h3>Where it could go</h3>
            <Moves
              view={view}
              action={`/console/payouts/${payout.id}/move`}
              moves={payoutMoves[payout.status]}
              next={payoutMoves[payout.status][0]}
            />
          </Panel>
        </Live>
        <div class="columns">
          <div>
            <Live id="money">
              <Panel title="Money">
                <Sides view={view} payout={payout} />
                <Movements view={view} subject={`payout:${payout.id}`} />
              </Panel>
            </Live>
            <Live id="related">
              <RelatedRequests view={view} id={payout.id} />
            </Live>
          </div>
          <div>
            <Live id="why">
              <WhyPanel view={view} answer={why} />
            </Live>
            <Live id="answer">
              <Panel title="What a client is answered">
                <JsonView value={showPayout(payout)} label="Answer" />
              </Panel>
            </Live>
          </div>
        </div>
      </>
    ),
  }
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
          `${to.account_holder_name}, ${to.recipient_account_number} at ${to.bank_name} by ${payout.rail}`,
        ],
        ['Reference', payout.reference ?? 'none yet'],
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
