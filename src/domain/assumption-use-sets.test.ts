import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import { type AssumptionId, assumptionIds } from '../assumptions/ids.js'
import { Readings } from '../assumptions/use.js'
import { Refusal } from '../kernel/refusal.js'
import type { CommandName, World } from './world.js'

// A command uses only the readings that decide something. test/readings/exact.test.ts proves it of each answer of
// the service; here are the commands and the refusals that it does not reach.

const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const FREE = 'eeeeeeee-eeee-4eee-8eee-000000000001'
const GRACE = '11111111-1111-4111-8111-000000000007'
const UNUSED_CONSENT = '99999999-9999-4999-8999-000000000009'

const [offramp] = given.instructions.filter(({ crypto }) => crypto === 'USDC')
const [ofAda] = given.users
if (!offramp || !ofAda) throw new Error('the fixtures have these')
const { id: ADA, status: _status, created_at: _made, updated_at: _changed, ...ada } = ofAda

const payout = {
  user_id: ADA,
  customer_payout_id: FREE,
  currency: 'USD',
  amount: '10',
  recipient_details: {
    bank_name: 'First Bank',
    account_holder_name: 'Amina Yusuf',
    recipient_account_number: '0123456789',
  },
}
const onEthereum = '0x04DCE5d5E94EbEEC281eAFBBd903991303620eab'
const wallet = { user_id: ADA, chain: 'tron', customer_wallet_ref: FREE }
const documents = ada.documents.map((it) => ({ ...it, document_number: 'B07654321' }))
const user = {
  ...ada,
  documents,
  phone_number: '+2348012345678',
  consent_id: UNUSED_CONSENT,
  sharing_consent: true,
  date_of_birth: '1990-04-12',
  email_address: 'new@example.com',
}
const accountOf = (user_id: string) => given.accounts.find((it) => it.user_id === user_id)?.id

const pay = (world: World) => world.run('payout.create', payout, BY)
const started = (world: World, ...way: string[]): string => {
  const account_id = accountOf(ADA) ?? ''
  const input = { user_id: ADA, account_id, source_currency: 'USD', source_amount: '100' }
  const { id } = world.run('transfer.start', input, BY)
  for (const to of way) world.run('transfer.move', { id, to: to as 'FAILED' }, BY)
  return id
}
const moveTo = (world: World, id: string, ...way: string[]) => {
  for (const to of way) world.run('user.move', { id, to: to as 'paused' }, BY)
}

type Case = readonly [
  name: string,
  command: CommandName,
  input: object | ((world: World) => object),
  ids: readonly AssumptionId[],
  before?: (world: World) => void,
]

