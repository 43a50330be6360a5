import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import type { SandboxTransfer } from '../support/control.js'
import {
  accounts,
  addresses,
  consentId,
  depositId,
  NOBODY,
  offrampId,
  payoutId,
  transferId,
  userId,
  users,
  walletId,
} from '../support/fixture-ids.js'
import { didYouMean, invalid, shown } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest, walletRequest } from '../support/requests.js'
import type { Audit, List, OfframpItem, Payout, Transfer, User, Wallet } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

interface Resource {
  readonly noun: string
  readonly id: (n: number) => string
  /** Queries, and the numbers of the fixtures that they select. */
  readonly selected: Readonly<Record<string, readonly number[]>>
  /** Queries that are refused. */
  readonly refused: Readonly<Record<string, string>>
}

const count = (most: number): number[] => Array.from({ length: most }, (_, n) => n + 1)

const RESOURCES: readonly Resource[] = [
  {
    noun: 'payout',
    id: payoutId,
    selected: {
      '': [1, 2, 3],
      [`user_id=${users.ada}`]: [1],
      [`user_id=${users.ben}`]: [2, 3],
      [`user_id=${users.ben}&status=PAYOUT_FAILED`]: [2],
      [`user_id=${users.ada}&status=PAYOUT_FAILED`]: [],
      [`user_id=${NOBODY}`]: [],
      'status=PAYOUT_PENDING': [3],
    },
    refused: {
      'status=PENDING': invalid('status', 'PENDING', '"PAYOUT_PENDING", '),
      'user_id=1': invalid('user_id', '1', 'an id, or one of ada, '),
    },
  },
  {
    noun: 'transfer',
    id: transferId,
    selected: {
      '': count(12),
      [`user_id=${users.ada}`]: count(9),
      [`user_id=${users.ada.toUpperCase()}&status=PAYMENT_PROCESSED`]: [1, 2, 4],
      [`user_id=${users.ben}&status=PENDING`]: [],
      'status=FAILED': [3, 11],
    },
    refused: {
      'status=pending': invalid('status', 'pending', '"PENDING", "FUNDS_RECEIVED"'),
      'status=': invalid('status', ''),
    },
  },
  {
    noun: 'user',
    id: userId,
    selected: { '': count(8), 'status=active': [1, 2, 8], 'status=paused': [7] },
    refused: { 'status=ACTIVE': invalid('status', 'ACTIVE', '"under_review", "active"') },
  },
  {
    noun: 'wallet',
    id: walletId,
    selected: { '': count(6), [`user_id=${users.ada}`]: [1, 2, 3], 'user_id=hanna': [] },
    refused: { 'user_id=adaa': invalid('user_id', 'adaa') },
  },
  {
    noun: 'offramp',
    id: offrampId,
    selected: { '': count(8), [`user_id=${users.hanna}`]: [] },
    refused: { 'user_id=': invalid('user_id', '') },
  },
  {
    noun: 'deposit',
    id: depositId,
    selected: { '': count(17), 'matched=unmatched': [13] },
    refused: { 'matched=lost': invalid('matched', 'lost', '"offramp", "wallet", "unmatched"') },
  },
]

/** As it is written in the query, and how the message describes it. */
const NO_NUMBERS: readonly [string, string][] = [
  ['', '""'],
  ['1e3', '"1e3"'],
  ['0x10', '"0x10"'],
  ['%201', '" 1"'],
  ['%2B1', '"+1"'],
  ['1.5', '1.5'],
  ['-1', '-1'],
  ['9007199254740992', '"9007199254740992"'],
  ['99999999999999999999999', '"99999999999999999999999"'],
  ['%D9%A1', '"١"'],
  ['null', '"null"'],
  ['%ff', '"%ff"'],
]

/** As it is written in the path, and how the message describes it. */
const NO_IDS: readonly [string, string][] = [
  ['nonsense', '"nonsense"'],
  ['null', '"null"'],
  ['%00', '"\\u0000"'],
  ['11111111111141118111000000000001', '"11111111111141118111000000000001"'],
  [`${NOBODY}%0A`, `"${NOBODY}\\n"`],
  [`%7B${NOBODY}%7D`, `"{${NOBODY}}"`],
  ['%F0%9F%A6%93', '"🦓"'],
  ['x'.repeat(5_000), `"${'x'.repeat(64)}…"`],
]

interface Shown {
  readonly id: string
  readonly created_at: string
}

