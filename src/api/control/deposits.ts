import * as z from 'zod'
import { toNumber } from '../../domain/money.js'
import { type Deposit, MATCHED } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { incoming } from './command-inputs.js'
import { EXAMPLES, fields, idPath } from './fields.js'
import { knownRecord } from './find-record.js'
import { listPage, listSchema, pageQuery } from './lists.js'

const deposit = z
  .object({
    id: z.uuid(),
    address: z.string(),
    crypto: z.string(),
    chain: z.string(),
    amount: z.number(),
    matched: z.enum(MATCHED).meta({ description: 'The outcome' }),
    reason: z.string().nullable().meta({ description: 'Why it is unmatched' }),
    user_id: z.string().nullable(),
    wallet_id: z.string().nullable(),
    offramp_id: z.string().nullable(),
    transfer_id: z.string().nullable().meta({ description: 'The transfer that it created' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Deposit' })

const showDeposit = ({
  n: _,
  scenarios: _by,
  kept: _kept,
  ...record
}: Deposit): z.input<typeof deposit> => ({
  ...record,
  amount: toNumber(record.amount),
})

export const receiveDeposit = operation({
  id: 'receiveDeposit',
  method: 'post',
  path: '/_sandbox/deposits',
  tag: 'Deposits',
  summary: 'Simulate a deposit',
  description:
    'Sends crypto to an address. At a deposit address it creates an offramp and its transfer, at a ' +
    'wallet it raises the balance; any other deposit is unmatched. Token and chain default to those ' +
    'that the address expects, for a wallet to USDC.',
  body: fields(incoming).meta({ id: 'DepositRequest' }),
  answers: { 201: { description: 'The deposit', schema: deposit } },
  errors: ['4000', '4004', '4090', '4130', '4150'],
  handle: ({ world, body, cause }) =>
    created(showDeposit(world.run('deposit.receive', body, cause))),
})

export const listDeposits = operation({
  id: 'listDeposits',
  method: 'get',
  path: '/_sandbox/deposits',
  tag: 'Deposits',
  summary: 'List deposits',
  description:
    'All deposits, newest first. `matched=unmatched` selects those that no address expected.',
  query: pageQuery.extend({ matched: z.enum(MATCHED).optional() }),
  answers: { 200: { description: 'One page', schema: listSchema(deposit, 'DepositList') } },
  errors: ['4000'],
  handle: ({ world, query }) =>
    listPage(
      world.tables.deposits,
      query.matched ? { index: 'matched', key: query.matched } : ALL,
      query,
      showDeposit,
    ),
})

export const readDeposit = operation({
  id: 'readDeposit',
  method: 'get',
  path: '/_sandbox/deposits/{id}',
  tag: 'Deposits',
  summary: 'Read a deposit',
  description: 'The deposit and its outcome.',
  params: idPath(EXAMPLES.deposits),
  answers: { 200: { description: 'The deposit', schema: deposit } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { id } }) =>
    ok(showDeposit(knownRecord(tables.deposits, id, 'deposit'))),
})
