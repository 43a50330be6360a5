import * as z from 'zod'
import { showDestination } from '../contract/audit.js'
import { currency, text } from '../contract/fields.js'
import { user as contractUser, showUser } from '../contract/user.js'
import { created, ok, operation } from '../http/operation.js'
import type { Account } from '../world/accounts.js'
import { fiatBalances } from '../world/balances.js'
import { toNumber } from '../world/money.js'
import { USER_STATUSES, type User, userMoves, userOf } from '../world/users.js'
import { anyAmount, idPath } from './fields.js'
import { listOf, listPage, pageOf, pageQuery } from './lists.js'

const user = contractUser
  .extend({
    consent_id: z.string(),
    metadata: z.string().nullable(),
    legal_moves: z.array(z.enum(USER_STATUSES)).meta({ description: 'Where it could go' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'SandboxUser' })

const show = (record: User): z.input<typeof user> => ({
  ...showUser(record),
  consent_id: record.consent_id,
  metadata: record.metadata,
  legal_moves: [...userMoves[record.status]],
  created_at: record.created_at,
  updated_at: record.updated_at,
})

export const listSandboxUsers = operation({
  id: 'listSandboxUsers',
  method: 'get',
  path: '/_sandbox/users',
  tag: 'Users',
  summary: 'List users',
  description: 'All users, the newest first.',
  query: pageQuery.extend({ status: z.enum(USER_STATUSES).optional() }),
  answers: { 200: { description: 'One page', schema: listOf(user, 'UserList') } },
  errors: ['4000'],
  handle: ({ world, query }) => {
    const { status } = query
    const index = status ? 'status' : 'all'
    return listPage(world.tables.users, { index, key: status ?? '' }, query, show)
  },
})

export const readUser = operation({
  id: 'readUser',
  method: 'get',
  path: '/_sandbox/users/{id}',
  tag: 'Users',
  summary: 'Read a user',
  description: 'The contract’s resource, and what the sandbox knows besides.',
  params: idPath,
  answers: { 200: { description: 'The user', schema: user } },
  errors: ['4000', '4040'],
  handle: ({ world, params }) => ok(show(userOf(world.tables, params.id, 'id'))),
})

const reason = z.union(
  [
    text().transform((words) => ({ reason: words })),
    z.object({ reason: text(), developer_reason: text().optional() }),
  ],
  { error: 'text, or an object of reason and developer_reason' },
)

export const moveUser = operation({
  id: 'moveUser',
  method: 'post',
  path: '/_sandbox/users/{id}/status',
  tag: 'Users',
  summary: 'Move a user',
  description:
    'Approves, rejects, pauses … a user. `reasons` go with rejected, `requirements` with incomplete.',
  params: idPath,
  body: z
    .object({
      status: z.enum(USER_STATUSES),
      reasons: z.array(reason).max(20).optional(),
      requirements: z.array(text()).max(50).optional(),
    })
    .meta({ id: 'UserMove', example: { status: 'rejected', reasons: ['Document expired'] } }),
  answers: { 200: { description: 'The user after it', schema: user } },
  errors: ['4000', '4004', '4040', '4090', '4130', '4150'],
  handle: ({ world, params: { id }, body: { status, reasons, requirements }, cause }) => {
    const details = { ...(reasons && { reasons }), ...(requirements && { requirements }) }
    world.run('user.move', { id, to: status, ...details }, cause)
    return ok(show(userOf(world.tables, id)))
  },
})

const balance = z
  .object({ currency: z.string(), amount: z.number() })
  .meta({ id: 'FiatBalance', example: { currency: 'NGN', amount: 250000 } })

export const listUserBalances = operation({
  id: 'listUserBalances',
  method: 'get',
  path: '/_sandbox/users/{id}/balances',
  tag: 'Users',
  summary: 'List a user’s balances',
  description: 'What the user has available, one item per currency.',
  params: idPath,
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listOf(balance, 'FiatBalanceList') } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params, query }) => {
    const all = fiatBalances(tables, userOf(tables, params.id, 'id').id)
    return ok(
      pageOf(all, query, ({ currency: code, amount }) => ({
        currency: code,
        amount: toNumber(amount),
      })),
    )
  },
})

export const creditUser = operation({
  id: 'creditUser',
  method: 'post',
  path: '/_sandbox/users/{id}/balances',
  tag: 'Users',
  summary: 'Credit a user',
  description: 'Puts money on a user’s balance, from nowhere. Answers the balance after it.',
  params: idPath,
  body: z
    .object({ currency: currency(), amount: anyAmount() })
    .meta({ id: 'Credit', example: { currency: 'NGN', amount: '250000.00' } }),
  answers: { 200: { description: 'The balance after it', schema: balance } },
  errors: ['4000', '4004', '4040', '4130', '4150'],
  handle: ({ world, params, body, cause }) => {
    const { id } = userOf(world.tables, params.id, 'id')
    const after = world.run('balance.credit', { user_id: id, ...body }, cause)
    return ok({ currency: after.currency, amount: toNumber(after.amount) })
  },
})

const account = z
  .object({
    account_id: z.uuid(),
    account_type: z.string(),
    masked_details: z.string(),
    nickname: z.string(),
    user_id: z.uuid(),
    currency: z.string(),
    account_holder_name: z.string(),
    account_number: z.string(),
    bank_name: z.string(),
    bic: z.string(),
    crypto: z.string().nullable().meta({ description: 'Token that its offramps expect' }),
    chain: z.string().nullable().meta({ description: 'Chain that its offramps expect' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'DestinationAccount' })

const showAccount = ({ id: _id, n: _n, ...record }: Account): z.input<typeof account> => ({
  ...showDestination({ id: _id, n: _n, ...record }),
  ...record,
})

export const listUserAccounts = operation({
  id: 'listUserAccounts',
  method: 'get',
  path: '/_sandbox/users/{id}/accounts',
  tag: 'Users',
  summary: 'List a user’s destination accounts',
  description: 'Where the user’s offramps and transfers can pay to, the newest first.',
  params: idPath,
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listOf(account, 'DestinationAccountList') } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params, query }) => {
    const { id } = userOf(tables, params.id, 'id')
    return listPage(tables.accounts, { index: 'user', key: id }, query, showAccount)
  },
})

export const registerAccount = operation({
  id: 'registerAccount',
  method: 'post',
  path: '/_sandbox/users/{id}/accounts',
  tag: 'Users',
  summary: 'Register a destination account',
  description:
    'Registers a bank account that offramps and transfers of the user can pay to. Only `currency` and ' +
    '`account_number` are needed. `crypto` and `chain` together set what a deposit address for it expects.',
  params: idPath,
  body: z
    .object({
      currency: currency(),
      account_number: text(),
      account_holder_name: text().optional(),
      bank_name: text().optional(),
      bic: text().optional(),
      nickname: text().optional(),
      crypto: text().optional(),
      chain: text().optional(),
    })
    .meta({
      id: 'AccountRegistration',
      example: { currency: 'EUR', account_number: 'DE89370400440532013000', nickname: 'Main' },
    }),
  answers: { 201: { description: 'The account', schema: account } },
  errors: ['4000', '4004', '4040', '4130', '4150'],
  handle: ({ world, params, body, cause }) => {
    const { id } = userOf(world.tables, params.id, 'id')
    return created(showAccount(world.run('account.register', { user_id: id, ...body }, cause)))
  },
})
