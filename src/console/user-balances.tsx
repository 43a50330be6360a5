import * as z from 'zod'
import { currency, text } from '../contract/fields.js'
import { fiatBalances } from '../world/balances.js'
import { type User, userOf } from '../world/users.js'
import { type Action, checked } from './actions.js'
import { BalanceMoves } from './balance-moves.js'
import { ActionForm, Field } from './form.js'
import { grouped, Money } from './money.js'
import { Live, Panel } from './parts.js'
import type { View } from './view.js'

export const Balances = ({ view, user }: { view: View; user: User }) => {
  const balances = fiatBalances(view.tables, user.id)
  return (
    <Panel title="Balances">
      <Live id="balances">
        {balances.length === 0 ? (
          <p class="quiet">No balance in any currency yet.</p>
        ) : (
          <ul class="amounts">
            {balances.map(({ currency: code, amount }) => (
              <li>
                <Money amount={amount} asset={code} />
              </li>
            ))}
          </ul>
        )}
      </Live>
      <ActionForm view={view} action={`/console/users/${user.id}/credit`} label="Credit">
        <Field label="Amount">
          <input name="amount" inputmode="decimal" placeholder="1000.00" required size={12} />
        </Field>
        <Field label="Currency">
          <input
            name="currency"
            value={balances[0]?.currency ?? 'USD'}
            maxlength={3}
            size={4}
            required
          />
        </Field>
        <button type="submit">Credit</button>
      </ActionForm>
      <Live id="balance-moves">
        <BalanceMoves view={view} account={`user:${user.id}`} />
      </Live>
    </Panel>
  )
}

const creditFields = z.object({ currency: currency(), amount: text() })

export const creditUser: Action = {
  path: '/console/users/:id/credit',
  operation: 'creditUser',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const given = checked(creditFields, fields)
    const { id: user_id } = userOf(view.tables, id, 'id')
    const after = view.world.run('balance.credit', { user_id, ...given }, cause)
    return `The balance is ${grouped(after.amount)} ${after.currency} now.`
  },
}
