import { nameOf } from '../../activity/search.js'
import { fiatBalances } from '../../domain/balances.js'
import { plus } from '../../domain/money.js'
import { fullName } from '../../domain/users.js'
import { newRequestId } from '../../http/pipeline/response-headers.js'
import { drawFolded, offer } from '../components/form.js'
import type { Html } from '../components/html.js'
import { demoKey } from '../curl.js'
import { param } from '../filters.js'
import type { PageContext } from '../page-context.js'

export const keyField = (ctx: PageContext) => ({
  name: 'key',
  label: 'API key',
  value: demoKey(ctx),
})

/** A payout that would succeed: from the chosen or the first active user to an account of theirs. */
const proposePayout = (
  { tables }: PageContext,
  user_id = tables.users.first('status', 'active')?.id,
) => {
  const balances = new Map(
    fiatBalances(tables, user_id ?? '').map((it) => [it.currency, it.amount]),
  )
  const proposals = tables.accounts.list('user', user_id ?? '').map((account) => {
    const [rail] = tables.rails.list('currency', account.currency)
    return { account, amount: plus(rail?.payout_fee ?? '0', '1') }
  })
  return (
    proposals.find(({ account, amount }) =>
      amount.times(2).lte(balances.get(account.currency) ?? 0),
    ) ?? proposals[0]
  )
}

export const drawPayoutForm = (ctx: PageContext): Html => {
  const { account, amount } = proposePayout(ctx, param(ctx, 'user_id')) ?? {}
  const { users } = ctx.tables
  const people = offer(users, fullName)
  return drawFolded(ctx, {
    operation: 'newPayout',
    summary: 'New payout',
    submit: 'Send it',
    kind: 'main',
    fields: [
      {
        name: 'user_id',
        label: 'User',
        value: account?.user_id,
        [users.size > people.length ? 'suggestions' : 'options']: people,
      },
      { name: 'amount', value: amount?.toFixed(2) },
      { name: 'currency', value: account?.currency },
      { name: 'recipient_details.bank_name', label: 'Bank', value: account?.bank_name },
      {
        name: 'recipient_details.account_holder_name',
        label: 'Account holder',
        value: account?.account_holder_name,
      },
      {
        name: 'recipient_details.recipient_account_number',
        label: 'Account number',
        value: account?.account_number,
      },
      { name: 'customer_payout_id', value: newRequestId() },
      keyField(ctx),
    ],
  })
}

export const drawDepositForm = (ctx: PageContext): Html => {
  const { tokens, chains, instructions } = ctx.tables
  const suggestions = offer(
    instructions,
    (it) => `${nameOf(ctx.tables, it.user_id)}: ${it.crypto} on ${it.chain}`,
    ({ address }) => address,
  )
  const toOptions = (values: readonly string[]) =>
    ['', ...new Set(values)].map((it) => [it, it || 'as expected'] as const)
  const symbols = toOptions(tokens.list('all', '').map(({ symbol }) => symbol))
  const names = toOptions(chains.list('all', '').map(({ id }) => id))
  return drawFolded(ctx, {
    operation: 'receiveDeposit',
    summary: 'Deposit',
    fields: [
      { name: 'address', value: param(ctx, 'to') ?? suggestions[0]?.[0], suggestions },
      { name: 'amount', value: '10.00' },
      { name: 'crypto', label: 'Token', options: symbols },
      { name: 'chain', options: names },
    ],
  })
}