const cases: readonly Case[] = [
  [
    'a payout of a user who is not active and has too little',
    'payout.create',
    { ...payout, user_id: GRACE },
    ['user.gate', 'error.order'],
    (world) => world.run('balance.credit', { user_id: GRACE, currency: 'USD', amount: '10' }, BY),
  ],
  [
    'a payout to a number that is no number',
    'payout.create',
    {
      ...payout,
      recipient_details: { ...payout.recipient_details, recipient_account_number: '01 23' },
    },
    ['payout.fee', 'payout.source', 'payout.account_number'],
  ],
  [
    'a payout that is moved',
    'payout.move',
    (world) => ({ id: pay(world).id, to: 'PAYOUT_PROCESSED' }),
    [],
  ],
  [
    'a wallet of nobody on an unknown chain',
    'wallet.create',
    { ...wallet, chain: 'dogechain', user_id: UNKNOWN },
    ['wallet.chain', 'error.order'],
  ],
  [
    'a second wallet on a chain, of a user who is not active',
    'wallet.create',
    { ...wallet, customer_wallet_ref: UNKNOWN },
    ['user.gate'],
    (world) => {
      world.run('wallet.create', wallet, BY)
      moveTo(world, ADA, 'paused')
    },
  ],
  [
    'an offramp of a user who is not active, to an unknown account',
    'offramp.initiate',
    { user_id: GRACE, account_id: UNKNOWN },
    ['offramp.foreign_account', 'error.order'],
  ],
  [
    'a user who is born today',
    'user.create',
    { ...user, date_of_birth: '2026-06-15' },
    ['user.formats'],
  ],
  [
    'a user who was born yesterday',
    'user.create',
    { ...user, date_of_birth: '2026-06-14' },
    ['user.age'],
  ],
  ['a user who is eighteen', 'user.create', { ...user, date_of_birth: '2008-06-15' }, []],
  [
    'a user with an email address of one who is gone',
    'user.create',
    { ...user, email_address: ada.email_address },
    ['user.email'],
    (world) => moveTo(world, ADA, 'offboarded'),
  ],
  [
    'a user with the identity document of another',
    'user.create',
    { ...user, documents: ada.documents },
    ['user.duplicate_person'],
  ],
  [
    'a user with the phone number of another',
    'user.create',
    { ...user, phone_number: ada.phone_number },
    ['user.duplicate_person'],
  ],
  [
    'a user who is approved',
    'user.move',
    (world) => ({ id: world.run('user.create', user, BY).id, to: 'active' }),
    [],
  ],
  [
    'a user who may not be moved so',
    'user.move',
    { id: ADA, to: 'rejected' },
    ['user.transitions'],
  ],
  [
    'a deposit that an offramp expects',
    'deposit.receive',
    { address: offramp.address, amount: '100' },
    [],
  ],
  [
    'a deposit of another token to an offramp',
    'deposit.receive',
    { address: offramp.address, amount: '100', crypto: 'USDT' },
    ['offramp.other_token'],
  ],
  [
    'a deposit to a wallet on its chain',
    'deposit.receive',
    { address: onEthereum, amount: '100' },
    [],
  ],
  [
    'a deposit to a wallet on another chain',
    'deposit.receive',
    { address: onEthereum, amount: '100', chain: 'polygon' },
    [],
  ],
  [
    'a deposit that the fee would eat up',
    'deposit.receive',
    { address: offramp.address, amount: '0.01' },
    ['offramp.below_fee', 'deposit.limits'],
  ],
  [
    'a deposit for a user who is not active',
    'deposit.receive',
    { address: offramp.address, amount: '100' },
    ['deposit.inactive_user'],
    (world) => moveTo(world, offramp.user_id, 'paused'),
  ],
  [
    'a deposit that the fee would eat up, for a user who is not active',
    'deposit.receive',
    { address: offramp.address, amount: '0.01' },
    ['offramp.below_fee', 'deposit.limits'],
    (world) => moveTo(world, offramp.user_id, 'paused'),
  ],
  [
    'a deposit to a wallet',
    'deposit.receive',
    { address: given.wallets[0]?.wallet_address, amount: '100' },
    [],
  ],
  [
    'a transfer that is failed',
    'transfer.move',
    (world) => ({ id: started(world), to: 'FAILED' }),
    [],
  ],
  [
    'a transfer that is returned after all',
    'transfer.move',
    (world) => ({
      id: started(
        world,
        'FUNDS_RECEIVED',
        'CONVERSION_PROCESSED',
        'PAYMENT_SUBMITTED',
        'PAYMENT_PROCESSED',
      ),
      to: 'FAILED',
    }),
    ['transfer.transitions', 'transfer.failed_funds'],
  ],
]

describe.each(cases.map((it) => ({ name: it[0], it })))(
  '$name',
  ({ it: [, command, input, ids, before] }) => {
    test('uses only the assumptions that decide its result', () => {
      const world = fixtureWorld()
      before?.(world)
      const whole = typeof input === 'function' ? input(world) : input
      const readings = new Readings(world.tables.readings)
      try {
        world.run(command, whole as never, BY, readings)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
      expect(assumptionIds.filter((id) => readings.used.has(id))).toEqual(ids)
    })
  },
)
