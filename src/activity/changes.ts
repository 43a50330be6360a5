import type { LedgerRecord } from '../domain/balance-index.js'
import { Decimal, ZERO } from '../domain/money.js'
import type { Tables } from '../domain/schema.js'
import { isNoun, type Noun, nouns } from '../history/explain.js'
import { forEachWrittenRow } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { compareByDue, type Timer } from '../kernel/timer-records.js'
import { findDifferences } from '../lib/json.js'

/** A record before and after some entries; undefined if it was not there, or if nothing kept it. */
export interface RecordChange {
  readonly noun: Noun
  readonly id: string
  readonly did: 'made' | 'changed' | 'removed'
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** The changes of records by entries, in the order in which they first touched them. */
export const findChanges = (entries: readonly Entry[]): RecordChange[] => {
  const changes = new Map<string, RecordChange>()
  for (const entry of entries) {
    const made = new Set(entry.events.filter(({ type }) => CREATIONS.has(type)).map(({ id }) => id))
    forEachWrittenRow(entry, (table, id, before, after) => {
      if (!isNoun(table)) return
      const known = changes.get(id)
      const isNew = known ? known.did === 'made' : entry.cause.kind === 'fixtures' || made.has(id)
      const did = !after ? 'removed' : isNew ? 'made' : 'changed'
      changes.set(id, { noun: table, id, did, before: known ? known.before : before, after })
    })
  }
  return [...changes.values()]
}

const CREATIONS: ReadonlySet<string> = new Set(Object.values(nouns))

/** The sums that entered or left the balances of users and wallets, by account and asset. */
export const findMoney = (entries: readonly Entry[]) => {
  const sums = new Map<string, { account: string; asset: string; amount: Decimal }>()
  const add = (account: string, asset: string, amount: Decimal) => {
    if (!/^(user|wallet):/.test(account)) return
    const known = sums.get(`${account} ${asset}`)?.amount ?? ZERO
    sums.set(`${account} ${asset}`, { account, asset, amount: known.plus(amount) })
  }
  for (const entry of entries) {
    forEachWrittenRow(entry, (table, _, before, after) => {
      if (table !== 'ledger' || !after) return
      const known = (before as LedgerRecord | undefined)?.movements.length ?? 0
      for (const { from, to, asset, amount } of (after as LedgerRecord).movements.slice(known)) {
        add(from, asset, ZERO.minus(amount))
        add(to, asset, new Decimal(amount))
      }
    })
  }
  return [...sums.values()].filter(({ amount }) => !amount.eq(0))
}

/** Fields of some records that no response shows. */
const INTERNAL: ReadonlySet<string> = new Set(['n', 'hash', 'scenarios'])

export const withoutInternals = (record: object = {}) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !INTERNAL.has(name)))

/** The fields of a record that differ, before and after. A new record has all of them. */
export const changedFields = ({ before, after }: RecordChange) =>
  [...findDifferences(withoutInternals(before), withoutInternals(after))].filter(
    ({ a, b }) => (a ?? null) !== (b ?? null),
  )

export type ChangedField = ReturnType<typeof changedFields>[number]

/** Its fields are null if nothing kept the record before. */
export const showChange = (change: RecordChange) => {
  const { noun, id, did, before } = change
  const isKnown = did === 'made' || before !== undefined
  const toField = ({ path, a = null, b = null }: ChangedField) => ({ path, before: a, after: b })
  const fields = changedFields(change).map(toField)
  return { noun, id, did, fields: isKnown ? fields : null }
}

/** The plans that entries made and that are still to come. */
export const findPlans = ({ timers }: Tables, entries: readonly Entry[]): Timer[] => {
  const ids = new Set<string>()
  for (const entry of entries) {
    forEachWrittenRow(entry, (table, id) => {
      if (table === 'timers') ids.add(id)
    })
  }
  return [...ids].flatMap((id) => timers.get(id) ?? []).sort(compareByDue)
}
