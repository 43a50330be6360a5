import type { Payout, Tables } from '../domain/schema.js'
import { forEachChange } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import { parseInstant } from '../kernel/time.js'
import { groupBy } from '../lib/group-by.js'
import { isDelivered, isUnclear } from './delivered.js'
import { formatDuration, formatMoney } from './format.js'
import { repeatableId } from './repeatable-id.js'
import type { LoggedExchange } from './views.js'

/** Why a payout pays a bill again. One `while_pending` may pay a bill of its own, so it does not count. */
export const KINDS = {
  same_id: 'under the same customer_payout_id',
  answer_lost: 'after the answer was lost',
  while_pending: 'while it was pending',
}

export interface SecondPayment {
  readonly payout: Payout
  /** The payout that already pays the bill. */
  readonly of: Payout
  /** The numbers of the requests that made them, that of the first payment first. */
  readonly requests: readonly number[]
  readonly kind: keyof typeof KINDS
  /** Milliseconds of the machine from the loss of the first answer to the second request. */
  readonly after_ms: number | null
}

export type CertainPayment = SecondPayment & {
  readonly kind: Exclude<SecondPayment['kind'], 'while_pending'>
}

export interface PaidTwice {
  readonly twice: readonly SecondPayment[]
  /** Payouts that may pay a bill again: the log no longer has the requests that made them. */
  readonly unknown: readonly Payout[]
}

interface Payment {
  readonly payout: Payout
  /** The request that made it; null if no request did, and undefined if the log no longer has it. */
  readonly maker: LoggedExchange | null | undefined
  /** All requests with its id. */
  readonly sent: readonly LoggedExchange[]
  /** A delivered response of any operation showed that it failed. */
  readonly isShownFailed: boolean
  /** The entry that created it, and the one that ended PAYOUT_PENDING. */
  readonly made: number
  readonly ended: number
}

/** Finds bills that are paid twice. The lineage has the entries of the world. All lists begin with the oldest. */
export const findPaidTwice = (
  payouts: readonly Payout[],
  readExchanges: () => readonly LoggedExchange[],
  readLineage: () => readonly Entry[],
): PaidTwice => {
  const paid = payouts.filter(({ status }) => status !== 'PAYOUT_FAILED')
  const bills = [...groupBy(paid, toBill).values()].filter((bill) => bill.length > 1)
  if (bills.length === 0) return { twice: [], unknown: [] }
  const toPayment = createPaymentReader(readExchanges(), readLineage())
  const payments = bills.map((bill) => bill.map(toPayment))
  const twice = payments.flatMap(findSeconds)
  const found = new Set(twice.map(({ payout }) => payout))
  return { twice, unknown: payments.flatMap(findUnknown).filter((it) => !found.has(it)) }
}

/** Whether an entry wrote one of several payouts under one id of the client. */
export const repeatsPayoutId = ({ payouts }: Tables, entry: Entry): boolean => {
  let repeats = false
  forEachChange(entry, 'payouts', (_, payout) => {
    const id = (payout as Payout | undefined)?.customer_payout_id.toLowerCase()
    repeats ||= id !== undefined && payouts.count('customer_id', id) > 1
  })
  return repeats
}

/** Payouts with equal values pay one bill, or equal ones. */
export const toBill = ({ user_id, amount, currency, account_details: to }: Payout): string =>
  `${user_id} ${normalize(amount)} ${currency} ${to.recipient_account_number} ${to.bank_name}`

/** A world may have many payouts, so that no decimal number is made of each. */
const normalize = (amount: string): string =>
  amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount

const createPaymentReader = (
  exchanges: readonly LoggedExchange[],
  lineage: readonly Entry[],
): ((payout: Payout) => Payment) => {
  const sentById = groupBy(exchanges, (it) => repeatableId(it.operation, it.request.body)?.id ?? '')
  const makers = new Map(exchanges.map((it) => [it.id, it]))
  const shown = exchanges.filter(isDelivered).flatMap((it) => it.shown)
  const shownFailed = new Map(shown.filter(([, status]) => /FAILED|RETURNED/.test(status)))
  const changes: { readonly id: string; readonly entry: Entry; readonly record: unknown }[] = []
  for (const entry of lineage)
    forEachChange(entry, 'payouts', (id, record) => changes.push({ id, entry, record }))
  const changesById = groupBy(changes, ({ id }) => id)
  return (payout) => {
    const own = changesById.get(payout.id) ?? []
    const sent = sentById.get(payout.customer_payout_id.toLowerCase()) ?? []
    const { seq = 0, cause } = own[0]?.entry ?? {}
    const end = own.find(({ record }) => (record as Payout | null)?.status !== 'PAYOUT_PENDING')
    return {
      payout,
      maker: cause && cause.kind !== 'request' ? null : makers.get(cause?.request ?? ''),
      sent,
      isShownFailed: shownFailed.has(payout.id),
      made: seq,
      ended: end?.entry.seq ?? Number.POSITIVE_INFINITY,
    }
  }
}

