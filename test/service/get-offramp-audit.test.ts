import { describe, expect, test } from 'vitest'
import { idInPathCases } from '../support/cases/id-in-path-cases.js'
import { pagingCases } from '../support/cases/paging-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { accounts, addresses, NOBODY, offrampId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Audit, OfframpItem } from '../support/wire.js'

const path = `/payment/api/v1/offramp-audit/${users.ada}`
const subject: Subject = { method: 'GET', path, success: 200 }

/** The contract's fields of an offramp transaction, in the contract's order. */
const FIELDS = [
  'id',
  'crypto_currency',
  'crypto_amount',
  'fiat_currency',
  'fiat_amount',
  'exchange_rate',
  'blockchain',
  'status',
  'destination_account',
  'created_at',
]

describe('getOfframpAudit', () => {
  idInPathCases({
    over: 'fetch',
    subject,
    field: 'user_id',
    id: users.ada,
    unknown: 'no user has the id',
  })
  pagingCases({ over: 'fetch', path, defaultSize: 5, largestSize: 100 })

  test('answers five to a page, the newest first', async () => {
    const api = await openSandbox()
    const first = await api.read<Audit<OfframpItem>>(path)
    expect(Object.keys(first)).toEqual(['user_id', 'transactions', 'pagination'])
    expect(first.user_id).toBe(users.ada)
    expect(first.transactions.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2].map(offrampId))
    expect(first.pagination).toEqual({ page: 0, size: 5, total_pages: 2, total_elements: 6 })
    const second = await api.read<Audit<OfframpItem>>(`${path}?page=1`)
    expect(second.transactions.map(({ id }) => id)).toEqual([offrampId(1)])
    expect(second.pagination).toEqual({ page: 1, size: 5, total_pages: 2, total_elements: 6 })
    const times = first.transactions.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('shows an item in full', async () => {
    const api = await openSandbox()
    const { transactions } = await api.read<Audit<OfframpItem>>(`${path}?page=1`)
    expect(Object.keys(transactions[0] ?? {})).toEqual(FIELDS)
    expect(transactions).toEqual([
      {
        id: offrampId(1),
        crypto_currency: 'usdc',
        crypto_amount: 250,
        fiat_currency: 'eur',
        fiat_amount: 211.5,
        exchange_rate: 0.85,
        blockchain: 'polygon',
        status: 'payment_processed',
        destination_account: {
          account_id: accounts.adaEur,
          account_type: 'bank_account',
          masked_details: 'DE89****3000',
          nickname: 'Euro account',
        },
        created_at: '2026-01-19T10:12:31.204Z',
      },
    ])
  })

  test('shows the status as it is now', async () => {
    const api = await openSandbox()
    const status = async () =>
      (await api.read<Audit<OfframpItem>>(`${path}?size=1`)).transactions[0]?.status
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '10' })
    expect(await status()).toBe('pending')
    api.sandbox.advance('2s')
    expect(await status()).toBe('funds_received')
  })

  test('is empty for a user without offramps', async () => {
    const api = await openSandbox()
    const audit = await api.read(`/payment/api/v1/offramp-audit/${users.hanna}`)
    expect(audit).toEqual({
      user_id: users.hanna,
      transactions: [],
      pagination: { page: 0, size: 5, total_pages: 0, total_elements: 0 },
    })
  })

  test('malformed query, then unknown user', async () => {
    const api = await openSandbox()
    const elsewhere = `/payment/api/v1/offramp-audit/${NOBODY}`
    expectRefusal(await api.get(`${elsewhere}?page=-1`), 400, '4000', 'page: ')
    expectRefusal(await api.get(`${elsewhere}?page=7`), 404, '4040', 'user_id: ')
  })
})
