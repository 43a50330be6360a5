import { assetOf } from './chains.js'
import { fiatDecimals } from './currencies.js'
import { type Deposit, expectedDepositMovements } from './deposits.js'
import { isMoving, type LedgerRecord, type Movement, UNMATCHED } from './ledger.js'
import { expectedPayoutMovements } from './payouts.js'
import { expectedMovements } from './transfers.js'
import type { Tables } from './world.js'

/**
 * What is wrong between the movements of money and what they are about: each record has those that it calls
 * for, and all others are credits. The sentences begin with the record, or with the id of its movements.
 */
export function* subjectViolations(tables: Tables): Generator<void, string[]> {
  const { transfers, payouts, deposits } = tables
  return [
    ...(yield* mismatches(tables, 'transfer', transfers, expectedMovements, asItStands)),
    ...(yield* mismatches(tables, 'payout', payouts, expectedPayoutMovements, asItStands)),
    ...(yield* mismatches(tables, 'deposit', deposits, expectedDepositMovements, asItCame)),
    ...(yield* unconverted(tables)),
    ...(yield* strays(tables)),
  ]
}

const asItStands = ({ status }: { readonly status: string }): string => `is ${status}`

const asItCame = ({ amount, crypto, chain, matched, wallet_id, transfer_id }: Deposit): string => {
  const to = {
    wallet: `to wallet ${wallet_id}`,
    offramp: `to transfer ${transfer_id}`,
    unmatched: 'to nobody',
  }
  return `has brought ${amount} ${assetOf(crypto, chain)} ${to[matched]}`
}

function* mismatches<R extends { readonly id: string }>(
  tables: Tables,
  noun: string,
  table: { values(): Iterable<R> },
  expected: (record: R) => readonly Movement[],
  stands: (record: R) => string,
): Generator<void, string[]> {
  const violations: string[] = []
  for (const record of table.values()) {
    yield
    const posted = tables.ledger.get(`${noun}:${record.id}`)?.movements ?? []
    if (areSame(expected(record).filter(isMoving), posted)) continue
    const why = 'which its movements of money do not match'
    violations.push(`${noun} ${record.id} ${stands(record)}, ${why}`)
  }
  return violations
}

const areSame = (due: readonly Movement[], posted: readonly Movement[]): boolean =>
  due.length === posted.length &&
  due.every(({ from, to, asset, amount }, i) => {
    const it = posted[i]
    return it?.from === from && it.to === to && it.asset === asset && it.amount === amount
  })

/** Deposits to offramps have no movements of their own: they are what their transfers convert. */
function* unconverted({ transfers, deposits }: Tables): Generator<void, string[]> {
  const violations: string[] = []
  for (const deposit of deposits.values()) {
    yield
    const { id, matched, transfer_id, amount, crypto, chain } = deposit
    if (matched !== 'offramp') continue
    const transfer = transfers.get(transfer_id ?? '')
    const isSame = transfer?.source_asset === assetOf(crypto, chain)
    if (isSame && transfer.source_amount === amount) continue
    const of = transfer
      ? `which converts ${transfer.source_amount} ${transfer.source_asset}`
      : 'which is not there'
    violations.push(`deposit ${id} ${asItCame(deposit)}, ${of}`)
  }
  return violations
}

/** Tables of records whose movements are named by their ids. */
const SUBJECTS = { transfer: 'transfers', payout: 'payouts', deposit: 'deposits' } as const

function* strays(tables: Tables): Generator<void, string[]> {
  const violations: string[] = []
  const tokens = new Set(tables.tokens.all().map(({ id }) => id))
  const isKnown = (asset: string) => tokens.has(asset) || fiatDecimals(asset) !== undefined
  for (const record of tables.ledger.values()) {
    yield
    const { id, movements } = record
    const stray = whyStray(tables, record)
    if (stray !== undefined) violations.push(`${id} ${stray}`)
    // What nobody expects may be anything.
    const strange = movements.find(({ to, asset }) => to !== UNMATCHED && !isKnown(asset))
    if (strange) violations.push(`${id} moves ${strange.asset}, which is no currency and no token`)
  }
  return violations
}

const whyStray = (tables: Tables, { id, movements }: LedgerRecord): string | undefined => {
  const colon = id.indexOf(':')
  const noun = id.slice(0, colon)
  if (noun === 'credit') {
    if (isCredit(tables, movements)) return undefined
    return 'is not one movement of a currency from outside to a user'
  }
  if (!isSubject(noun)) return 'moves money, but is no transfer, payout, deposit or credit'
  const subject = tables[SUBJECTS[noun]].get(id.slice(colon + 1))
  return subject ? undefined : `moves money, but no ${noun} has that id`
}

const isSubject = (noun: string): noun is keyof typeof SUBJECTS => Object.hasOwn(SUBJECTS, noun)

const isCredit = ({ users }: Tables, [movement, ...more]: readonly Movement[]): boolean => {
  if (!movement || more.length > 0 || movement.from !== 'outside') return false
  const [noun, user = ''] = movement.to.split(':', 2)
  if (noun !== 'user' || !users.get(user)) return false
  return fiatDecimals(movement.asset) !== undefined
}
