import * as z from 'zod'
import { type FiatBalance, fiatBalances } from '../../domain/balances.js'
import { toNumber } from '../../domain/money.js'
import { getUser } from '../../domain/users.js'
import { ok, operation } from '../../http/operation/operation.js'
import { credit } from './command-inputs.js'
import { EXAMPLES, fields, idPath } from './fields.js'
import { listSchema, pageQuery, toPage } from './lists.js'

const balance = z
  .object({ currency: z.string(), amount: z.number() })
  .meta({ id: 'FiatBalance', example: { currency: 'NGN', amount: 250000 } })

const show = (it: FiatBalance): z.input<typeof balance> => ({
  currency: it.currency,
  amount: toNumber(it.amount),
})

export const listUserBalances = operation({
  id: 'listUserBalances',
  method: 'get',
  path: '/_sandbox/users/{id}/balances',
  tag: 'Users',
  summary: 'List a user’s balances',
  description: 'The available balances of the user, one item per currency.',
  params: idPath(EXAMPLES.users),
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(balance, 'FiatBalanceList') } },
  handle: ({ world: { tables }, params, query }) => {
    const all = fiatBalances(tables, getUser(tables, params.id, 'id').id)
    return ok(toPage(all, query, show))
  },
})

export const creditUser = operation({
  id: 'creditUser',
  method: 'post',
  path: '/_sandbox/users/{id}/balances',
  tag: 'Users',
  summary: 'Credit a user',
  description: 'Adds money to a user’s balance and returns the new balance.',
  params: idPath(EXAMPLES.users),
  body: fields(credit).meta({
    id: 'Credit',
    example: { currency: 'NGN', amount: '250000.00' },
  }),
  answers: { 200: { description: 'The balance after it', schema: balance } },
  errors: ['4040', '4090'],
  handle: ({ world, params, body, cause }) => {
    const { id } = getUser(world.tables, params.id, 'id')
    return ok(show(world.run('balance.credit', { user_id: id, ...body }, cause)))
  },
})
