import { isAssumption, readingNames } from '../assumptions/ids.js'
import type { Change, Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'

/**
 * Records that a build with 83 assumptions stored, as this one has them: without fields of decided assumptions, and
 * without choices of their readings. Money that such a reading moved stays where its postings put it.
 */

type Fields = Row & Record<string, unknown>

const REMOVED: Readonly<Record<string, readonly string[]>> = {
  consents: ['declined'],
  instructions: ['asset_read'],
  offramps: ['inactive_user', 'beyond_limits'],
  transfers: ['rounding', 'rate_fixed', 'failed_funds'],
  payouts: ['fee_kept', 'first'],
  deposits: ['kept'],
}

/** This build stores what the first response of a payout showed, in the field that held its readings. */
const isShown = (first: unknown): boolean => 'updated_at' in Object(first)

const convert = (table: string, row: Row, adjusted: ReadonlySet<string>): Fields | undefined => {
  const record = row as Fields
  if (table === 'readings') return hasReading(record) ? record : undefined
  if (table === 'ledger') return adjusted.has(row.id) ? { ...record, adjusted: true } : record
  const removed = REMOVED[table]?.filter((it) => it in record && !isShown(record[it]))
  if (!removed?.length) return record
  const kept = { ...record }
  for (const field of removed) delete kept[field]
  return kept
}

const hasReading = ({ id, reading }: Fields): boolean =>
  isAssumption(id) && readingNames(id).includes(String(reading))

/** The id of the postings that a decided reading made. */
const adjustedBy = (table: string, row: Row | null): string | undefined => {
  const record = row as Fields
  if (table === 'payouts' && record?.fee_kept) return `payout:${record.id}`
  return table === 'transfers' && record?.failed_funds ? `transfer:${record.id}` : undefined
}

type Rows = Readonly<Record<string, readonly Row[]>>

export const convertRows = (tables: Rows): Rows => {
  const all = Object.entries(tables)
  const adjusted = new Set(
    all.flatMap(([table, rows]) => rows.map((row) => adjustedBy(table, row) ?? '')),
  )
  return Object.fromEntries(
    all.map(([table, rows]) => [table, rows.flatMap((row) => convert(table, row, adjusted) ?? [])]),
  )
}

interface Changing {
  readonly entries: readonly Entry[]
}

export const convertEntries = <C extends Changing>(commit: C): C => ({
  ...commit,
  entries: commit.entries.map((entry) => ({ ...entry, changes: convertChanges(entry.changes) })),
})

const convertChanges = (changes: readonly Change[]): Change[] => {
  const adjusted = new Set(changes.map(({ table, record }) => adjustedBy(table, record) ?? ''))
  return changes.flatMap((change): Change[] => {
    const { table, id, record } = change
    if (!record) return table === 'readings' && !isAssumption(id) ? [] : [change]
    const converted = convert(table, record, adjusted)
    return converted ? [{ ...change, record: converted }] : []
  })
}
