import {
  FILTERS,
  isPayout,
  PAYMENT_KINDS,
  type Payment,
  readPayments,
  STATUSES,
} from '../../activity/payments.js'
import { movingSentence, RECORD_TEXTS, UNDER_WAY } from '../../activity/record-sentences.js'
import { payoutTexts, transferTexts } from '../../activity/search.js'
import { getAccount } from '../../domain/accounts.js'
import { capitalize, statusWord } from '../../history/format.js'
import { html } from '../components/html.js'
import { drawConversion, drawMoney, drawStatus } from '../components/text.js'
import { payoutExample } from '../curl.js'
import { enumParam, param } from '../filters.js'
import type { DrawPage } from '../page-context.js'
import {
  drawOpen,
  lastChangeFirst,
  listPage,
  ownerColumn,
  textColumn,
  timeColumn,
} from './list-page.js'
import { drawDepositForm, drawPayoutForm } from './money-forms.js'

const CHIP_TEXTS: Readonly<Record<string, string>> = { waiting: 'Waiting for you' }

/** Last change first. Chips without records are left out. */
export const paymentsPage: DrawPage = (ctx) => {
  const { tables } = ctx
  const kind = enumParam(ctx, 'kind', PAYMENT_KINDS)
  const status = enumParam(ctx, 'status', [...Object.keys(FILTERS), ...STATUSES])
  const user_id = param(ctx, 'user_id')?.toLowerCase()
  const found = readPayments(ctx, { kind, status, user_id, text: param(ctx, 'text') })
  const { countOf, planOf, twice, moving, waiting, returning, total } = found
  const chips = new Set([...Object.keys(FILTERS).filter(countOf), ...(status ? [status] : [])])
  return listPage<Payment>(ctx, {
    title: 'Payments',
    noun: 'payment',
    sentence: movingSentence(moving, waiting, returning, ctx.world.now),
    actions: [drawPayoutForm(ctx), drawDepositForm(ctx)],
    chips: {
      kind: [
        { text: 'All', count: tables.payouts.size + tables.transfers.size },
        ...PAYMENT_KINDS.map((value) => ({
          value,
          text: capitalize(value),
          count: tables[value].size,
        })),
      ],
      status: [
        { text: 'Any status' },
        ...[...chips].map((value) => ({
          value,
          text: CHIP_TEXTS[value] ?? statusWord(value),
          count: countOf(value),
        })),
      ],
    },
    records: found.records(),
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
