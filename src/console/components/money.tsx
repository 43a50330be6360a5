import type { Posting } from '../../domain/balance-index.js'
import { fullName } from '../../domain/users.js'
import { formatAmount } from '../format.js'
import type { PageContext } from '../page-context.js'

export const Money = ({ amount, asset }: { amount: string; asset: string }) => (
  <span class="money">
    {formatAmount(amount)} <span class="asset">{asset}</span>
  </span>
)

/** `bdi` keeps the writing direction of each name. */
export const Recipient = ({
  holder,
  number,
  bank,
  rail,
}: {
  holder: string
  number: string
  bank: string
  rail: string
}) => (
  <>
    <bdi>{holder}</bdi>, <bdi>{number}</bdi> at <bdi>{bank}</bdi> by {rail}
  </>
)

export const Postings = ({ ctx, subject }: { ctx: PageContext; subject: string }) => {
  const postings = ctx.tables.ledger.get(subject)?.movements ?? []
  if (postings.length === 0) return <p class="quiet">No money has moved.</p>
  return (
    <ol class="postings">
      {postings.map((it) => (
        <PostingLine ctx={ctx} posting={it} />
      ))}
    </ol>
  )
}

const PostingLine = ({
  ctx,
  posting: { from, to, amount, asset },
}: {
  ctx: PageContext
  posting: Posting
}) => (
  <li>
    <span class="account">{accountName(ctx, from)}</span>
    <span class="moving">
      <Money amount={amount} asset={asset} />
      <span class="arrow" aria-hidden="true" />
      <span class="unseen"> to </span>
    </span>
    <span class="account">{accountName(ctx, to)}</span>
  </li>
)

const accountName = ({ tables }: PageContext, account: string): string => {
  const [kind = '', id = ''] = account.split(':')
  const user = kind === 'user' ? tables.users.get(id) : undefined
  if (user) return fullName(user)
  const wallet = kind === 'wallet' ? tables.wallets.get(id) : undefined
  if (wallet) return `wallet on ${wallet.blockchain}`
  return kind === 'rail' ? `rail ${id}` : account
}
