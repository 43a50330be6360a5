import { toTransferResponse } from '../../contract/transfer.js'
import { getAccount } from '../../domain/accounts.js'
import { TRANSFER_STATUSES, type Transfer } from '../../domain/schema.js'
import { getTransfer, nextStatus, transferTransitionsIn } from '../../domain/transfers.js'
import { type Action, formAction } from '../actions.js'
import { Command } from '../components/command.js'
import { UserLink } from '../components/id.js'
import { Money, Recipient } from '../components/money.js'
import { DescriptionList } from '../components/panel.js'
import { Time } from '../components/time.js'
import { demoCurl } from '../curl.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { recordPage } from './record-page.js'

const HAPPY_PATH = TRANSFER_STATUSES.filter((it) => it !== 'FAILED' && it !== 'CANCELLED')

export const transferPage: DrawPage = (ctx, { id = '' }) => {
  const transfer = getTransfer(ctx.tables, id.toLowerCase(), 'id')
  const { status, reached } = transfer
  const read = demoCurl(ctx, `/payment/api/v1/fx-audit/status/${transfer.id}`)
  return recordPage(ctx, {
    noun: 'transfer',
    record: transfer,
    happyPath: HAPPY_PATH,
    reached,
    moves: transferTransitionsIn(ctx.tables)[status],
    next: nextStatus(status),
    sides: <Sides ctx={ctx} transfer={transfer} />,
    answer: toTransferResponse(ctx.tables, transfer, readingsOf(ctx)),
    asked: <Command text={read} what="curl command" />,
  })
}

const Sides = ({ ctx, transfer }: { ctx: PageContext; transfer: Transfer }) => {
  const { source, kind } = transfer
  const account = getAccount(ctx.tables, transfer.account_id)
  return (
    <DescriptionList
      facts={[
        ['User', <UserLink ctx={ctx} id={transfer.user_id} />],
        ['Source', <Money amount={transfer.source_amount} asset={transfer.source_currency} />],
        [
          'From',
          kind === 'offramp'
            ? `crypto, ${source.masked_details} on ${source.payment_rail}`
            : `bank, ${source.masked_details} by ${source.payment_rail}`,
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
        ['Created', <Time ctx={ctx} at={transfer.created_at} whole />],
      ]}
    />
  )
}

const move = formAction({
  path: '/console/transfers/:id/move',
  operation: 'advanceTransfer',
  conclude: ({ ctx, params: { id = '' } }) =>
    `The transfer is ${getTransfer(ctx.tables, id).status} now.`,
})

export const transferActions: readonly Action[] = [move]
