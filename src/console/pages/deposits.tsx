import { addressKey } from '../../domain/addresses.js'
import type { Deposit } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import { type Action, formAction, type Outcome } from '../actions.js'
import { StatusBadge } from '../components/badge.js'
import { AnyDepositForm } from '../components/deposit-form.js'
import { Id, TransferLink, UserLink } from '../components/id.js'
import { Money } from '../components/money.js'
import { Panel } from '../components/panel.js'
import { Time } from '../components/time.js'
import { transferExample, unmatchedDepositExample, walletDepositExample } from '../examples.js'
import { escapeBidi, formatAmount, formatCount } from '../format.js'
import { listPage } from '../list-page.js'
import { addressWith, enumParam, pageOf } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'
import { depositAnchor } from '../search.js'

const MATCHED = ['unmatched', 'offramp', 'wallet', 'all'] as const

type Matched = (typeof MATCHED)[number]

/** Unmatched deposits, unless the query asks for others. */
export const depositsPage = (ctx: PageContext): Page => {
  const matched = enumParam(ctx, 'matched', MATCHED) ?? 'unmatched'
  const { deposits } = ctx.tables
  const selection = matched === 'all' ? ALL : ({ index: 'matched', key: matched } as const)
  return listPage(ctx, {
    title: 'Deposits',
    intro: (
      <Panel title="Simulate deposit">
        <AnyDepositForm ctx={ctx} />
      </Panel>
    ),
    tabs: <OutcomeLinks ctx={ctx} matched={matched} />,
    rows: pageOf(ctx, deposits, selection),
    noun: 'deposit',
    rowId: ({ id }) => depositAnchor(id),
    columns: [
      {
        name: 'Amount',
        kind: 'number',
        cell: (it) => <Money amount={it.amount} asset={it.crypto} />,
      },
      { name: 'Chain', kind: 'minor', cell: (it) => it.chain },
      { name: 'Address', cell: (it) => <Id id={it.address} what="address" /> },
      {
        name: 'Outcome',
        cell: (it) => (
          <>
            <StatusBadge status={it.matched} /> <DepositReason ctx={ctx} deposit={it} />{' '}
            {it.transfer_id ? <TransferLink ctx={ctx} id={it.transfer_id} /> : null}
          </>
        ),
      },
      { name: 'Id', kind: 'minor', cell: ({ id }) => <Id id={id} /> },
      { name: 'Received', kind: 'minor', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
    ],
    empty: findExample(ctx, matched),
  })
}

const OutcomeLinks = ({ ctx, matched }: { ctx: PageContext; matched: Matched }) => {
  const { deposits } = ctx.tables
  return (
    <nav class="statuses" aria-label="By outcome">
      {MATCHED.map((it) => (
        <a
          href={addressWith(ctx, { matched: it, page: undefined })}
          aria-current={it === matched ? 'true' : undefined}
        >
          {it} {formatCount(it === 'all' ? deposits.size : deposits.count('matched', it))}
        </a>
      ))}
    </nav>
  )
}

const findExample = (ctx: PageContext, matched: Matched) => {
  if (matched === 'offramp') {
    return {
      text: 'No deposit at the deposit address of an offramp yet. Simulate one:',
      command: transferExample(ctx),
    }
  }
  if (matched === 'wallet') {
    return {
      text: 'No deposit into a custody wallet yet. Simulate one:',
      command: walletDepositExample(ctx),
    }
  }
  return {
    text: 'No unmatched deposit. The sandbox keeps a deposit as unmatched if its address is unknown or expects another token. Simulate one:',
    command: unmatchedDepositExample(ctx),
  }
}

/** Names the owner of the address too, if the address expects another token. */
const DepositReason = ({
  ctx,
  deposit: { address, reason },
}: {
  ctx: PageContext
  deposit: Deposit
}) => {
  const key = addressKey(address)
  const { instructions, wallets } = ctx.tables
  const owner = instructions.first('address', key) ?? wallets.first('address', key)
  const link = owner ? <UserLink ctx={ctx} id={owner.user_id} /> : null
  if (reason === null) return link
  return (
    <>
      {escapeBidi(reason)}
      {link ? <>. The address belongs to {link}</> : null}
    </>
  )
}

const receive = formAction<{ id: string }>({
  path: '/console/deposits',
  operation: 'receiveDeposit',
  conclude: ({ ctx }, { id }) => {
    const deposit = ctx.tables.deposits.get(id)
    return deposit ? describeDeposit(ctx, deposit) : 'Received.'
  },
})

const describeDeposit = (
  ctx: PageContext,
  { amount, crypto, chain, matched, transfer_id, reason }: Deposit,
): Outcome => {
  const received = `Received ${formatAmount(amount)} ${crypto}${chain === 'unknown' ? '' : ` on ${chain}`}`
  if (matched === 'offramp' && transfer_id) {
    return {
      to: ctx.href(`/transfers/${transfer_id}`),
      message: `${received}. It started this transfer.`,
    }
  }
  if (matched === 'wallet') return `${received} into the wallet.`
  return { to: ctx.href('/deposits'), message: `${received} as unmatched: ${reason}.` }
}

export const depositActions: readonly Action[] = [receive]
