import { describe, expect, test } from 'vitest'
import { pagingCases } from '../support/cases/paging-cases.js'
import { expectRefusal } from '../support/client.js'
import {
  accounts,
  addresses,
  NOBODY,
  offrampId,
  transferId,
  users,
  walletId,
} from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { walletRequest } from '../support/requests.js'
import type { Audit, List, OfframpItem, Wallet } from '../support/wire.js'

const over = 'fetch'

describe('listWallets', () => {
  const path = '/_sandbox/wallets'
  pagingCases({ over, path, defaultSize: 50, largestSize: 1_000 })

  test.each([
    ['', [6, 5, 4, 3, 2, 1]],
    [`?user_id=${users.ada}`, [3, 2, 1]],
    [`?user_id=${users.hanna}`, []],
    [`?user_id=${NOBODY}`, []],
  ])('%s', async (query, numbers) => {
    const api = await openSandbox()
    const { items } = await api.read<List<Wallet>>(`${path}${query}`)
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(numbers.map(walletId)))
  })

  test('shows balances of every token of the chain, zero included', async () => {
    const api = await openSandbox()
    const { items } = await api.read<List<Wallet>>(`${path}?user_id=${users.ada}`)
    expect(items.find(({ id }) => id === walletId(2))).toEqual({
      id: walletId(2),
      crypto: null,
      balances: [
        {
          balance: 750.25,
          crypto: 'usdc',
          contract_address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
        },
        {
          balance: 0,
          crypto: 'usdt',
          contract_address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
        },
      ],
      blockchain: 'polygon',
      status: 'ACTIVE',
      user_id: users.ada,
      wallet_address: '0x7381e690d06eD733b4971A000F19e7B8a59080Ce',
      customer_wallet_ref: 'bbbbbbbb-bbbb-4bbb-8bbb-000000000002',
      created_at: '2025-11-05T09:02:10.000Z',
    })
  })

  test('a new wallet comes first, with balances where the create response has null', async () => {
    const api = await openSandbox()
    const made = await api.make<Wallet>('/payment/api/v1/custody-wallet', walletRequest())
    const { items } = await api.read<List<Wallet>>(`${path}?size=1`)
    const balances = items[0]?.balances?.map(({ balance }) => balance)
    expect(balances).toEqual([0, 0])
    expect(items[0]).toMatchObject({ ...made, balances: items[0]?.balances })
  })

  test('a malformed user is refused', async () => {
    const api = await openSandbox()
    expectRefusal(await api.get(`${path}?user_id=ada`), 400, '4000', invalid('user_id', 'ada'))
  })
})

describe('listOfframps', () => {
  const path = '/_sandbox/offramps'
  pagingCases({ over, path, defaultSize: 50, largestSize: 1_000 })

  test.each([
    ['', 8],
    [`?user_id=${users.ada}`, 6],
    [`?user_id=${users.ben}`, 2],
    [`?user_id=${users.hanna}`, 0],
  ])('%s', async (query, count) => {
    const api = await openSandbox()
    const { items, pagination } = await api.read<List<OfframpItem>>(`${path}${query}`)
    expect(items).toHaveLength(count)
    expect(pagination.total_elements).toBe(count)
    const times = items.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('shows the contract’s item, and where it belongs', async () => {
    const api = await openSandbox()
    const { transactions } = await api.read<Audit<OfframpItem>>(
      `/payment/api/v1/offramp-audit/${users.ada}?size=100`,
    )
    const { items } = await api.read<List<OfframpItem>>(`${path}?user_id=${users.ada}`)
    expect(items).toMatchObject([...transactions])
    expect(items.find(({ id }) => id === offrampId(1))).toMatchObject({
      user_id: users.ada,
      account_id: accounts.adaEur,
      transfer_id: transferId(1),
      deposit_address: addresses.adaEur,
    })
  })

  test('a malformed user is refused', async () => {
    const api = await openSandbox()
    expectRefusal(await api.get(`${path}?user_id=`), 400, '4000', invalid('user_id', ''))
  })
})
