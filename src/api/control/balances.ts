import * as z from 'zod'
import { currency } from '../../contract/fields.js'
import { type FiatBalance, fiatBalances } from '../../domain/balances.js'
import { toNumber } from '../../domain/money.js'
import { getUser } from '../../domain/users.js'
import { MOVEMENTS, readStatement } from '../../history/statement.js'
import { ok, operation } from '../../http/operation/operation.js'
import { anyAmount, fields, userPath } from './fields.js'
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
  params: userPath(),
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(balance, 'FiatBalanceList') } },
  handle: ({ world: { tables }, params, query }) => {
    const all = fiatBalances(tables, getUser(tables, params.id, 'id').id)
    return ok(toPage(all, query, show))
  },
})

const statementRow = z
  .object({
    at: z.iso.datetime().nullable(),
    entry: z.int().nullable().meta({
      description: 'Number of its journal entry; null with `brought forward`, as `at` is',
    }),
    what: z.enum(MOVEMENTS),
    payout_id: z.uuid().nullable(),
    transfer_id: z.uuid().nullable(),
    wallet_id: z.uuid().nullable().meta({ description: 'Null for the balance of the user' }),
    currency: z.string(),
    amount: z.string().meta({ description: 'Below zero for money that leaves; its fee included' }),
    fee: z.string().nullable(),
    balance: z.string().meta({ description: 'Of the account after it' }),
  })
  .meta({ id: 'StatementRow' })

export const readUserStatement = operation({
  id: 'readUserStatement',
  method: 'get',
  path: '/_sandbox/users/{id}/statement',
  tag: 'Users',
  summary: 'Read a user’s statement',
  description:
    'The movements of the user’s balances and wallets, newest first, each with the balance after it. A row ' +
    'is what one journal entry moved in one direction; `fee` is a part of `amount`. `brought forward` replaces ' +
    'the movements that the journal no longer has.',
  params: userPath(),
  query: pageQuery.extend({
    currency: z.string().optional().meta({ description: 'Only this currency or token' }),
  }),
  answers: { 200: { description: 'One page', schema: listSchema(statementRow, 'Statement') } },
  handle: ({ live, world, params, query }) => {
    const { id } = getUser(world.tables, params.id, 'id')
    const rows = readStatement(world, live, id)
    const { currency } = query
    const found = rows.filter((it) => currency === undefined || it.currency === currency)
    return ok(toPage(found.reverse(), query, (row): z.input<typeof statementRow> => row))
  },
})

export const creditUser = operation({
  id: 'creditUser',
  method: 'post',
  path: '/_sandbox/users/{id}/balances',
  tag: 'Users',
  summary: 'Credit a user',
  description: 'Adds money to a user’s balance and returns the new balance.',
  params: userPath(),
  body: fields({ currency: currency(), amount: anyAmount() }).meta({
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
