import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { accounts, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { missesOf, PAYOUT, payoutOf, playing, statusOf } from '../support/scenario-client.js'
import type { Audit, Instruction, OfframpItem } from '../support/wire.js'

const initiate = (api: Client, account_id: string): Promise<Instruction> =>
  api.make<Instruction>('/payment/api/v1/offramp', { user_id: users.ada, account_id })

/** Ada's newest offramps as the service shows them; the fixtures have six. */
const newOfframps = async (api: Client): Promise<OfframpItem[]> => {
  const path = `/payment/api/v1/offramp-audit/${users.ada}?size=50`
  const { transactions } = await api.read<Audit<OfframpItem>>(path)
  return transactions.slice(0, -6)
}

/** Reads the status of the newest transfers, as a client does that noticed no others. */
const readTransfers = async (api: Client, most: number) => {
  for (const { id } of api.sandbox.tables.transfers.all().slice(-most)) await statusOf(api, id)
}

const unmatched = ({ sandbox }: Client) => sandbox.tables.deposits.list('matched', 'unmatched')

describe('deposit-wrong-token', () => {
  test.each([
    [accounts.adaKes, 'USDT', 'polygon'],
    [accounts.adaUsd, 'USDC', 'ethereum'],
  ])('sends %s %s on %s', async (account, crypto, chain) => {
    const api = await playing('deposit-wrong-token')
    const { address } = await initiate(api, account)
    api.sandbox.advance('10s')
    expect(unmatched(api).at(-1)).toMatchObject({ address, crypto, chain, amount: '50.000000' })
    expect(await newOfframps(api)).toEqual([])
    await initiate(api, account)
    api.sandbox.advance({ until: 'idle' })
    expect(unmatched(api)).toHaveLength(1 + 1)
    await moneyOf(api)
    expect(await missesOf(api, 'deposit-wrong-token')).toEqual([])
    await api.make(PAYOUT, payoutOf(1))
    expect(await missesOf(api, 'deposit-wrong-token')).toEqual([expect.stringContaining('payout')])
  })

  test('still converts the expected token', async () => {
    const api = await playing('deposit-wrong-token')
    const { address } = await initiate(api, accounts.adaKes)
    api.sandbox.advance('10s')
    await api.make('/_sandbox/deposits', { address, amount: '50' })
    expect(await newOfframps(api)).toMatchObject([{ crypto_amount: 50, status: 'pending' }])
  })
})

describe('deposit-twice', () => {
  test('creates two offramps for two deposits of one amount', async () => {
    const api = await playing('deposit-twice')
    await initiate(api, accounts.adaEur)
    await initiate(api, accounts.adaEur)
    api.sandbox.advance('10s')
    expect(await newOfframps(api)).toHaveLength(1)
    api.sandbox.advance({ until: 'idle' })
    await readTransfers(api, 1)
    expect(await missesOf(api, 'deposit-twice')).toHaveLength(1)
    const offramp = { crypto_amount: 100, status: 'payment_processed' }
    const [first, second, ...more] = await newOfframps(api)
    expect([first, second, more]).toMatchObject([offramp, offramp, []])
    expect(first?.id).not.toBe(second?.id)
    await moneyOf(api)
    expect(await missesOf(api, 'deposit-twice')).toEqual([])
  })
})

describe('under-and-over-deposit', () => {
  test('converts each deposit by its own amount', async () => {
    const api = await playing('under-and-over-deposit')
    await initiate(api, accounts.adaEur)
    api.sandbox.advance({ until: 'idle' })
    await readTransfers(api, 2)
    expect(await missesOf(api, 'under-and-over-deposit')).toHaveLength(1)
    expect(await newOfframps(api)).toMatchObject([
      { crypto_amount: 1200, fiat_amount: 1019, status: 'payment_processed' },
      { crypto_amount: 99.2, fiat_amount: 83.32, status: 'payment_processed' },
      { crypto_amount: 0.01, status: 'failed' },
    ])
    await moneyOf(api)
    expect(await missesOf(api, 'under-and-over-deposit')).toEqual([])
  })
})