describe.each(RESOURCES)('resource of a $noun', ({ noun, id, selected, refused }) => {
  const path = `/_sandbox/${noun}s`
  const one = `${path}/${id(1)}`

  test.each(Object.entries(selected))('?%s selects %j, newest first', async (query, numbers) => {
    const { items, pagination } = await api.read<List<Shown>>(`${path}?${query}`)
    expect(new Set(items.map((it) => it.id))).toEqual(new Set(numbers.map(id)))
    const total_pages = numbers.length > 0 ? 1 : 0
    const total_elements = numbers.length
    expect(pagination).toEqual({ page: 0, size: 50, total_pages, total_elements })
    const times = items.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
    const pages: Shown[] = []
    for (const page of items.keys()) {
      const { items: part } = await api.read<List<Shown>>(`${path}?${query}&size=1&page=${page}`)
      pages.push(...part)
    }
    expect(pages).toEqual(items)
  })

  test.each(Object.entries(refused))('?%s is refused', async (query, words) => {
    expectRefusal(await api.get(`${path}?${query}`), 400, '4000', words)
  })

  test('a record is read as the list shows it', async () => {
    const { items } = await api.read<List<Shown>>(path)
    expect(await api.read(one)).toEqual(items.find((it) => it.id === id(1)))
  })
})

describe('a list', () => {
  const path = '/_sandbox/payouts'
  const read = async (query: string) =>
    (await (await openSandbox()).read<List<unknown>>(`${path}${query}`)).pagination

  test.each([
    ['page', 'a whole number from 0 to 9007199254740991'],
    ['size', 'a whole number from 1 to 1000'],
  ])('%s must be %s, and comes once', async (name, accepted) => {
    for (const [value, came] of NO_NUMBERS) {
      const answer = await api.get(`${path}?${name}=${value}`)
      expectRefusal(answer, 400, '4000')
      expect(answer.body).toHaveProperty('message', `${invalid(name, shown(came), accepted)}.`)
    }
    const twice = await api.get(`${path}?${name}=1&${name}=1`)
    expectRefusal(twice, 400, '4000', `${name} was sent 2 times. Expected once`)
  })

  test('size has limits', async () => {
    for (const size of [0, 1_001, Number.MAX_SAFE_INTEGER]) {
      expectRefusal(await api.get(`${path}?size=${size}`), 400, '4000', invalid('size', size))
    }
    expect(await read('?size=1000')).toHaveProperty('size', 1_000)
    const both = await api.get(`${path}?page=-1&size=0`)
    expectRefusal(both, 400, '4000', invalid('page', -1), ' | Invalid size: got 0')
  })

  test('unknown parameters are refused', async () => {
    for (const name of ['zebra', '__proto__', 'constructor', 'Page', 'x'.repeat(9_000)]) {
      const answer = await api.get(`${path}?page=0&${name}=1`)
      const unknown = `Unknown query parameter "${name.slice(0, 100)}`
      expectRefusal(answer, 400, '4000', unknown, 'Allowed: page, size, ')
      expect(JSON.stringify(answer.body).length).toBeLessThan(10_000)
    }
  })

  test('has its first page by default, and any page after the last is empty', async () => {
    const { page, size, total_elements } = await read('')
    expect([page, size]).toEqual([0, 50])
    expect(total_elements).toBeGreaterThan(0)
    for (const page of [1_000, 1e15, Number.MAX_SAFE_INTEGER]) {
      const pagination = { page, size: 1, total_pages: total_elements, total_elements }
      expect(await api.read(`${path}?page=${page}&size=1`)).toMatchObject({ items: [], pagination })
    }
  })

  test.each([
    `users/${users.ada}/accounts`,
    `users/${users.ada}/balances`,
    'api-keys',
    'assumptions',
    'deposits',
    'offramps',
    'rates',
    'requests',
    'scenarios',
    'snapshots',
    'transfers',
    'users',
    'wallets',
    'worlds',
  ])('of %s has the same pages', async (list) => {
    const path = `/_sandbox/${list}`
    const { pagination } = await api.read<List<unknown>>(path)
    expect(pagination).toMatchObject({ page: 0, size: 50 })
    const size = invalid('size', 1_001, 'a whole number from 1 to 1000')
    expectRefusal(await api.get(`${path}?size=1001`), 400, '4000', size)
    expectRefusal(await api.get(`${path}?page=-1`), 400, '4000', invalid('page', -1))
    expectRefusal(await api.get(`${path}?sise=1`), 400, '4000', didYouMean('size'))
  })
})

