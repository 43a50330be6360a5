import { runToEnd } from '../kernel/run-to-end.js'
import { subjectViolations } from './audit-subjects.js'
import { resolveAccount } from './ledger.js'
import { Decimal, ZERO } from './money.js'
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

/** `audit` in steps: pauses at each record and account. The tables must not change meanwhile. */
export function* auditing(tables: Tables): Generator<void, AuditReport> {
  const sums = yield* sumPostings(tables)
  const violations = [
    ...(yield* balanceViolations(tables, sums)),
    ...(yield* subjectViolations(tables)),
  ]
  const assets = yield* assetTotals(sums)
  for (const { asset, sum } of assets) {
    if (sum !== '0') violations.push(`postings in ${asset} sum to ${sum}, not zero`)
  }
  return { ok: violations.length === 0, assets, violations }
}

type Sums = Map<string, Map<string, Decimal>>

function* sumPostings({ ledger }: Tables): Generator<void, Sums> {
  const sums: Sums = new Map()
  const add = (account: string, asset: string, amount: Decimal) => {
    const assets = sums.get(account) ?? new Map<string, Decimal>()
    sums.set(account, assets.set(asset, (assets.get(asset) ?? ZERO).plus(amount)))
  }
  for (const { id, movements: postings } of ledger.values()) {
    yield
    for (const { from, to, asset, amount } of postings) {
      add(resolveAccount(id, from), asset, ZERO.minus(amount))
      add(resolveAccount(id, to), asset, new Decimal(amount))
    }
  }
  return sums
}

const NEVER_NEGATIVE = new Set(['user', 'wallet', 'transit', 'held'])

function* balanceViolations(tables: Tables, sums: Sums): Generator<void, string[]> {
  const violations: string[] = []
  for (const [account, assets] of sums) {
    yield
    const kind = account.split(':', 1)[0] ?? account
    for (const [asset, sum] of assets) {
      if (NEVER_NEGATIVE.has(kind) && sum.lt(0)) {
        violations.push(`${account} is below zero: ${sum} ${asset}`)
      }
      if (kind !== 'user' && kind !== 'wallet') continue
      const kept = tables.balances.of(account).get(asset)?.amount
      if (!kept?.eq(sum))
        violations.push(`${account} shows ${kept ?? 'no'} ${asset}, but its postings sum to ${sum}`)
    }
  }
  return violations
}

function* assetTotals(sums: Sums): Generator<void, AuditReport['assets']> {
  const totals = new Map<string, Map<string, Decimal>>()
  for (const [account, assets] of sums) {
    yield
    const kind = account.split(':', 1)[0] ?? account
    for (const [asset, sum] of assets) {
      const kinds = totals.get(asset) ?? new Map<string, Decimal>()
      totals.set(asset, kinds.set(kind, (kinds.get(kind) ?? ZERO).plus(sum)))
    }
  }
  return [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([asset, kinds]) => ({
      asset,
      sum: [...kinds.values()].reduce((all, one) => all.plus(one), ZERO).toFixed(),
      accounts: Object.fromEntries([...kinds].map(([kind, sum]) => [kind, sum.toFixed()])),
    }))
}
