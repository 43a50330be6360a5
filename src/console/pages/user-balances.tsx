import { fiatBalances } from '../../domain/balances.js'
import type { User } from '../../domain/schema.js'
import { formAction } from '../actions.js'
import { BalanceMoves } from '../components/balance-moves.js'
import { ActionForm, Field } from '../components/form.js'
import { Money } from '../components/money.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { formatAmount } from '../format.js'
import type { PageContext } from '../page-context.js'

export const Balances = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const balances = fiatBalances(ctx.tables, user.id)
  return (
    <Panel title="Balances">
      <LiveRegion id="balances">
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
      </LiveRegion>
      <ActionForm ctx={ctx} action={`/console/users/${user.id}/credit`} label="Credit">
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
      <LiveRegion id="balance-moves">
        <BalanceMoves ctx={ctx} account={`user:${user.id}`} />
      </LiveRegion>
    </Panel>
  )
}

export const creditUser = formAction<{ currency: string }>({
  path: '/console/users/:id/credit',
  operation: 'creditUser',
  conclude: ({ ctx, params: { id = '' } }, { currency }) => {
    const balance = fiatBalances(ctx.tables, id).find((it) => it.currency === currency)
    return `The balance is ${formatAmount(balance?.amount ?? '0')} ${currency} now.`
  },
})
