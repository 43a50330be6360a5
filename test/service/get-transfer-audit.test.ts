import { describe, expect, test } from 'vitest'
import { idInPathCases } from '../support/cases/id-in-path-cases.js'
import { pagingCases } from '../support/cases/paging-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { accounts, transferId, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Audit, Transfer } from '../support/wire.js'

const path = `/payment/api/v1/fx-audit/${users.ada}`
const subject: Subject = { method: 'GET', path, success: 200 }

interface Item {
  readonly id: string
  readonly status: string
  readonly source_amount: number
}

/** The contract's fields of a transfer audit item, in the contract's order. */
const FIELDS = [
  'id',
  'source_currency',
  'source_amount',
  'target_currency',
  'target_amount',
  'exchange_rate',
  'fees',
  'status',
  'destination_account',
  'created_at',
]

describe('getTransferAudit', () => {
  idInPathCases({
    over: 'fetch',
    subject,
    field: 'user_id',
    id: users.ada,
    unknown: 'no user has the id',
  })
  pagingCases({ over: 'fetch', path, defaultSize: 5, largestSize: 100 })

  test('answers five to a page, the newest first, those of offramps included', async () => {
    const api = await openSandbox()
    const first = await api.read<Audit<Item>>(path)
    expect(Object.keys(first)).toEqual(['user_id', 'transactions', 'pagination'])
    expect(first.transactions.map(({ id }) => id)).toEqual([9, 8, 7, 6, 5].map(transferId))
    expect(first.pagination).toEqual({ page: 0, size: 5, total_pages: 2, total_elements: 9 })
    const second = await api.read<Audit<Item>>(`${path}?page=1&size=5`)
    expect(second.transactions.map(({ id }) => id)).toEqual([4, 3, 2, 1].map(transferId))
  })

  test('shows an item in full', async () => {
    const api = await openSandbox()
    const { transactions } = await api.read<Audit<Item>>(`${path}?page=1&size=7`)
    expect(Object.keys(transactions[0] ?? {})).toEqual(FIELDS)
    expect(transactions[0]).toEqual({
      id: transferId(2),
      source_currency: 'usd',
      source_amount: 500,
      target_currency: 'ngn',
      target_amount: 699_250,
      exchange_rate: 1_400,
      fees: 750,
      status: 'payment_processed',
      destination_account: {
        account_id: accounts.adaNgn,
        account_type: 'bank_account',
        masked_details: '****6789',
        nickname: expect.any(String),
      },
      created_at: '2026-02-03T14:26:05.910Z',
    })
  })

  test('has every status, in lower case', async () => {
    const api = await openSandbox()
    const { transactions } = await api.read<Audit<Item>>(`${path}?size=100`)
    expect(new Set(transactions.map(({ status }) => status))).toEqual(
      new Set([
        'pending',
        'funds_received',
        'conversion_processed',
        'payment_submitted',
        'payment_processed',
        'failed',
        'cancelled',
      ]),
    )
  })

  test('agrees with the status read of each of its items', async () => {
    const api = await openSandbox()
    const { transactions } = await api.read<Audit<Record<string, unknown>>>(`${path}?size=100`)
    expect(transactions).toHaveLength(9)
    for (const item of transactions) {
      const detail = await api.read<Transfer>(`/payment/api/v1/fx-audit/status/${item.id}`)
      expect(item).toMatchObject({
        source_currency: detail.source_currency,
        source_amount: detail.source_amount,
        target_currency: detail.target_currency,
        target_amount: detail.destination_amount,
        exchange_rate: detail.exchange_rate,
        fees: detail.fees,
        status: detail.status.toLowerCase(),
      })
    }
  })

  test('items of one instant are in order of creation, and no page repeats one', async () => {
    const api = await openSandbox()
    for (let n = 1; n <= 12; n++) {
      const start = { user_id: users.ada, account_id: accounts.adaEur, source_currency: 'USD' }
      await api.make('/_sandbox/transfers', { ...start, source_amount: 100 + n })
    }
    const amounts: number[] = []
    for (const page of [0, 1, 2]) {
      const part = await api.read<Audit<Item>>(`${path}?page=${page}&size=4`)
      amounts.push(...part.transactions.map(({ source_amount }) => source_amount))
    }
    expect(amounts).toEqual([112, 111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101])
  })

  test('is empty for a user without transfers', async () => {
    const api = await openSandbox()
    expect(await api.read(`/payment/api/v1/fx-audit/${users.hanna}?size=3`)).toEqual({
      user_id: users.hanna,
      transactions: [],
      pagination: { page: 0, size: 3, total_pages: 0, total_elements: 0 },
    })
  })
})