/** Each payment that repeats another one, beside the nearest. */
const findSeconds = (payments: readonly Payment[]): SecondPayment[] => {
  const withMaker = payments.filter(({ maker }) => maker)
  const newestFirst = withMaker.toSorted((a, b) => (b.maker?.n ?? 0) - (a.maker?.n ?? 0))
  const byId = groupBy(payments, ({ payout }) => payout.customer_payout_id.toLowerCase())
  return payments.flatMap((second) => {
    let found: SecondPayment | undefined
    const same = byId.get(second.payout.customer_payout_id.toLowerCase()) ?? []
    for (const first of second.maker ? [...same, ...newestFirst] : same) {
      const kind = judge(first, second)
      if (!kind || (found && kind === 'while_pending')) continue
      const requests = [first.maker, second.maker].flatMap((it) => it?.n ?? [])
      const after_ms = kind === 'answer_lost' ? sinceLoss(first, second) : null
      found = { payout: second.payout, of: first.payout, requests, kind, after_ms }
      if (kind !== 'while_pending') break
    }
    return found ?? []
  })
}

/** Under two ids a client pays one bill if it never asked again for the first. */
const judge = (first: Payment, second: Payment): SecondPayment['kind'] | undefined => {
  if (isSameId(first, second)) return first.payout.n < second.payout.n ? 'same_id' : undefined
  const { maker, sent } = first
  const [asked] = second.sent
  if (!maker || !second.maker || !asked || asked.n < maker.n || first.isShownFailed)
    return undefined
  const last = sent.at(-1)?.n ?? 0
  if (last <= maker.n && isLostBefore(maker, asked)) return 'answer_lost'
  const isPending = first.made < second.made && second.made < first.ended
  return isPending && last < asked.n ? 'while_pending' : undefined
}

const isSameId = (a: Payment, b: Payment): boolean =>
  a.payout.customer_payout_id.toLowerCase() === b.payout.customer_payout_id.toLowerCase()

/** Whether the response was lost when the client asked. The log has the start in whole milliseconds. */
const isLostBefore = (maker: LoggedExchange, asked: LoggedExchange): boolean =>
  isUnclear(maker) && endOf(maker) <= parseInstant(asked.started_at)

const endOf = ({ started_at, duration_ms, aborted_ms, pending }: LoggedExchange): number => {
  const lasted = aborted_ms ?? (pending ? Number.POSITIVE_INFINITY : Math.floor(duration_ms))
  return parseInstant(started_at) + lasted
}

const sinceLoss = ({ maker }: Payment, { sent: [asked] }: Payment): number | null =>
  maker && asked ? parseInstant(asked.started_at) - endOf(maker) : null

/** Payments that may repeat an earlier one. */
const findUnknown = (payments: readonly Payment[]): Payout[] => {
  const asked = payments.filter(({ maker }) => maker !== null)
  const oldestGone = asked.findIndex(({ maker }) => !maker)
  if (oldestGone < 0) return []
  return asked
    .filter(({ maker }, i) => i > 0 && (!maker || i > oldestGone))
    .map(({ payout }) => payout)
}

/** Whether the bill is paid twice for sure. */
export const isPaidTwice = (it: SecondPayment): it is CertainPayment => it.kind !== 'while_pending'

/** `paid twice: 99.99 USD, 7 ms after the answer was lost, with a new id`; `times` counts the payments of the bill. */
export const describePaidTwice = ({ payout, kind, after_ms }: SecondPayment, times = 2): string => {
  const sum = formatMoney(payout.amount, payout.currency)
  const when = after_ms === null ? KINDS[kind] : `${formatDuration(after_ms)} ${KINDS[kind]}`
  const often = times === 2 ? 'twice' : `${times} times`
  const verb = kind === 'while_pending' ? 'paid again' : `paid ${often}`
  const again = times === 2 ? '' : 'again '
  return `${verb}: ${sum}, ${again}${when}${kind === 'same_id' ? '' : ', with a new id'}`
}

/** The finding, and the numbers of both requests, for readers without links. */
export const describeEvidence = (it: SecondPayment): string =>
  `${describePaidTwice(it)}: requests ${it.requests.join(' and ')}`
