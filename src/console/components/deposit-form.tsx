import type { Deposit } from '../../domain/schema.js'
import { type Action, formAction, type Outcome } from '../actions.js'
import { formatAmount } from '../format.js'
import type { PageContext } from '../page-context.js'
import { ActionForm, Field, Select } from './form.js'

/** The tokens on a chain, by symbol. */
const tokensOn = ({ tables }: PageContext, chain: string): string[] =>
  tables.tokens
    .list('all', '')
    .filter((token) => token.chain === chain)
    .map(({ symbol }) => symbol)

/** Lets crypto arrive at a known address. */
export const DepositForm = ({
  ctx,
  address,
  chain,
  crypto,
}: {
  ctx: PageContext
  address: string
  chain: string
  /** The token that the address expects. */
  crypto?: string
}) => (
  <ActionForm ctx={ctx} action="/console/deposits" label={`Deposit to ${address}`}>
    <input type="hidden" name="address" value={address} />
    <input type="hidden" name="chain" value={chain} />
    <input
      name="amount"
      inputmode="decimal"
      placeholder="100.00"
      required
      size={8}
      aria-label="Amount"
    />
    <span class="tight">
      <Select name="crypto" values={tokensOn(ctx, chain)} value={crypto ?? 'USDC'} label="Token" />
    </span>
    <button type="submit">Deposit</button>
  </ActionForm>
)

/** Lets crypto arrive anywhere. */
export const AnyDepositForm = ({ ctx }: { ctx: PageContext }) => {
  const symbols = new Set(ctx.tables.tokens.list('all', '').map(({ symbol }) => symbol))
  const chains = ctx.tables.chains.list('all', '').map(({ id }) => id)
  return (
    <ActionForm ctx={ctx} action="/console/deposits" label="Simulate deposit">
      <Field label="Address">
        <input name="address" placeholder="0x…" required autocomplete="off" />
      </Field>
      <Field label="Amount">
        <input name="amount" inputmode="decimal" placeholder="100.00" required size={10} />
      </Field>
      <Field label="Token">
        <Select name="crypto" values={[...symbols]} empty="as expected" />
      </Field>
      <Field label="Chain">
        <Select name="chain" values={chains} empty="as expected" />
      </Field>
      <button type="submit">Deposit</button>
    </ActionForm>
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
