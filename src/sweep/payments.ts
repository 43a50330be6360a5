import { Decimal } from '../domain/money.js'
import { formatMoney } from '../history/format.js'
import { groupBy } from '../lib/group-by.js'
import type { VerificationInput } from '../scenarios/verify/subjects.js'

/** A payout or transfer that the command made. */
export interface Payment {
  readonly id: string
  /** `payout of 1,500.00 NGN to 0690000031`: the same in every run. */
  readonly what: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  /** Money left, or is on its way. */
  readonly isLive: boolean
  /** The customer_payout_id of a payout. */
  readonly reference?: string
}

const DEAD = ['PAYOUT_FAILED', 'FAILED', 'CANCELLED']

/** The payments of a world that are not from the fixtures. */
export const readPayments = ({ tables, firstOwn }: VerificationInput): Payment[] => {
  const payouts = tables.payouts.all().filter(({ n }) => n >= firstOwn('payouts'))
  const transfers = tables.transfers.all().filter(({ n }) => n >= firstOwn('transfers'))
  return [
    ...payouts.map(({ id, status, amount, currency, customer_payout_id: reference, ...it }) => ({
      ...{ id, status, amount, currency, reference, isLive: !DEAD.includes(status) },
      what: `payout of ${formatMoney(amount, currency)} to ${it.account_details.recipient_account_number}`,
    })),
    ...transfers.map(({ id, status, source_amount: amount, source_currency: currency, ...it }) => ({
      ...{ id, status, amount, currency, isLive: !DEAD.includes(status) },
      what: `transfer of ${formatMoney(amount, currency)} to ${it.target_currency}`,
    })),
  ]
}

/** Payments of commands with random amounts count by kind and currency only. */
export const withoutNumbers = (payments: readonly Payment[]): Payment[] =>
  payments.map((it) => ({ ...it, what: `${it.what.split(' ')[0]} in ${it.currency}` }))

/** Equal live payments of which a run has more than another one. */
interface Surplus {
  readonly what: string
  readonly payments: readonly Payment[]
  readonly expected: number
}

export const findSurplus = (
  payments: readonly Payment[] = [],
  others: readonly Payment[] = [],
): Surplus[] => {
  const count = (wanted: string) =>
    others.filter(({ what, isLive }) => isLive && what === wanted).length
  const groups = groupBy(
    payments.filter(({ isLive }) => isLive),
    ({ what }) => what,
  )
  return [...groups]
    .map(([what, same]) => ({ what, payments: same, expected: count(what) }))
    .filter((it) => it.payments.length > it.expected)
}

/** `3,000.00 NGN left for a bill of 1,500.00 NGN: 9f2645eb and 3204514e` */
export const formatSurplus = ({ what, payments, expected }: Surplus): string => {
  const ids = payments.map(({ reference, id }) => (reference ?? id).slice(0, 8)).join(' and ')
  const { amount = '0', currency = '' } = payments[0] ?? {}
  if (expected === 0 || payments.some((it) => it.amount !== amount))
    return `${payments.length} × ${what} instead of ${expected}: ${ids}`
  const sum = (count: number) => formatMoney(new Decimal(amount).times(count).toFixed(), currency)
  const bill = expected > 1 ? 'bills' : 'a bill'
  return `${sum(payments.length)} left for ${bill} of ${sum(expected)}: ${ids}`
}
