import * as z from 'zod'
import { text } from '../contract/fields.js'
import type { Deposit } from '../world/deposits.js'
import { type Action, checked, type Outcome } from './actions.js'
import { ActionForm, Field, Select } from './form.js'
import { grouped } from './money.js'
import type { View } from './view.js'

/** The tokens on a chain, by symbol. */
const tokensOn = ({ tables }: View, chain: string): string[] =>
  tables.tokens
    .list('all', '')
    .filter((token) => token.chain === chain)
    .map(({ symbol }) => symbol)

/** Lets crypto arrive at a known address. */
export const DepositForm = ({
  view,
  address,
  chain,
  crypto,
}: {
  view: View
  address: string
  chain: string
  /** What the address expects. */
  crypto?: string
}) => (
  <ActionForm view={view} action="/console/deposits" label={`Deposit to ${address}`}>
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
      <Select name="crypto" values={tokensOn(view, chain)} value={crypto ?? 'USDC'} label="Token" />
    </span>
    <button type="submit">Deposit</button>
  </ActionForm>
)

/** Lets crypto arrive anywhere. */
export const AnyDepositForm = ({ view }: { view: View }) => {
  const symbols = new Set(view.tables.tokens.list('all', '').map(({ symbol }) => symbol))
  const chains = view.tables.chains.list('all', '').map(({ id }) => id)
  return (
    <ActionForm view={view} action="/console/deposits" label="Let crypto arrive">
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

const fields = z.object({
  address: text(),
  amount: text(),
  crypto: text().optional(),
  chain: text().optional(),
})

const receive: Action = {
  path: '/console/deposits',
  operation: 'receiveDeposit',
  act: ({ view, fields: given, cause }) =>
    becameOf(view, view.world.run('deposit.receive', checked(fields, given), cause)),
}

const becameOf = (view: View, { amount, crypto, chain, ...deposit }: Deposit): Outcome => {
  const came = `${grouped(amount)} ${crypto}${chain === 'unknown' ? '' : ` on ${chain}`} came`
  if (deposit.matched === 'offramp' && deposit.transfer_id) {
    return {
      to: view.to(`/transfers/${deposit.transfer_id}`),
      told: `${came} and set off this transfer.`,
    }
  }
  if (deposit.matched === 'wallet') return `${came} into the wallet.`
  return { to: view.to('/deposits'), told: `${came} and is kept as unmatched: ${deposit.reason}.` }
}

export const depositActions: readonly Action[] = [receive]
