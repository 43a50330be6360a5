import { describe, expect, test } from 'vitest'
import { type AssumptionId, assumptionIds } from '../assumptions/ids.js'
import { Readings } from '../assumptions/use.js'
import { Refusal } from '../kernel/refusal.js'
import { fixturesFolder } from '../lib/paths.js'
import { readFixtures } from '../runtime/seed-data/read-fixtures.js'
import { type CommandName, createWorld, type World } from './world.js'

// The response names each used reading, so a command uses only the readings that decide something.

const given = readFixtures(fixturesFolder)
const BY = { kind: 'library' } as const
const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const FREE = 'eeeeeeee-eeee-4eee-8eee-000000000001'
const BEN = '11111111-1111-4111-8111-000000000002'
const GRACE = '11111111-1111-4111-8111-000000000007'
const UNUSED_CONSENT = '99999999-9999-4999-8999-000000000009'
const DAY_MS = 86_400_000

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
const payADayAgo = (world: World) => {
  pay(world)
  world.advance(world.now + DAY_MS)
}
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
  ['a payout that is paid', 'payout.create', payout, ['payout.fee', 'payout.source']],
  ['a payout that comes again at once', 'payout.create', payout, ['payout.repeat'], pay],
  [
    'a payout that comes again with its amount written longer',
    'payout.create',
    { ...payout, amount: '10.000' },
    ['payout.repeat'],
    pay,
  ],
  ['a payout that comes again after a day', 'payout.create', payout, ['payout.repeat'], payADayAgo],
  [
    'a payout that comes again once it has failed',
    'payout.create',
    payout,
    ['payout.repeat'],
    (world) => world.run('payout.move', { id: pay(world).id, to: 'PAYOUT_FAILED' }, BY),
  ],
  [
    'an id that another user has used',
    'payout.create',
    { ...payout, user_id: BEN },
    ['payout.repeat', 'payout.changed_repeat', 'repeat.scope'],
    pay,
  ],
  [
    'a payout of a user who is not active and has enough',
    'payout.create',
    { ...payout, user_id: GRACE },
    ['user.gate'],
    (world) => world.run('balance.credit', { user_id: GRACE, currency: 'USD', amount: '100' }, BY),
  ],
  [
    'a payout of a user who is not active and has just enough',
    'payout.create',
    { ...payout, user_id: GRACE },
    ['user.gate'],
    (world) =>
      world.run('balance.credit', { user_id: GRACE, currency: 'USD', amount: '10.25' }, BY),
  ],
  [
    'a payout of a user who is not active and has too little',
    'payout.create',
    { ...payout, user_id: GRACE },
    ['user.gate', 'error.order'],
    (world) => world.run('balance.credit', { user_id: GRACE, currency: 'USD', amount: '10' }, BY),
  ],
  [
    'a payout of a user who is not active and has nothing',
    'payout.create',
    { ...payout, user_id: GRACE, currency: 'GBP' },
    ['user.gate'],
  ],
  [
    'a payout of a user who is not active, of no amount',
    'payout.create',
    { ...payout, user_id: GRACE, amount: 'ten' },
    ['user.gate'],
    (world) => world.run('balance.credit', { user_id: GRACE, currency: 'USD', amount: '10' }, BY),
  ],
  [
    'a payout in a currency without a balance',
    'payout.create',
    { ...payout, currency: 'GBP' },
    ['payout.balance', 'payout.source'],
  ],
  [
    'a payout of more than there is',
    'payout.create',
    { ...payout, amount: '9999999' },
    ['payout.balance', 'payout.fee', 'payout.source'],
  ],
  [
    'a payout with more decimals than its currency',
    'payout.create',
    { ...payout, amount: '10.001' },
    ['payout.amount_scale'],
  ],
  [
    'a payout of less than one unit',
    'payout.create',
    { ...payout, amount: '0.50' },
    ['payout.fee', 'payout.source', 'payout.amount_limits'],
  ],
  [
    'a payout of more digits than fifteen',
    'payout.create',
    { ...payout, amount: '99999999999999' },
    ['payout.amount_limits'],
  ],
  [
    'a payout by the rail of a provider',
    'payout.create',
    {
      ...payout,
      user_id: BEN,
      currency: 'KES',
      recipient_details: { ...payout.recipient_details, bank_name: 'M-PESA' },
    },
    ['payout.fee', 'payout.source', 'payout.rail'],
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
    'a payout without a rail',
    'payout.create',
    { ...payout, currency: 'JPY' },
    ['payout.source', 'payout.currency'],
    (world) => world.run('balance.credit', { user_id: ADA, currency: 'JPY', amount: '100' }, BY),
  ],
  [
    'a payout that is moved',
    'payout.move',
    (world) => ({ id: pay(world).id, to: 'PAYOUT_PROCESSED' }),
    [],
  ],
  ['a wallet on a chain of its own', 'wallet.create', wallet, []],
  [
    'a second wallet on a chain',
    'wallet.create',
    { ...wallet, customer_wallet_ref: UNKNOWN },
    ['wallet.same_chain'],
    (world) => world.run('wallet.create', wallet, BY),
  ],
  [
    'a wallet that comes again',
    'wallet.create',
    wallet,
    ['wallet.repeat'],
    (world) => world.run('wallet.create', wallet, BY),
  ],
  [
    'a reference that another user has used',
    'wallet.create',
    { ...wallet, user_id: BEN },
    ['repeat.scope', 'wallet.repeat'],
    (world) => world.run('wallet.create', wallet, BY),
  ],
  ['a wallet without a reference', 'wallet.create', { user_id: ADA, chain: 'tron' }, []],
  [
    'a wallet on an unknown chain',
    'wallet.create',
    { ...wallet, chain: 'dogechain' },
    ['wallet.chain'],
  ],
  [
    'a wallet on an unknown chain in upper case',
    'wallet.create',
    { ...wallet, chain: 'DOGECHAIN' },
    ['wallet.chain'],
  ],
  [
    'a wallet of nobody on an unknown chain',
    'wallet.create',
    { ...wallet, chain: 'dogechain', user_id: UNKNOWN },
    ['wallet.chain', 'error.order'],
  ],
  [
    'a wallet on a chain in another case',
    'wallet.create',
    { ...wallet, chain: 'Tron' },
    ['wallet.chain', 'chain.spelling'],
  ],
  ['a wallet of nobody', 'wallet.create', { ...wallet, user_id: UNKNOWN }, ['resource.unknown']],
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
    'a wallet of a user who is not active',
    'wallet.create',
    { ...wallet, user_id: GRACE },
    ['user.gate'],
  ],
  [
    'a deposit address',
    'offramp.initiate',
    { user_id: ADA, account_id: accountOf(ADA) },
    ['offramp.asset', 'offramp.address'],
  ],
  [
    'a new deposit address',
    'offramp.initiate',
    (world) => ({
      user_id: ADA,
      account_id: world.run(
        'account.register',
        { user_id: ADA, currency: 'EUR', account_number: '1' },
        BY,
      ).id,
    }),
    ['offramp.asset'],
  ],
  [
    'a deposit address of the oldest account',
    'offramp.initiate',
    { user_id: ADA },
    ['offramp.asset', 'offramp.address'],
  ],
  [
    'an offramp of nobody',
    'offramp.initiate',
    { user_id: UNKNOWN, account_id: UNKNOWN },
    ['resource.unknown'],
  ],
  [
    'an offramp to an unknown account',
    'offramp.initiate',
    { user_id: ADA, account_id: UNKNOWN },
    ['offramp.foreign_account'],
  ],
  [
    'an offramp of a user who is not active',
    'offramp.initiate',
    { user_id: GRACE, account_id: accountOf(GRACE) },
    ['user.gate'],
  ],
  [
    'an offramp of a user who is not active, to an unknown account',
    'offramp.initiate',
    { user_id: GRACE, account_id: UNKNOWN },
    ['offramp.foreign_account', 'error.order'],
  ],
  ['a user', 'user.create', user, []],
  [
    'a user without a consent, a birth and an answer to sharing',
    'user.create',
    { ...user, consent_id: null, sharing_consent: null, date_of_birth: null },
    [],
  ],
  [
    'a user with a consent that was used',
    'user.create',
    { ...user, consent_id: ada.consent_id },
    ['consent.reuse'],
  ],
  [
    'a user who does not share',
    'user.create',
    { ...user, sharing_consent: false },
    ['consent.validity'],
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
  [
    'a user who was born the day before',
    'user.create',
    { ...user, date_of_birth: '2026-06-13' },
    ['user.age'],
  ],
  ['a user who is eighteen', 'user.create', { ...user, date_of_birth: '2008-06-15' }, []],
  [
    'a user who is born before all others',
    'user.create',
    { ...user, date_of_birth: '1900-01-01' },
    [],
  ],
  [
    'a user with an email address of another',
    'user.create',
    { ...user, email_address: ada.email_address },
    ['user.email'],
  ],
  [
    'a user with an email address of another in another case',
    'user.create',
    { ...user, email_address: ada.email_address.toUpperCase() },
    ['user.email'],
  ],
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
    'a user with a supporting document of another',
    'user.create',
    { ...user, documents: [...documents, ...ada.documents.slice(2)] },
    [],
  ],
  [
    'a user without a document and a phone number, as another',
    'user.create',
    { ...user, documents: [], phone_number: null },
    [],
    (world) => {
      const email_address = 'bare@example.com'
      const bare = { ...user, consent_id: null, email_address, documents: [], phone_number: null }
      world.run('user.create', bare, BY)
    },
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
  ['a consent', 'consent.create', { tnc_accepted: true }, []],
  ['a consent that is declined', 'consent.create', { tnc_accepted: false }, ['consent.validity']],
  [
    'a consent of later',
    'consent.create',
    { tnc_accepted: true, accepted_at: '2026-06-15T09:00:00.001Z' },
    ['consent.time'],
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
    'a deposit of an unknown token to an offramp',
    'deposit.receive',
    { address: offramp.address, amount: '100', crypto: 'DOGE' },
    [],
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
    'a deposit to a wallet on a chain where its address is none',
    'deposit.receive',
    { address: onEthereum, amount: '100', chain: 'solana' },
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
      const world = createWorld({
        seed: 'relied',
        now: given.now,
        evaluateRules: () => undefined,
        record: () => {},
      })
      world.run('fixtures.load', given, { kind: 'fixtures' })
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