test('an id in a path is a UUID in any case, and is the id of a record', async () => {
  const pathOf = (id: string) => `/_sandbox/payouts/${id}`
  const accepted = 'a UUID such as 3f0c8f6e-9b1d-4c53-8a38-0a6a1c6a5d3e'
  for (const [text, came] of NO_IDS) {
    const answer = await api.get(pathOf(text))
    expectRefusal(answer, 400, '4000')
    expect(answer.body).toHaveProperty('message', `${invalid('id', shown(came), accepted)}.`)
  }
  for (const id of [NOBODY, '00000000-0000-0000-0000-000000000000']) {
    expectRefusal(await api.get(pathOf(id)), 404, '4040', `id: no payout has the id ${id}`)
  }
  expect((await api.get(pathOf(payoutId(2).toUpperCase()))).status).toBe(200)
})

describe('a record shows the contract’s resource, and what the sandbox knows besides', () => {
  test('of a payout', async () => {
    const made = await api.make<Payout>('/payment/api/v1/payout', payoutRequest())
    expect(await api.read(`/_sandbox/payouts/${made.id}`)).toEqual({
      ...made,
      reason: null,
      legal_moves: ['PAYOUT_FAILED'],
    })
    const failed = await api.read(`/_sandbox/payouts/${payoutId(2)}`)
    expect(failed).toMatchObject({ reason: 'account_closed', legal_moves: [] })
  })

  test('of a transfer', async () => {
    const contract = await api.read<Transfer>(`/payment/api/v1/fx-audit/status/${transferId(3)}`)
    expect(await api.read<SandboxTransfer>(`/_sandbox/transfers/${transferId(3)}`)).toEqual({
      ...contract,
      kind: 'offramp',
      user_id: users.ada,
      account_id: accounts.adaUsd,
      offramp_id: offrampId(2),
      reason: 'account_closed',
      reached: {
        PENDING: '2026-02-24T09:03:47.555Z',
        FUNDS_RECEIVED: '2026-02-24T09:05:23.357Z',
        CONVERSION_PROCESSED: '2026-02-24T09:06:06.476Z',
        PAYMENT_SUBMITTED: '2026-02-24T09:08:17.912Z',
        FAILED: '2026-02-24T10:38:38.912Z',
      },
      legal_moves: [],
      created_at: '2026-02-24T09:03:47.555Z',
      updated_at: expect.any(String),
    })
  })

  test('of a user', async () => {
    const service = await api.read<User[]>('/onboarding/api/v1/users/all')
    const { items } = await api.read<List<User>>('/_sandbox/users')
    expect(items.map(({ id }) => id)).toEqual(service.map(({ id }) => id))
    expect(await api.read(`/_sandbox/users/${users.ada}`)).toEqual({
      ...service.find(({ id }) => id === users.ada),
      consent_id: consentId(1),
      metadata: '{"customer_number":"C-1001","segment":"retail"}',
      legal_moves: ['paused', 'offboarded'],
      created_at: '2025-11-03T09:14:27.412Z',
      updated_at: '2025-11-03T15:02:10.035Z',
    })
  })

  test('of a wallet, with balances of every token of the chain, zero included', async () => {
    const made = await api.make<Wallet>('/payment/api/v1/custody-wallet', walletRequest())
    const contract_address = expect.stringMatching(/^0x/)
    expect(await api.read(`/_sandbox/wallets/${made.id}`)).toMatchObject({
      ...made,
      balances: [
        { balance: 0, crypto: 'usdc', contract_address },
        { balance: 0, crypto: 'usdt', contract_address },
      ],
      created_at: '2026-06-15T09:00:00.000Z',
    })
    expect(await api.read(`/_sandbox/wallets/${walletId(2)}`)).toMatchObject({
      balances: [{ balance: 750.25 }, { balance: 0 }],
    })
  })

  test('of an offramp', async () => {
    const { transactions } = await api.read<Audit<OfframpItem>>(
      `/payment/api/v1/offramp-audit/${users.ada}?size=100`,
    )
    const { items } = await api.read<List<OfframpItem>>(`/_sandbox/offramps?user_id=${users.ada}`)
    expect(items).toMatchObject([...transactions])
    expect(items.find(({ id }) => id === offrampId(1))).toMatchObject({
      user_id: users.ada,
      account_id: accounts.adaEur,
      transfer_id: transferId(1),
      deposit_address: addresses.adaEur,
    })
  })
})
