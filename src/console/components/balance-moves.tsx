import { findPostings } from '../../history/statement.js'
import type { PageContext } from '../page-context.js'
import { EntryList } from './entry-line.js'
import { Money } from './money.js'

const MAX_ENTRIES = 8

/** The newest postings of an account, by entry. */
export const BalanceMoves = ({ ctx, account }: { ctx: PageContext; account: string }) => {
  const { journal, beginning } = ctx.live
  const moves = findPostings({ entries: journal.all(), beginning }, account)
    .filter(({ entry }) => entry.cause.kind !== 'fixtures')
    .slice(-MAX_ENTRIES)
    .reverse()
  if (moves.length === 0) return null
  return (
    <>
      <h3>Recent movements</h3>
      <EntryList
        ctx={ctx}
        entries={[...new Set(moves.map(({ entry }) => entry))]}
        lead={(of) =>
          moves
            .filter(({ entry }) => entry === of)
            .flatMap(({ postings }) => postings)
            .map(({ to, amount, asset }) => (
              <>
                <Money amount={`${to === account ? '+' : '−'}${amount}`} asset={asset} />{' '}
              </>
            ))
        }
      />
    </>
  )
}
