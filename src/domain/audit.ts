import { runToEnd, visitInSteps } from '../kernel/run-to-end.js'
import { SubjectAudit } from './audit-subjects.js'
import type { LedgerRecord } from './balance-index.js'
import { MAX_DECIMALS } from './chains.js'
import { resolveAccount, TRANSIT } from './ledger.js'
import type { Amount } from './money.js'
import type { Tables } from './schema.js'

export interface AuditReport {
  readonly ok: boolean
  /** The sum of each asset, by kind of account. The total is zero. */
  readonly assets: readonly { asset: string; sum: string; accounts: Record<string, string> }[]
  /** Sentences; empty if `ok`. */
  readonly violations: readonly string[]
}

/** Sums all postings again, and trusts no running balance. */
export const audit = (tables: Tables): AuditReport => runToEnd(auditing(tables))

/** `audit` in steps: pauses between records and accounts. The tables must not change meanwhile. */
export function* auditing(tables: Tables): Generator<void, AuditReport> {
  const base = findUnchangedBase(tables)
  const known = base && baseReports.get(base)
  if (known) return known
  const report = yield* auditingAll(tables)
  if (base) baseReports.set(base, report)
  return report
}

/** Reports on the records that worlds begin with, which never change, by their ledger. */
const baseReports = new WeakMap<object, AuditReport>()

/** All tables that an audit reads. */
const AUDITED = [
  'ledger',
  'balances',
  'transfers',
  'payouts',
  'deposits',
  'users',
  'tokens',
] as const

/** The ledger under a world that wrote nothing that an audit reads. */
const findUnchangedBase = (tables: Tables): object | undefined =>
  AUDITED.some((name) => tables[name].hasOwn) ? undefined : tables.ledger.base

function* auditingAll(tables: Tables): Generator<void, AuditReport> {
  const sums: Sums = new Map()
  const subjects = new SubjectAudit(tables)
  yield* visitInSteps(tables.ledger.values(), (record) => {
    addPostings(sums, record)
    subjects.compare(record)
  })
  const violations = [
    ...(yield* balanceViolations(tables, sums)),
    ...(yield* subjects.violations()),
  ]
  const assets = yield* assetTotals(sums)
  for (const { asset, sum } of assets) {
    if (sum !== '0') violations.push(`postings in ${asset} sum to ${sum}, not zero`)
  }
  return { ok: violations.length === 0, assets, violations }
}

/** By account and asset, in the smallest unit that a token may have. */
type Sums = Map<string, Map<string, bigint>>

const add = (sums: Sums, account: string, asset: string, units: bigint): void => {
  const assets = sums.get(account)
  if (assets) assets.set(asset, (assets.get(asset) ?? 0n) + units)
  else sums.set(account, new Map([[asset, units]]))
}

/** Whole numbers are exact, and cost a fraction of decimals. */
const toUnits = (amount: Amount): bigint => {
  const point = amount.indexOf('.')
  const end = point < 0 ? amount.length : point
  return BigInt(amount.slice(0, end) + amount.slice(end + 1).padEnd(MAX_DECIMALS, '0'))
}

const fromUnits = (units: bigint): Amount => {
  if (units === 0n) return '0'
  if (units < 0n) return `-${fromUnits(-units)}`
  const digits = units.toString().padStart(MAX_DECIMALS + 1, '0')
  const decimals = digits.slice(-MAX_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -MAX_DECIMALS)
  return decimals === '' ? whole : `${whole}.${decimals}`
}

const addPostings = (sums: Sums, { id, movements: postings }: LedgerRecord): void => {
  const transit = resolveAccount(id, TRANSIT)
  for (const { from, to, asset, amount } of postings) {
    const units = toUnits(amount)
    add(sums, from === TRANSIT ? transit : from, asset, -units)
    add(sums, to === TRANSIT ? transit : to, asset, units)
  }
  dropSettled(sums, transit)
}

/** Nearly all transit accounts are back at zero, and there are as many as payouts. */
const dropSettled = (sums: Sums, account: string): void => {
  const assets = sums.get(account)
  if (!assets) return
  for (const sum of assets.values()) if (sum !== 0n) return
  sums.delete(account)
  for (const asset of assets.keys()) add(sums, TRANSIT, asset, 0n)
}

const NEVER_NEGATIVE = new Set(['user', 'wallet', 'transit'])

const kindOf = (account: string): string => {
  const colon = account.indexOf(':')
  return colon < 0 ? account : account.slice(0, colon)
}

function* balanceViolations(tables: Tables, sums: Sums): Generator<void, string[]> {
  const violations: string[] = []
  yield* visitInSteps(sums, ([account, assets]) => {
    const kind = kindOf(account)
    const isKept = kind === 'user' || kind === 'wallet'
    const balances = isKept ? tables.balances.of(account) : undefined
    for (const [asset, units] of assets) {
      if (units < 0n && NEVER_NEGATIVE.has(kind)) {
        violations.push(`${account} is below zero: ${fromUnits(units)} ${asset}`)
      }
      if (!balances) continue
      const kept = balances.get(asset)?.amount.toFixed()
      if (kept === undefined || toUnits(kept) !== units)
        violations.push(
          `${account} shows ${kept ?? 'no'} ${asset}, but its postings sum to ${fromUnits(units)}`,
        )
    }
  })
  return violations
}

function* assetTotals(sums: Sums): Generator<void, AuditReport['assets']> {
  const totals: Sums = new Map()
  yield* visitInSteps(sums, ([account, assets]) => {
    const kind = kindOf(account)
    for (const [asset, units] of assets) add(totals, asset, kind, units)
  })
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(formatTotals)
}

const formatTotals = ([asset, kinds]: [string, ReadonlyMap<string, bigint>]) => {
  let sum = 0n
  const accounts: Record<string, string> = {}
  for (const [kind, units] of kinds) {
    sum += units
    accounts[kind] = fromUnits(units)
  }
  return { asset, sum: fromUnits(sum), accounts }
}
