import { alreadyExists, Refusal } from '../kernel/refusal.js'
import { parseInstant } from '../kernel/time.js'
import { isSame } from './money.js'
import type { Payout, Recipient, Tx } from './schema.js'

export interface PayoutInput {
  readonly user_id: string
  readonly currency: string
  readonly customer_payout_id: string
  readonly amount: string
  readonly recipient_details: Recipient
}

/** The payout that a customer_payout_id names; undefined if the request creates one. */
export const findRepeated = (tx: Tx, input: PayoutInput): Payout | undefined => {
  const { customer_payout_id: id } = input
  const { payouts } = tx.tables
  const named =
    payouts.count('customer_id', id) > 0 && findNamed(tx, payouts.list('customer_id', id))
  if (!named) return undefined
  const changed = findChangedField(named, input)
  const code = changed && CHANGED[tx.readings.payout.changed_repeat]
  if (!code) return named
  const message = `${id} already names payout ${named.id} with another ${changed}`
  throw new Refusal(code, message, 'customer_payout_id')
}

const DAY_MS = 24 * 3_600_000

/** `known` has at least one, the oldest first (payout.repeat). */
const findNamed = (tx: Tx, known: readonly Payout[]): Payout | undefined => {
  switch (tx.readings.payout.repeat) {
    case 'conflict': {
      const id = known[0]?.customer_payout_id
      throw alreadyExists('customer_payout_id', `${id} already names a payout`)
    }
    case 'second':
      return undefined
    case 'a_day':
      return known.find(({ created_at }) => tx.now - parseInstant(created_at) < DAY_MS)
    case 'failed_again':
      return known.find(({ status }) => status !== 'PAYOUT_FAILED')
    default:
      return known[0]
  }
}

/** One reading ignores the difference (payout.changed_repeat). */
const CHANGED = { invalid: 'rule', conflict: 'taken', first: undefined } as const

/** The first field in which a request differs from the payout of its id. */
export const findChangedField = (known: Payout, input: PayoutInput): string | undefined => {
  const { bank_name, account_holder_name, recipient_account_number } = input.recipient_details
  const details = known.account_details
  const fields = [
    ['user_id', known.user_id === input.user_id],
    ['currency', known.currency === input.currency],
    ['amount', isSame(known.amount, input.amount)],
    ['recipient_details.bank_name', details.bank_name === bank_name],
    ['recipient_details.account_holder_name', details.account_holder_name === account_holder_name],
    [
      'recipient_details.recipient_account_number',
      details.recipient_account_number === recipient_account_number,
    ],
  ] as const
  return fields.find(([, same]) => !same)?.[0]
}
