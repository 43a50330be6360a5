import type { Row } from '../kernel/row.js'
import { visitInSteps } from '../kernel/run-to-end.js'
import type { Table } from '../kernel/table.js'
import type { LedgerRecord, Posting } from './balance-index.js'
import { toAsset } from './chains.js'
import { fiatDecimals } from './currencies.js'
import { expectedDepositPostings } from './deposits.js'
import { isNonZero, UNMATCHED } from './ledger.js'
import { expectedPayoutPostings } from './payouts.js'
import type { Deposit, Tables } from './schema.js'
import { expectedTransferPostings } from './transfers.js'

/**
 * Compares postings with the records that they belong to. All other postings have to be credits. Each
 * violation starts with the record, or with the id of its postings.
 */
export class SubjectAudit {
  readonly #tables: Tables
  readonly #subjects: Readonly<Record<string, AnySubjects>>
  readonly #strays: string[] = []

  constructor(tables: Tables) {
    const { transfers, payouts, deposits } = tables
    this.#tables = tables
    this.#subjects = {
      transfer: new Subjects('transfer', transfers, expectedTransferPostings, describeStatus),
      payout: new Subjects('payout', payouts, expectedPayoutPostings, describeStatus),
      deposit: new Subjects('deposit', deposits, expectedDepositPostings, describeDeposit),
    }
  }

  compare(record: LedgerRecord): void {
    const { id, movements: postings } = record
    const stray = this.#compare(record)
    if (stray !== undefined) this.#strays.push(`${id} ${stray}`)
    // Unmatched deposits may be of any token.
    const strange = postings.find(({ to, asset }) => to !== UNMATCHED && !this.#isKnown(asset))
    if (!strange) return
    this.#strays.push(`${id} moves ${strange.asset}, which is neither a currency nor a token`)
  }

  /** All violations, once all postings are compared. */
  *violations(): Generator<void, string[]> {
    const subjects = Object.values(this.#subjects)
    for (const it of subjects) yield* it.findUnposted(this.#tables)
    const mismatches = subjects.flatMap(({ mismatches }) => mismatches)
    return [...mismatches, ...(yield* unconverted(this.#tables)), ...this.#strays]
  }

  /** Why the postings should not be there. */
  #compare({ id, movements: postings, adjusted }: LedgerRecord): string | undefined {
    const colon = id.indexOf(':')
    const noun = id.slice(0, colon)
    if (noun === 'credit') {
      if (isCredit(this.#tables, postings)) return undefined
      return 'is not a single posting of a currency from outside to a user'
    }
    if (!Object.hasOwn(this.#subjects, noun))
      return 'moves money, but is not a transfer, payout, deposit or credit'
    const isThere = this.#subjects[noun]?.compare(
      id.slice(colon + 1),
      adjusted ? undefined : postings,
    )
    return isThere ? undefined : `moves money, but no ${noun} has that id`
  }

  #isKnown(asset: string): boolean {
    return fiatDecimals(asset) !== undefined || this.#tables.tokens.get(asset) !== undefined
  }
}

type AnySubjects = Pick<Subjects<Row>, 'mismatches' | 'compare' | 'findUnposted'>

/** The records of a table whose states demand postings. */
class Subjects<R extends Row> {
  readonly mismatches: string[] = []
  #posted = 0

  constructor(
    private readonly noun: string,
    private readonly table: Pick<Table<R>, 'get' | 'size' | 'values'>,
    private readonly expected: (record: R) => readonly Posting[],
    private readonly describe: (record: R) => string,
  ) {}

  /** Compares the postings of a record, if its state demands them; false if there is no such record. */
  compare(id: string, posted: readonly Posting[] | undefined): boolean {
    const record = this.table.get(id)
    if (!record) return false
    this.#posted++
    if (posted) this.#compare(record, posted)
    return true
  }

  /** Compares the records without postings, if there are any. */
  *findUnposted({ ledger }: Tables): Generator<void> {
    if (this.#posted === this.table.size) return
    yield* visitInSteps(this.table.values(), (record) => {
      if (!ledger.get(`${this.noun}:${record.id}`)) this.#compare(record, [])
    })
  }

  #compare(record: R, posted: readonly Posting[]): void {
    if (areSame(this.expected(record).filter(isNonZero), posted)) return
    this.mismatches.push(
      `${this.noun} ${record.id} ${this.describe(record)}, but its postings do not match`,
    )
  }
}

const describeStatus = ({ status }: { readonly status: string }): string => `is ${status}`

const describeDeposit = ({
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

const areSame = (due: readonly Posting[], posted: readonly Posting[]): boolean =>
  due.length === posted.length &&
  due.every(({ from, to, asset, amount }, i) => {
    const it = posted[i]
    return it?.from === from && it.to === to && it.asset === asset && it.amount === amount
  })

/** Deposits to offramps have no postings of their own; their transfers have them. */
function* unconverted({ transfers, deposits }: Tables): Generator<void, string[]> {
  const violations: string[] = []
  yield* visitInSteps(deposits.values(), (deposit) => {
    const { id, matched, transfer_id, amount, crypto, chain } = deposit
    if (matched !== 'offramp') return
    const transfer = transfers.get(transfer_id ?? '')
    const isSame = transfer?.source_asset === toAsset(crypto, chain)
    if (isSame && transfer.source_amount === amount) return
    const of = transfer
      ? `but that converts ${transfer.source_amount} ${transfer.source_asset}`
      : 'but that does not exist'
    violations.push(`deposit ${id} ${describeDeposit(deposit)}, ${of}`)
  })
  return violations
}

const isCredit = ({ users }: Tables, [posting, ...more]: readonly Posting[]): boolean => {
  if (!posting || more.length > 0 || posting.from !== 'outside') return false
  const [noun, user = ''] = posting.to.split(':', 2)
  if (noun !== 'user' || !users.get(user)) return false
  return fiatDecimals(posting.asset) !== undefined
}
