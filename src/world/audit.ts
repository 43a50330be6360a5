import { subjectViolations } from './audit-subjects.js'
import { Big } from './big.js'
import { accountOf, type LedgerRecord } from './ledger.js'
import { ZERO } from './money.js'
import type { Tables } from './world.js'

export interface AuditReport {
  readonly ok: boolean
  /** What each kind of account holds of each asset, and their sum, which is zero. */
  readonly assets: readonly { asset: string; sum: string; accounts: Record<string, string> }[]
  /** What is wrong, in sentences; empty when `ok`. */
  readonly violations: readonly string[]
}

/** Proves the ledger from its movements alone, trusting no sum that was kept along the way. */
export const audit = (tables: Tables): AuditReport => {
  const ledger = tables.ledger.all()
  const sums = sumMovements(ledger)
  const violations = [...balanceViolations(tables, sums), ...subjectViolations(tables, ledger)]
  const assets = assetTotals(sums)
  for (const { asset, sum } of assets) {
    if (sum !== '0') violations.push(`movements in ${asset} sum to ${sum}, not zero`)
  }
  return { ok: violations.length === 0, assets, violations }
}

/** account, then asset, then sum */
type Sums = Map<string, Map<string, Big>>

const sumMovements = (ledger: readonly LedgerRecord[]): Sums => {
  const sums: Sums = new Map()
  const add = (account: string, asset: string, amount: Big) => {
    const assets = sums.get(account) ?? new Map<string, Big>()
    sums.set(account, assets.set(asset, (assets.get(asset) ?? ZERO).plus(amount)))
  }
  for (const { id, movements } of ledger) {
    for (const { from, to, asset, amount } of movements) {
      add(accountOf(id, from), asset, ZERO.minus(amount))
      add(accountOf(id, to), asset, new Big(amount))
    }
  }
  return sums
}

/** Kinds of accounts that never go below zero. */
const NEVER_NEGATIVE = new Set(['user', 'wallet', 'transit', 'held'])

const balanceViolations = (tables: Tables, sums: Sums): string[] => {
  const violations: string[] = []
  for (const [account, assets] of sums) {
    const kind = account.split(':', 1)[0] ?? account
    for (const [asset, sum] of assets) {
      if (NEVER_NEGATIVE.has(kind) && sum.lt(0)) {
        violations.push(`${account} is below zero: ${sum} ${asset}`)
      }
      if (kind !== 'user' && kind !== 'wallet') continue
      const kept = tables.balances.of(account).get(asset)?.amount
      if (!kept?.eq(sum))
        violations.push(`${account} shows ${kept ?? 'no'} ${asset}, movements say ${sum}`)
    }
  }
  return violations
}

const assetTotals = (sums: Sums): AuditReport['assets'] => {
  const totals = new Map<string, Map<string, Big>>()
  for (const [account, assets] of sums) {
    const kind = account.split(':', 1)[0] ?? account
    for (const [asset, sum] of assets) {
      const kinds = totals.get(asset) ?? new Map<string, Big>()
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
