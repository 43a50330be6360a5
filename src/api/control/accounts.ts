import * as z from 'zod'
import { toDestination } from '../../contract/audit.js'
import { chain, currency, text, token } from '../../contract/fields.js'
import type { Account } from '../../domain/schema.js'
import { getUser } from '../../domain/users.js'
import { created, operation } from '../../http/operation/operation.js'
import { fields, userPath } from './fields.js'
import { listPage, listSchema, pageQuery } from './lists.js'

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

const showAccount = (record: Account): z.input<typeof account> => {
  const { id: _id, n: _n, scenarios: _by, ...rest } = record
  return { ...toDestination(record), ...rest }
}

export const listUserAccounts = operation({
  id: 'listUserAccounts',
  method: 'get',
  path: '/_sandbox/users/{id}/accounts',
  tag: 'Users',
  summary: 'List a user’s destination accounts',
  description: 'The accounts to which the user’s offramps and transfers can pay, newest first.',
  params: userPath(),
  query: pageQuery,
  answers: {
    200: { description: 'One page', schema: listSchema(account, 'DestinationAccountList') },
  },
  handle: ({ world: { tables }, params, query }) => {
    const { id } = getUser(tables, params.id, 'id')
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
    'Registers a bank account to which the user’s offramps and transfers can pay. Only `currency` ' +
    'and `account_number` are required. `crypto` and `chain` are what its deposit address expects.',
  params: userPath(),
  body: fields({
    currency: currency(),
    account_number: text(),
    account_holder_name: text().optional(),
    bank_name: text().optional(),
    bic: text().optional(),
    nickname: text().optional(),
    crypto: token().optional(),
    chain: chain().optional(),
  }).meta({
    id: 'AccountRegistration',
    example: { currency: 'EUR', account_number: 'DE89370400440532013000', nickname: 'Main' },
  }),
  answers: { 201: { description: 'The account', schema: account } },
  errors: ['4040', '4090'],
  handle: ({ world, params, body, cause }) => {
    const { id } = getUser(world.tables, params.id, 'id')
    const account = world.run('account.register', { user_id: id, ...body }, cause)
    return created(showAccount(account))
  },
})
