import { describe, expect, test } from 'vitest'
import { balanceOf } from '../support/balances.js'
import { type Client, expectRefusal } from '../support/client.js'
import { ownId, users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { Instruction, Payout } from '../support/wire.js'

// XOF has no decimals and KWD has three: code that counts in cents is wrong by a factor of 100.

const PAYOUT = '/payment/api/v1/payout'

const request = (currency: string, amount: string) => ({ ...payoutRequest(), currency, amount })

const CURRENCIES = [
  { currency: 'XOF', amount: '1500', fee: 500, before: 3_000_000, after: 2_998_000 },
  { currency: 'KWD', amount: '1500.125', fee: 0.125, before: 2_500.5, after: 1_000.25 },
]

describe.each(CURRENCIES)('a payout in $currency', ({ currency, amount, fee, before, after }) => {
  const balance = (api: Client) => balanceOf(api, users.ada, currency)

  test('shows amount and fee in units of the currency, and takes exactly both', async () => {
    const api = await openSandbox()
    expect(await balance(api)).toBe(before)
    const payout = await api.make<Payout>(PAYOUT, request(currency, amount))
    expect(payout).toMatchObject({ amount: Number(amount), rail_fee: fee })
    expect(payout.currency).toBe(currency.toLowerCase())
    expect(await balance(api)).toBe(after)
    await api.make(`/_sandbox/payouts/${payout.id}/advance`, { to: 'PAYOUT_FAILED' })
    expect(await balance(api)).toBe(before)
    await moneyOf(api)
  })

  test('takes only the amount where the fee is deducted', async () => {
    const api = await openSandbox()
    const headers = { 'x-sandbox-reading': 'payout.fee=deducted' }
    const answer = await api.post<Payout>(PAYOUT, request(currency, amount), { headers })
    expect(answer.body).toMatchObject({ amount: Number(amount), rail_fee: fee })
    expect(await balance(api)).toBe(before - Number(amount))
    await moneyOf(api)
  })
})

test.each([
  ['XOF', '1500.0', 'at most 0 decimals in XOF'],
  ['XOF', '1.5', 'at most 0 decimals in XOF'],
  ['XOF', '3000000', '3000000 and the fee of 500 make 3000500 XOF; the balance is 3000000'],
  ['KWD', '1.2345', 'at most 3 decimals in KWD'],
  ['KWD', '2500.376', '2500.376 and the fee of 0.125 make 2500.501 KWD; the balance is 2500.500'],
])('a payout of %s %s is refused', async (currency, amount, words) => {
  const api = await openSandbox()
  expectRefusal(await api.post(PAYOUT, request(currency, amount)), 400, '4000', words)
})

/** An offramp to an account in this currency, by its transfer. */
const convert = async (api: Client, currency: string, amount: string) => {
  const { account_id } = await api.make<{ account_id: string }>(
    `/_sandbox/users/${users.ada}/accounts`,
    { currency, account_number: ownId(1), crypto: 'USDC', chain: 'polygon' },
  )
  const { address } = await api.make<Instruction>('/payment/api/v1/offramp', {
    user_id: users.ada,
    account_id,
  })
  const { transfer_id } = await api.make<{ transfer_id: string }>('/_sandbox/deposits', {
    address,
    amount,
  })
  api.sandbox.advance({ until: 'idle' })
  await moneyOf(api)
  return api.read<object>(`/payment/api/v1/fx-audit/status/${transfer_id}`)
}

test.each([
  ['XOF', '100.05', { exchange_rate: 570, fees: 1500, destination_amount: 55_528 }],
  ['XOF', '100.15', { exchange_rate: 570, fees: 1500, destination_amount: 55_586 }],
  ['KWD', '100.5', { exchange_rate: 0.307, fees: 0.75, destination_amount: 30.104 }],
  ['KWD', '101.5', { exchange_rate: 0.307, fees: 0.75, destination_amount: 30.41 }],
])('an offramp to %s of %s USDC is rounded half to even', async (currency, amount, shown) => {
  expect(await convert(await openSandbox(), currency, amount)).toMatchObject(shown)
})
