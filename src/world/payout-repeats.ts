import { decimalsOf } from './currencies.js'
import { broken, taken } from './kernel/refusal.js'
import { hasExcess, isSame } from './money.js'
import { namedBy } from './named-by.js'
import { withoutExcess } from './payout-terms.js'
import type { Payout, PayoutInput } from './payouts.js'
import type { ReadingOf } from './reading-names.js'
import type { Tx } from './world.js'

/** Readings that the first answer went by, where they are not the default. */
export interface FirstAnswer {
  /** The status then, where the times of the record do not show it: a move came at the same instant. */
  readonly status?: 'pending' | 'processed'
  readonly statuses?: ReadingOf<'payout.statuses'>
  readonly transitions?: ReadingOf<'payout.transitions'>
  readonly times?: ReadingOf<'time.form'>
}

/** What answers an id that came before; undefined where a payout is made. */
export const repeatedPayout = (tx: Tx, input: PayoutInput): Payout | undefined => {
  const { user_id, customer_payout_id: id } = input
  if (input.doubled) return undefined
  const all = namedBy(tx, tx.tables.payouts, 'customer_id', id, user_id)
  if (all.length === 0) return undefined
  const reading = tx.reading('payout.repeat')
  const named =
    reading === 'second' ? undefined : all.find((payout) => isNamedStill(tx, payout, reading))
  if (!named) return undefined
  if (reading === 'conflict') throw taken('customer_payout_id', `${id} already names a payout`)
  return reading === 'replay' ? named : samePayout(tx, named, input)
}

const DAY_MS = 24 * 3_600_000

/** Whether an id still names this payout. */
const isNamedStill = (tx: Tx, payout: Payout, reading: ReadingOf<'payout.repeat'>): boolean => {
  if (reading === 'a_day') return tx.now - Date.parse(payout.created_at) < DAY_MS
  if (reading !== 'failed_again' || payout.status !== 'PAYOUT_FAILED') return true
  // A returned payout may keep its status, and is no failed one then.
  return payout.processed_at !== undefined && tx.reading('payout.transitions') === 'unchanged'
}

/** What a new payout keeps of how it is answered; undefined when the defaults tell it. */
export const firstAnswerOf = (tx: Tx): FirstAnswer | undefined => {
  const status = tx.peek('payout.status')
  const statuses = tx.peek('payout.statuses')
  const transitions = tx.peek('payout.transitions')
  const times = tx.peek('time.form')
  const isUsual = status === 'processed' && statuses === 'three' && transitions === 'failed'
  if (isUsual && times === 'milliseconds') return undefined
  return {
    ...(status === 'pending' && { status }),
    ...(statuses !== 'three' && { statuses }),
    ...(transitions !== 'failed' && { transitions }),
    ...(times !== 'milliseconds' && { times }),
  }
}

/** The first answer of a payout that moves by hand at the instant at which it was made. */
export const withFirstStatus = ({ first, status }: Payout): FirstAnswer =>
  status === 'PAYOUT_PENDING' || first?.status === 'pending'
    ? { ...first, status: 'pending' }
    : { ...first, status: 'processed' }

/** A payout as it was when it was first answered. */
export const asFirstAnswered = (payout: Payout): Payout => {
  const { created_at, updated_at, processed_at, first } = payout
  if ((processed_at ?? updated_at) === created_at && first?.status !== 'pending') {
    const isReturnedLater = updated_at !== created_at || first?.status === 'processed'
    return processed_at && isReturnedLater ? beforeReturn(payout) : payout
  }
  return {
    ...payout,
    status: 'PAYOUT_PENDING',
    reason: null,
    reference: null,
    updated_at: created_at,
  }
}

/** A returned payout as it was before. */
export const beforeReturn = ({ processed_at, ...payout }: Payout): Payout => ({
  ...payout,
  status: 'PAYOUT_PROCESSED',
  reason: null,
  updated_at: processed_at ?? payout.updated_at,
})

const samePayout = (tx: Tx, known: Payout, input: PayoutInput): Payout => {
  const { bank_name, account_holder_name, recipient_account_number } = input.recipient_details
  const details = known.account_details
  const differs = [
    ['user_id', known.user_id === input.user_id],
    ['currency', known.currency === input.currency],
    ['amount', isSameAmount(tx, known, input)],
    ['recipient_details.bank_name', details.bank_name === bank_name],
    ['recipient_details.account_holder_name', details.account_holder_name === account_holder_name],
    [
      'recipient_details.recipient_account_number',
      details.recipient_account_number === recipient_account_number,
    ],
  ].find(([, same]) => !same)
  if (!differs) return known
  throw broken(
    'customer_payout_id',
    `${input.customer_payout_id} already names payout ${known.id} with another ${differs[0]}`,
  )
}

/** Whether the amount is the same; one that is rounded compares as what it is rounded to. */
const isSameAmount = (tx: Tx, { amount, currency }: Payout, input: PayoutInput): boolean => {
  const decimals = decimalsOf(currency)
  if (isSame(amount, input.amount) || !hasExcess(input.amount, decimals)) {
    return isSame(amount, input.amount)
  }
  return isSame(amount, withoutExcess(tx, input.amount, decimals))
}
