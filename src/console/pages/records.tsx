import { toPayoutResponse } from '../../contract/payout.js'
import { toTransferResponse } from '../../contract/transfer.js'
import { getAccount } from '../../domain/accounts.js'
import { plus } from '../../domain/money.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import type { Payout, Transfer } from '../../domain/schema.js'
import { getTransfer, nextStatus, transferTransitionsIn } from '../../domain/transfers.js'
import type { DomainEvent } from '../../kernel/entry.js'
import { Id, Time, UserLink } from '../components/links.js'
import { Money } from '../components/money.js'
import { Status } from '../components/status.js'
import { formatMoney } from '../format.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { isLost, newestSentence } from '../request-sentences.js'
import {
  payoutSentence,
  payoutTitle,
  transferSentence,
  transferTitle,
  userRef,
} from '../sentences.js'
import { findInquiry } from './activity-groups.js'
import { LostMark, LostResponse } from './lost-response.js'
import { recordPage } from './record-page.js'
import {
  findHistory,
  findTimers,
  futureSteps,
  gapSteps,
  journalTab,
  nowStep,
  pastSteps,
  readTab,
} from './story.js'

export const payoutPage: DrawPage = (ctx, { id: written = '' }) => {
  const { tables, world } = ctx
  const payout = getPayout(tables, written.toLowerCase())
  const { id, status, account_details: to, currency } = payout
  const history = findHistory(ctx, 'payouts', id)
  const { entries } = history
  const timers = findTimers(ctx, id)
  const inquiry = findInquiry(ctx, payout, entries)
  const attempts = inquiry?.attempts.length ?? 1
  const lost = inquiry && isLost(inquiry.newest.exchange) ? inquiry : undefined
  const isPending = status === 'PAYOUT_PENDING'
  const verbs = {
    PAYOUT_PROCESSED: 'Process',
    PAYOUT_FAILED: isPending ? 'Fail' : 'Return',
  }
  const moves = PAYOUT_TRANSITIONS[status]
  const next = isPending ? 'PAYOUT_PROCESSED' : undefined
  return recordPage(ctx, {
    id,
    list: { text: 'Payouts', path: '/payouts' },
    title: payoutTitle(payout),
    heading: (
      <>
        <Money amount={payout.amount} asset={currency} /> to <bdi>{to.bank_name}</bdi>
      </>
    ),
    sentence: lost
      ? ['For ', userRef(tables, payout.user_id), '. ', ...newestSentence(lost, world.now)]
      : payoutSentence(tables, { payout, now: world.now, timer: timers[0], attempts }),
    actions: (
      <>
        {lost ? <LostMark /> : null}
        <Status status={status} />
      </>
    ),
    above: lost ? <LostResponse ctx={ctx} inquiry={lost} /> : null,
    steps: [
      ...futureSteps(ctx, { id, operation: 'advancePayout', moves, next, timers, verbs }),
      nowStep(ctx),
      ...pastSteps(ctx, { id, entries, money: payoutMoney(payout), inquiry }),
      ...gapSteps(history),
    ],
    tabs: [readTab(toPayoutResponse(payout, readingsOf(ctx))), journalTab(ctx, entries)],
    facts: [
      ['From', <Owner ctx={ctx} user_id={payout.user_id} currency={currency} />],
      [
        'To',
        <Recipient
          bank={to.bank_name}
          holder={to.account_holder_name}
          number={to.recipient_account_number}
        />,
      ],
      [
        'Rail',
        <>
          {payout.rail}, fee <Money amount={payout.rail_fee} asset={currency} />
        </>,
      ],
      ['Reference', payout.reference ?? (isPending ? 'none until it is processed' : 'none')],
      ['Client’s id', <Id id={payout.customer_payout_id} />],
      ['Made', <Time ctx={ctx} at={payout.created_at} />],
    ],
  })
}

export const payoutMoney = (payout: Payout) => (event: DomainEvent) => {
  const { amount, rail_fee, currency, account_details, fee_kept, fee_deducted } = payout
  if (event.type === 'payout.created') {
    return (
      <>
        <Money sign="−" amount={amount} asset={currency} />
        <br />
        <small>
          {fee_deducted ? 'with ' : '−'}
          {formatMoney(rail_fee, currency)} fee
        </small>
      </>
    )
  }
  if (event.to === 'PAYOUT_PROCESSED') {
    return (
      <small>
        {formatMoney(amount, currency)}
        <br />
        leave for <bdi>{account_details.bank_name}</bdi>
      </small>
    )
  }
  if (event.to !== 'PAYOUT_FAILED') return null
  const returned = fee_kept || fee_deducted ? amount : plus(amount, rail_fee).toFixed()
  return (
    <>
      <Money sign="+" amount={returned} asset={currency} />
      <br />
      <small>{fee_kept ? 'without' : 'with'} the fee</small>
    </>
  )
}

