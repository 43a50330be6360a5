import * as z from 'zod'
import { text } from '../contract/fields.js'
import { showTransfer } from '../contract/transfer.js'
import { accountFor } from '../world/accounts.js'
import {
  nextStatus,
  TRANSFER_STATUSES,
  type Transfer,
  transferMovesIn,
  transferOf,
} from '../world/transfers.js'
import { type Action, checked } from './actions.js'
import { lifePage } from './life.js'
import { Money, Recipient } from './money.js'
import { Command, Facts } from './parts.js'
import { readerOf } from './register.js'
import { Time } from './time.js'
import { demoCurl } from './try.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

const WAY = TRANSFER_STATUSES.filter((it) => it !== 'FAILED' && it !== 'CANCELLED')

export const transferPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const transfer = transferOf(view.tables, id.toLowerCase(), 'id')
  const { status, reached } = transfer
  const read = demoCurl(view, `/payment/api/v1/fx-audit/status/${transfer.id}`)
  return lifePage(view, {
    noun: 'transfer',
    record: transfer,
    way: WAY,
    reached,
    moves: transferMovesIn(view.tables)[status],
    next: nextStatus(status),
    sides: <Sides view={view} transfer={transfer} />,
    answer: showTransfer(view.tables, transfer, readerOf(view)),
    asked: <Command text={read} what="curl command" />,
  })
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
          <Recipient
            holder={account.account_holder_name}
            number={account.account_number}
            bank={account.bank_name}
            rail={transfer.payment_rail}
          />,
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
