import { findInquiry, isInDoubt } from '../../activity/groups.js'
import {
  paymentSentence,
  payoutTitle,
  recordRef,
  transferTitle,
} from '../../activity/record-sentences.js'
import { attemptSentence, pairSentence } from '../../activity/request-sentences.js'
import { findPair } from '../../activity/second-payments.js'
import { findTimers, readStory } from '../../activity/story.js'
import { toPayoutResponse } from '../../contract/payout.js'
import { toTransferResponse } from '../../contract/transfer.js'
import { getAccount } from '../../domain/accounts.js'
import { plus } from '../../domain/money.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import type { Payout, Transfer } from '../../domain/schema.js'
import { getTransfer, nextStatus, TRANSFER_TRANSITIONS } from '../../domain/transfers.js'
import { formatMoney } from '../../history/format.js'
import type { DomainEvent } from '../../kernel/entry.js'
import { type Html, html } from '../components/html.js'
import {
  drawConversion,
  drawId,
  drawMoney,
  drawStatus,
  drawTime,
  drawUser,
} from '../components/text.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { drawLostMark, drawLostResponse } from './lost-response.js'
import { recordPage } from './record-page.js'
import { toStory } from './story.js'

export const payoutPage: DrawPage = (ctx, { id: written = '' }) => {
  const { tables, world } = ctx
  const payout = getPayout(tables, written.toLowerCase())
  const { id, status, account_details: to, currency, user_id, reference } = payout
  const story = readStory(ctx, 'payouts', payout)
  const inquiry = findInquiry(ctx, payout, story.done)
  const pair = findPair(ctx, payout)
  const attempts = pair ? 1 : inquiry?.attempts.length
  const lost = inquiry && isInDoubt(inquiry) ? inquiry : undefined
  const isPending = status === 'PAYOUT_PENDING'
  const timer = findTimers(ctx, id)[0]
  return recordPage(ctx, {
    id,
    list: { text: 'Payments', path: '/payments' },
    title: payoutTitle(payout),
    heading: html`${drawMoney(payout.amount, currency)} to <bdi>${to.bank_name}</bdi>`,
    sentence: lost
      ? [
          'For ',
          recordRef(tables, user_id),
          '. ',
          ...attemptSentence(tables, lost, lost.newest, world.now),
        ]
      : [
          ...paymentSentence(tables, payout, world.now, timer, story.done.at(-1), attempts),
          ...(pair ? [' ', ...pairSentence(pair, payout)] : []),
        ],
    actions: [lost && drawLostMark(), drawStatus(status)],
    above: lost && drawLostResponse(ctx, lost),
    ...toStory(ctx, {
      id,
      status,
      operation: 'advancePayout',
      moves: PAYOUT_TRANSITIONS[status],
      next: isPending ? 'PAYOUT_PROCESSED' : undefined,
      story,
      inquiry,
      money: payoutMoney(payout),
      answer: toPayoutResponse(payout, readingsOf(ctx)),
    }),
    facts: [
      ['From', [drawUser(ctx, user_id), drawLeft(ctx, user_id, currency)]],
      ['To', drawRecipient({ ...to, account_number: to.recipient_account_number })],
      ['Rail', html`${payout.rail}, fee ${drawMoney(payout.rail_fee, currency)}`],
      ['Reference', reference ?? (isPending ? 'none until it is processed' : 'none')],
      ['Client’s id', drawId(payout.customer_payout_id)],
      ['Made', drawTime(ctx, payout.created_at)],
    ],
  })
}

export const transferPage: DrawPage = (ctx, { id: written = '' }) => {
  const { tables, world } = ctx
  const transfer = getTransfer(tables, written.toLowerCase(), 'id')
  const { id, status, source, target_currency, exchange_rate, fees } = transfer
  const story = readStory(ctx, 'transfers', transfer)
  const timer = findTimers(ctx, id)[0]
  return recordPage(ctx, {
    id,
    list: { text: 'Payments', path: '/payments' },
    title: transferTitle(transfer),
    heading: drawConversion(transfer),
    sentence: paymentSentence(tables, transfer, world.now, timer, story.done.at(-1)),
    actions: drawStatus(status),
    ...toStory(ctx, {
      id,
      status,
      operation: 'advanceTransfer',
      moves: TRANSFER_TRANSITIONS[status],
      next: nextStatus(status),
      story,
      money: transferMoney(transfer),
      answer: toTransferResponse(tables, transfer, readingsOf(ctx)),
    }),
    facts: [
      ['For', drawUser(ctx, transfer.user_id)],
      ['From', `${source.account_type}, ${source.masked_details}, ${source.payment_rail}`],
      ['To', drawRecipient(getAccount(tables, transfer.account_id))],
      ['Rail', transfer.payment_rail],
      ['Rate', html`${exchange_rate}, fee ${drawMoney(fees, target_currency)}`],
      ['Reference', transfer.bank_txn_reference ?? 'none'],
      ['Made', drawTime(ctx, transfer.created_at)],
    ],
  })
}

const drawLeft = ({ tables }: PageContext, user_id: string, currency: string): Html => {
  const balance = tables.balances.of(`user:${user_id}`).get(currency)
  return balance && html`, ${drawMoney(balance.amount.toFixed(), currency)} left now`
}

type Recipient = Readonly<Record<'bank_name' | 'account_holder_name' | 'account_number', string>>

const drawRecipient = ({ bank_name, account_holder_name, account_number }: Recipient): Html =>
  html`<bdi>${bank_name}</bdi>, <bdi>${account_holder_name}</bdi><br /><code><bdi>${account_number}</bdi></code>`

export const payoutMoney =
  (payout: Payout) =>
  ({ type, to }: DomainEvent): Html => {
    const { amount, rail_fee, currency, account_details, fee_deducted } = payout
    if (type === 'payout.created') {
      const fee = `${fee_deducted ? 'with ' : '−'}${formatMoney(rail_fee, currency)} fee`
      return drawWithNote(drawMoney(amount, currency, '−'), fee)
    }
    if (to === 'PAYOUT_PROCESSED') {
      const bank = html`leave for <bdi>${account_details.bank_name}</bdi>`
      return html`<small>${formatMoney(amount, currency)}<br />${bank}</small>`
    }
    if (to !== 'PAYOUT_FAILED') return null
    const returned = fee_deducted ? amount : plus(amount, rail_fee).toFixed()
    return drawWithNote(drawMoney(returned, currency, '+'), 'with the fee')
  }

export const transferMoney =
  (transfer: Transfer) =>
  ({ to }: DomainEvent): Html => {
    const { source_amount, source_currency, destination_amount, target_currency, fees } = transfer
    if (to === 'FUNDS_RECEIVED') return drawMoney(source_amount, source_currency, '+')
    if (to === 'PAYMENT_PROCESSED') return drawMoney(destination_amount, target_currency, '−')
    if (to !== 'CONVERSION_PROCESSED') return null
    const note = `after ${formatMoney(fees, target_currency)} fee`
    return drawWithNote(drawMoney(destination_amount, target_currency), note)
  }

const drawWithNote = (money: Html, note: string): Html => html`${money}<br /><small>${note}</small>`
