import * as z from 'zod'
import { text } from '../contract/fields.js'
import { showTransfer } from '../contract/transfer.js'
import { accountFor } from '../world/accounts.js'
import {
  nextStatus,
  TRANSFER_STATUSES,
  type Transfer,
  transferMoves,
  transferOf,
} from '../world/transfers.js'
import { type Action, checked } from './actions.js'
import { StatusBadge } from './badge.js'
import { Id } from './id.js'
import { JsonView } from './json-view.js'
import { Money, Movements } from './money.js'
import { Moves } from './moves.js'
import { Command, Facts, Live, Panel } from './parts.js'
import { RelatedRequests } from './related.js'
import { Time } from './time.js'
import { plannedMoves, timersOf } from './timers.js'
import { Track } from './track.js'
import { demoCurl } from './try.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'
import { madeTimes, WhyPanel, whyOf } from './why.js'

const WAY = TRANSFER_STATUSES.filter((it) => it !== 'FAILED' && it !== 'CANCELLED')

export const transferPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const transfer = transferOf(view.tables, id.toLowerCase(), 'id')
  const why = whyOf(view, 'transfers', transfer.id)
  return {
    title: `Transfer ${transfer.id.slice(0, 8)}`,
    body: (
      <>
        <h1>
          Transfer <Id id={transfer.id} />
        </h1>
        <Live id="transfer">
          <Panel title="Lifecycle" aside={<StatusBadge status={transfer.status} />}>
            <Track
              view={view}
              way={WAY}
              status={transfer.status}
              reached={transfer.reached}
              planned={plannedMoves(timersOf(view, transfer.id))}
              made={madeTimes(view, why)}
            />
            {transfer.reason === null ? null : <p>Reason: {transfer.reason}</p>}
            <h3>Where it could go</h3>
            <Moves
              view={view}
              action={`/console/transfers/${transfer.id}/move`}
              moves={transferMoves[transfer.status]}
              next={nextStatus(transfer.status)}
            />
          </Panel>
        </Live>
        <div class="columns">
          <div>
            <Live id="money">
              <Panel title="Money">
                <Sides view={view} transfer={transfer} />
                <Movements view={view} subject={`transfer:${transfer.id}`} />
              </Panel>
            </Live>
            <Live id="related">
              <RelatedRequests view={view} id={transfer.id} />
            </Live>
          </div>
          <div>
            <Live id="why">
              <WhyPanel view={view} answer={why} />
            </Live>
            <Live id="answer">
              <Panel title="What a client is answered">
                <Command
                  text={demoCurl(view, `/payment/api/v1/fx-audit/status/${transfer.id}`)}
                  what="curl command"
                />
                <JsonView value={showTransfer(view.tables, transfer)} label="Answer" />
              </Panel>
            </Live>
          </div>
        </div>
      </>
    ),
  }
}

/** Where the money comes from and where it goes. */
const Sides = ({ view, transfer }: { view: View; transfer: Transfer }) => {
  const { source, kind } = transfer
  const account = accountFor(view.tables, transfer.account_id)
  return (
    <Facts
      facts={[
        ['User', <UserLink view={view} id={transfer.user_id} />],
        ['Source', <Money amount={transfer.source_amount} asset={transfer.source_currency} />],
        [
          'From',
          `${kind === 'offramp' ? 'crypto' : 'bank'}, ${source.masked_details} by ${source.payment_rail}`,
        ],
        ['Target', <Money amount={transfer.destination_amount} asset={transfer.target_currency} />],
        [
          'To',
          `${account.account_holder_name}, ${account.account_number} at ${account.bank_name} by ${transfer.payment_rail}`,
        ],
        ['Rate', transfer.exchange_rate],
        ['Fees', <Money amount={transfer.fees} asset={transfer.target_currency} />],
        ['Created', <Time view={view} at={transfer.created_at} whole />],
      ]}
    />
  )
}

const moveFields = z.object({ to: z.enum(TRANSFER_STATUSES), reason: text().optional() })

const move: Action = {
  path: '/console/transfers/:id/move',
  operation: 'advanceTransfer',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const { to, reason } = checked(moveFields, fields)
    view.world.run('transfer.move', { id, to, ...(reason ? { reason } : {}) }, cause)
    return `The transfer is ${transferOf(view.tables, id).status} now.`
  },
}

export const transferActions: readonly Action[] = [move]
