import * as z from 'zod'
import { chain, text, token } from '../../contract/fields.js'
import { toNumber } from '../../domain/money.js'
import { type Deposit, MATCHED } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import { created, operation } from '../../http/operation/operation.js'
import { anyAmount, EXAMPLES, fields } from './fields.js'
import { pageQuery } from './lists.js'
import { fixtureNames } from './names.js'
import { resource } from './resource.js'

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

const show = ({ n: _, scenarios: _by, ...record }: Deposit): z.input<typeof deposit> => ({
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
  body: fields({
    address: text()
      .meta({
        description:
          'Where it arrives; a wallet of the fixtures also by its name, such as `adaPolygon`',
        example: EXAMPLES.address,
      })
      .register(fixtureNames, { noun: 'wallets' }),
    amount: anyAmount().meta({ description: 'How much', example: '100.00' }),
    crypto: token().optional().meta({ description: 'Token symbol', example: 'USDC' }),
    chain: chain().optional().meta({ description: 'Network', example: 'polygon' }),
  }).meta({ id: 'DepositRequest' }),
  answers: { 201: { description: 'The deposit', schema: deposit } },
  errors: ['4090'],
  handle: ({ world, body, cause }) => created(show(world.run('deposit.receive', body, cause))),
})

export const deposits = resource({
  noun: 'deposit',
  table: (tables) => tables.deposits,
  schema: deposit,
  show,
  query: pageQuery.extend({ matched: z.enum(MATCHED).optional() }),
  select: ({ matched }) => (matched ? { index: 'matched', key: matched } : ALL),
  listDescription:
    'All deposits, newest first. `matched=unmatched` selects those that no address expected.',
  readDescription: 'The deposit and its outcome.',
})
