import type { LedgerRecord, Posting } from './balance-index.js'
import { toAsset } from './chains.js'
import { fiatDecimals } from './currencies.js'
import { expectedDepositPostings } from './deposits.js'
import { isNonZero, UNMATCHED } from './ledger.js'
import { expectedPayoutPostings } from './payouts.js'
import type { Deposit, Tables } from './schema.js'
import { expectedTransferPostings } from './transfers.js'

/**
 * Compares the postings with the records that they belong to. All other postings have to be
 * credits. Each violation starts with the record, or with the id of its postings.
 */
export function* subjectViolations(tables: Tables): Generator<void, string[]> {
  const { transfers, payouts, deposits } = tables
  return [
    ...(yield* mismatches(tables, 'transfer', transfers, expectedTransferPostings, fromRecord)),
    ...(yield* mismatches(tables, 'payout', payouts, expectedPayoutPostings, fromRecord)),
    ...(yield* mismatches(tables, 'deposit', deposits, expectedDepositPostings, fromDeposit)),
    ...(yield* unconverted(tables)),
    ...(yield* unexpectedPostings(tables)),
  ]
}

const fromRecord = ({ status }: { readonly status: string }): string => `is ${status}`

const fromDeposit = ({
  amount,
  crypto,
  chain,
  matched,
  wallet_id,
  transfer_id,
}: Deposit): string => {
  const to = {
    wallet: `to wallet ${wallet_id}`,
    offramp: `to transfer ${transfer_id}`,
    unmatched: 'to nobody',
  }
  return `moved ${amount} ${toAsset(crypto, chain)} ${to[matched]}`
}

function* mismatches<R extends { readonly id: string }>(
  tables: Tables,
  noun: string,
  table: { values(): Iterable<R> },
  expected: (record: R) => readonly Posting[],
  describe: (record: R) => string,
): Generator<void, string[]> {
  const violations: string[] = []
  for (const record of table.values()) {
    yield
    const posted = tables.ledger.get(`${noun}:${record.id}`)?.movements ?? []
    if (areSame(expected(record).filter(isNonZero), posted)) continue
    violations.push(`${noun} ${record.id} ${describe(record)}, but its postings do not match`)
  }
  return violations
}

const areSame = (due: readonly Posting[], posted: readonly Posting[]): boolean =>
  due.length === posted.length &&
  due.every(({ from, to, asset, amount }, i) => {
    const it = posted[i]
    return it?.from === from && it.to === to && it.asset === asset && it.amount === amount
  })

/** Deposits to offramps have no postings of their own; their transfers have them. */
function* unconverted({ transfers, deposits }: Tables): Generator<void, string[]> {
  const violations: string[] = []
  for (const deposit of deposits.values()) {
    yield
    const { id, matched, transfer_id, amount, crypto, chain } = deposit
    if (matched !== 'offramp') continue
    const transfer = transfers.get(transfer_id ?? '')
    const isSame = transfer?.source_asset === toAsset(crypto, chain)
    if (isSame && transfer.source_amount === amount) continue
    const of = transfer
      ? `but that converts ${transfer.source_amount} ${transfer.source_asset}`
      : 'but that does not exist'
    violations.push(`deposit ${id} ${fromDeposit(deposit)}, ${of}`)
  }
  return violations
}

/** Tables whose records have postings under their own id. */
const SUBJECTS = { transfer: 'transfers', payout: 'payouts', deposit: 'deposits' } as const

function* unexpectedPostings(tables: Tables): Generator<void, string[]> {
  const violations: string[] = []
  const tokens = new Set(tables.tokens.all().map(({ id }) => id))
  const isKnown = (asset: string) => tokens.has(asset) || fiatDecimals(asset) !== undefined
  for (const record of tables.ledger.values()) {
    yield
    const { id, movements: postings } = record
    const stray = unexpectedReason(tables, record)
    if (stray !== undefined) violations.push(`${id} ${stray}`)
    // Unmatched deposits may be of any token.
    const strange = postings.find(({ to, asset }) => to !== UNMATCHED && !isKnown(asset))
    if (strange)
      violations.push(`${id} moves ${strange.asset}, which is neither a currency nor a token`)
  }
  return violations
}

const unexpectedReason = (
  tables: Tables,
  { id, movements: postings }: LedgerRecord,
): string | undefined => {
  const colon = id.indexOf(':')
  const noun = id.slice(0, colon)
  if (noun === 'credit') {
    if (isCredit(tables, postings)) return undefined
    return 'is not a single posting of a currency from outside to a user'
  }
  if (!isSubject(noun)) return 'moves money, but is not a transfer, payout, deposit or credit'
  const subject = tables[SUBJECTS[noun]].get(id.slice(colon + 1))
  return subject ? undefined : `moves money, but no ${noun} has that id`
}

const isSubject = (noun: string): noun is keyof typeof SUBJECTS => Object.hasOwn(SUBJECTS, noun)

const isCredit = ({ users }: Tables, [posting, ...more]: readonly Posting[]): boolean => {
  if (!posting || more.length > 0 || posting.from !== 'outside') return false
  const [noun, user = ''] = posting.to.split(':', 2)
  if (noun !== 'user' || !users.get(user)) return false
  return fiatDecimals(posting.asset) !== undefined
}