const TRANSFER_VERBS = {
  FUNDS_RECEIVED: 'Receive funds',
  CONVERSION_PROCESSED: 'Convert',
  PAYMENT_SUBMITTED: 'Submit payment',
  PAYMENT_PROCESSED: 'Process payment',
  CANCELLED: 'Cancel',
}

export const transferPage: DrawPage = (ctx, { id: written = '' }) => {
  const { tables, world } = ctx
  const transfer = getTransfer(tables, written.toLowerCase(), 'id')
  const { id, status, source, source_currency, target_currency } = transfer
  const account = getAccount(tables, transfer.account_id)
  const history = findHistory(ctx, 'transfers', id)
  const { entries } = history
  const timers = findTimers(ctx, id)
  const verbs = {
    ...TRANSFER_VERBS,
    FAILED: status === 'PAYMENT_PROCESSED' ? 'Return' : 'Fail',
  }
  const moves = transferTransitionsIn(tables)[status]
  const next = nextStatus(status)
  return recordPage(ctx, {
    id,
    list: { text: 'Transfers', path: '/transfers' },
    title: transferTitle(transfer),
    heading: (
      <>
        <Money amount={transfer.source_amount} asset={source_currency} /> →{' '}
        <Money amount={transfer.destination_amount} asset={target_currency} />
      </>
    ),
    sentence: transferSentence(tables, { transfer, now: world.now, timer: timers[0] }),
    actions: <Status status={status} />,
    steps: [
      ...futureSteps(ctx, { id, operation: 'advanceTransfer', moves, next, timers, verbs }),
      nowStep(ctx),
      ...pastSteps(ctx, { id, entries, money: transferMoney(transfer) }),
      ...gapSteps(history),
    ],
    tabs: [
      readTab(toTransferResponse(tables, transfer, readingsOf(ctx))),
      journalTab(ctx, entries),
    ],
    facts: [
      ['For', <Owner ctx={ctx} user_id={transfer.user_id} />],
      ['From', `${source.account_type}, ${source.masked_details}, ${source.payment_rail}`],
      [
        'To',
        <Recipient
          bank={account.bank_name}
          holder={account.account_holder_name}
          number={account.account_number}
        />,
      ],
      ['Rail', transfer.payment_rail],
      [
        'Rate',
        <>
          {transfer.exchange_rate}, fee <Money amount={transfer.fees} asset={target_currency} />
        </>,
      ],
      ['Reference', transfer.bank_txn_reference ?? 'none'],
      ['Made', <Time ctx={ctx} at={transfer.created_at} />],
    ],
  })
}

export const transferMoney = (transfer: Transfer) => (event: DomainEvent) => {
  const { source_amount, source_currency, destination_amount, target_currency, fees } = transfer
  if (event.to === 'FUNDS_RECEIVED') {
    return <Money sign="+" amount={source_amount} asset={source_currency} />
  }
  if (event.to === 'CONVERSION_PROCESSED') {
    return (
      <>
        <Money amount={destination_amount} asset={target_currency} />
        <br />
        <small>after {formatMoney(fees, target_currency)} fee</small>
      </>
    )
  }
  if (event.to !== 'PAYMENT_PROCESSED') return null
  return <Money sign="−" amount={destination_amount} asset={target_currency} />
}

/** The user, and what is left of the balance. */
const Owner = ({
  ctx,
  user_id,
  currency,
}: {
  ctx: PageContext
  user_id: string
  currency?: string
}) => {
  const balance = currency && ctx.tables.balances.of(`user:${user_id}`).get(currency)
  return (
    <>
      <UserLink ctx={ctx} id={user_id} />
      {balance ? (
        <>
          , <Money amount={balance.amount.toFixed()} asset={currency} /> left
        </>
      ) : null}
    </>
  )
}

const Recipient = ({ bank, holder, number }: { bank: string; holder: string; number: string }) => (
  <>
    <bdi>{bank}</bdi>, <bdi>{holder}</bdi>
    <br />
    <code>
      <bdi>{number}</bdi>
    </code>
  </>
)
