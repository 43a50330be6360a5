import { lineageOf } from '../journal/lineage.js'
import type { Entry } from '../world/kernel/entry.js'
import type { LedgerRecord, Movement } from '../world/ledger.js'
import { EntryList } from './entry-line.js'
import { Money } from './money.js'
import type { View } from './view.js'

const MOST_MOVES = 8

/** What moved a user's balances last, and why: an account of the ledger, entry by entry. */
export const BalanceMoves = ({ view, account }: { view: View; account: string }) => {
  const moves = movesOf(view, account).slice(-MOST_MOVES).reverse()
  if (moves.length === 0) return null
  const byEntry = new Map(moves.map(({ entry, movements }) => [entry, movements]))
  return (
    <>
      <h3>What moved them last</h3>
      <EntryList
        view={view}
        entries={[...byEntry.keys()]}
        lead={(entry) =>
          byEntry.get(entry)?.map(({ to, amount, asset }) => (
            <>
              <Money amount={`${to === account ? '+' : '−'}${amount}`} asset={asset} />{' '}
            </>
          ))
        }
      />
    </>
  )
}

interface Move {
  readonly entry: Entry
  readonly movements: readonly Movement[]
}

const movesOf = ({ line }: View, account: string): Move[] => {
  const counts = new Map<string, number>()
  return lineageOf(line.journal.after(0)).flatMap((entry) => {
    const movements = entry.changes.flatMap(({ table, record }) => {
      if (table !== 'ledger' || !record) return []
      const { id, movements: all } = record as unknown as LedgerRecord
      const known = counts.get(id) ?? knownBefore(entry, all.length)
      counts.set(id, all.length)
      return all.slice(known).filter(({ from, to }) => from === account || to === account)
    })
    return movements.length > 0 ? [{ entry, movements }] : []
  })
}

/** A subject whose beginning the journal does not hold is only ever reversed: its second half is new. */
const knownBefore = ({ command }: Entry, length: number): number =>
  /\.(create|credit|receive)$/.test(command) ? 0 : length / 2
