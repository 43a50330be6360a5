import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import type { BalanceEntry, Instruction } from '../support/wire.js'

const DAI = '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'
const DEPOSITS = '/_sandbox/deposits'

const openWallet = async () => {
  const api = await openOwnSandbox()
  const { wallet_address: address } = await api.make<{ wallet_address: string }>(
    '/payment/api/v1/custody-wallet',
    { user_id: users.ada, chain: 'arbitrum', customer_wallet_ref: users.ada },
  )
  return { api, address }
}

const deposit = { crypto: 'DAI', chain: 'arbitrum' }

test('a wallet keeps all eighteen decimals of a token', async () => {
  const { api, address } = await openWallet()
  for (const amount of ['0.000000000000000001', '1.5', '999999.999999999999999999']) {
    await api.make(DEPOSITS, { ...deposit, address, amount })
  }
  const kept = api.sandbox.tables.deposits.all().slice(-3)
  expect(kept.map(({ amount }) => amount)).toEqual([
    '0.000000000000000001',
    '1.500000000000000000',
    '999999.999999999999999999',
  ])
  const { ok, assets } = api.sandbox.audit()
  expect(ok).toBe(true)
  expect(JSON.stringify(assets)).toContain('DAI@arbitrum')
  const all = await api.read<BalanceEntry[]>('/payment/api/v1/custody-wallet/total-balances')
  expect(all.find((it) => it.contract_address === DAI)?.balance).toBe(1_000_001.5)
})

test('a balance that a JSON number cannot show is cut, never rounded up', async () => {
  const { api, address } = await openWallet()
  const amount = '0.999999999999999999'
  const { amount: shown } = await api.make<{ amount: number }>(DEPOSITS, {
    ...deposit,
    address,
    amount,
  })
  const balance = `/payment/api/v1/offramp-audit/crypto-balance/DAI/arbitrum/${users.ada}`
  const all = await api.read<BalanceEntry[]>('/payment/api/v1/custody-wallet/total-balances')
  const total = all.find((it) => it.contract_address === DAI)?.balance
  expect([shown, await api.read<number>(balance), total]).toEqual(Array(3).fill(0.9999999999999999))
})

test('an amount beyond eighteen decimals or six digits before the point is refused', async () => {
  const { api, address } = await openWallet()
  const refused = [
    ['1.0000000000000000001', 'at most 18 decimals in DAI'],
    ['1000000', 'at most 999999.999999999999999999 DAI'],
  ] as const
  for (const [amount, words] of refused) {
    expectRefusal(await api.post(DEPOSITS, { ...deposit, address, amount }), 400, '4000', words)
  }
})

const openOfframp = async () => {
  const api = await openOwnSandbox()
  const { account_id } = await api.make<{ account_id: string }>(
    `/_sandbox/users/${users.ada}/accounts`,
    {
      currency: 'USD',
      account_number: '400012345679',
      crypto: 'DAI',
      chain: 'arbitrum',
    },
  )
  const { address, crypto } = await api.make<Instruction>('/payment/api/v1/offramp', {
    user_id: users.ada,
    account_id,
  })
  expect(crypto).toBe('DAI')
  return { api, address }
}

test('the limits of a deposit count every decimal', async () => {
  const { api, address } = await openOfframp()
  await api.call('PATCH', '/_sandbox/assumptions/deposit.limits', {
    body: { reading: 'unmatched' },
  })
  const matched: string[] = []
  for (const amount of ['9.999999999999999999', '10', '10000', '10000.000000000000000001']) {
    matched.push((await api.make<{ matched: string }>(DEPOSITS, { address, amount })).matched)
  }
  expect(matched).toEqual(['unmatched', 'offramp', 'offramp', 'unmatched'])
})

test('an offramp converts and returns a token to its last decimal', async () => {
  const { api, address } = await openOfframp()
  const amount = '123.454999999999999999'
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const { transfer_id } = await api.make<{ transfer_id: string }>(DEPOSITS, { address, amount })
    ids.push(transfer_id)
  }
  const [paid = '', failed = ''] = ids
  for (const id of ids) {
    for (const to of ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED']) {
      await api.make(`/_sandbox/transfers/${id}/advance`, { to })
      expect(api.sandbox.audit().ok).toBe(true)
    }
  }
  await api.make(`/_sandbox/transfers/${paid}/advance`, { to: 'PAYMENT_SUBMITTED' })
  await api.make(`/_sandbox/transfers/${paid}/advance`, { to: 'PAYMENT_PROCESSED' })
  await api.make(`/_sandbox/transfers/${failed}/advance`, { to: 'FAILED' })
  const records = api.sandbox.tables.transfers
  expect(records.get(paid)).toMatchObject({
    source_amount: amount,
    fees: '1.50',
    // 123.454999… less the fee, rounded once: to 121.95, and not by way of 123.455 to 121.96.
    destination_amount: '121.95',
    status: 'PAYMENT_PROCESSED',
  })
  expect(records.get(failed)).toMatchObject({ source_amount: amount, status: 'FAILED' })
  expect(api.sandbox.audit()).toMatchObject({ ok: true, violations: [] })
})
