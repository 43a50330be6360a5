import type { PageContext } from '../page-context.js'
import { ActionForm, Field, Select } from './form.js'

const tokensOn = ({ tables }: PageContext, chain: string): string[] =>
  tables.tokens
    .list('all', '')
    .filter((token) => token.chain === chain)
    .map(({ symbol }) => symbol)

/** Simulates a deposit at a known address. */
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

/** Simulates a deposit at any address. */
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
