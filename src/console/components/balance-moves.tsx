import type { LedgerRecord, Posting } from '../../domain/balance-index.js'
import { buildLineage } from '../../journal/lineage.js'
import type { Entry } from '../../kernel/entry.js'
import type { PageContext } from '../page-context.js'
import { EntryList } from './entry-line.js'
import { Money } from './money.js'

const MAX_MOVES = 8

/** The last movements of an account in the ledger, by entry. */
export const BalanceMoves = ({ ctx, account }: { ctx: PageContext; account: string }) => {
  const moves = findMoves(ctx, account).slice(-MAX_MOVES).reverse()
  if (moves.length === 0) return null
  const byEntry = new Map(moves.map(({ entry, movements: postings }) => [entry, postings]))
  return (
    <>
      <h3>Recent movements</h3>
      <EntryList
        ctx={ctx}
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
  readonly movements: readonly Posting[]
}

const findMoves = ({ live }: PageContext, account: string): Move[] => {
  const counts = new Map<string, number>()
  return buildLineage(live.journal.all()).flatMap((entry) => {
    const postings = entry.changes.flatMap(({ table, record }) => {
      if (table !== 'ledger' || !record) return []
      const { id, movements: all } = record as unknown as LedgerRecord
      const known = counts.get(id) ?? knownBefore(entry, all.length)
      counts.set(id, all.length)
      return all.slice(known).filter(({ from, to }) => from === account || to === account)
    })
    return postings.length > 0 ? [{ entry, movements: postings }] : []
  })
}

/** A subject whose beginning the journal does not hold is only ever reversed: its second half is new. */
const knownBefore = ({ command }: Entry, length: number): number =>
  /\.(create|credit|receive)$/.test(command) ? 0 : length / 2
