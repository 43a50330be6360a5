import type { LedgerRecord, Posting } from '../../domain/balance-index.js'
import { buildLineage } from '../../history/lineage.js'
import type { Entry } from '../../kernel/entry.js'
import type { PageContext } from '../page-context.js'
import { EntryList } from './entry-line.js'
import { Money } from './money.js'

const MAX_ENTRIES = 8

/** The newest postings of an account, by entry. */
export const BalanceMoves = ({ ctx, account }: { ctx: PageContext; account: string }) => {
  const byEntry = new Map(findPostings(ctx, account).slice(-MAX_ENTRIES).reverse())
  if (byEntry.size === 0) return null
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

const findPostings = ({ live }: PageContext, account: string): [Entry, Posting[]][] => {
  const counts = new Map<string, number>()
  return buildLineage(live.journal.all()).flatMap((entry): [Entry, Posting[]][] => {
    const postings = entry.changes.flatMap(({ table, record }) => {
      if (table !== 'ledger' || !record) return []
      const { id, movements: all } = record as unknown as LedgerRecord
      const known = counts.get(id) ?? knownBefore(entry, all.length)
      counts.set(id, all.length)
      return all.slice(known).filter(({ from, to }) => from === account || to === account)
    })
    return postings.length > 0 ? [[entry, postings]] : []
  })
}

/** If the journal no longer holds the creation, the entry is a reversal, which doubles the postings. */
const knownBefore = ({ command }: Entry, length: number): number =>
  /\.(create|credit|receive)$/.test(command) ? 0 : length / 2
