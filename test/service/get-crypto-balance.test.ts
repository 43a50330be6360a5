import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { addresses, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

const pathOf = (crypto: string, chain: string, user: string) =>
  `/payment/api/v1/offramp-audit/crypto-balance/${crypto}/${chain}/${user}`

test('a balance with offramps goes up when crypto arrives, and down when it is converted or sent back', async () => {
  const scope = 'balance.scope=with_offramps'
  const tron = pathOf('USDT', 'tron', users.ben)
  const arrive = (api: Client, amount: string) =>
    api.make<{ transfer_id: string }>('/_sandbox/deposits', {
      address: addresses.benMpesa,
      amount,
    })

  const api = await openSandbox({ readings: [scope] })
  const balance = () => api.read<number>(tron)
  const before = await balance()
  const first = await arrive(api, '10')
  await arrive(api, '0.5')
  await arrive(api, '30')
  expect(await balance()).toBe(before + 30 + 10)
  await api.make(`/_sandbox/transfers/${first.transfer_id}/advance`, { to: 'CANCELLED' })
  expect(await balance()).toBe(before + 30)
  expect(await api.read<number>(pathOf('USDC', 'ethereum', users.ben))).toBe(0)
  expect(await api.read<number>(pathOf('USDT', 'tron', users.hanna))).toBe(0)
  api.sandbox.advance({ until: 'idle' })
  expect(await balance()).toBe(0)
})
