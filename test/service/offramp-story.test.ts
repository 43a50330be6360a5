import { describe, expect, test } from 'vitest'
import { choose } from '../readings/chosen.js'
import type { Client } from '../support/client.js'
import { accounts, addresses, users } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import type { Audit, Instruction, OfframpItem, Transfer } from '../support/wire.js'

const offramps = `/payment/api/v1/offramp-audit/${users.ada}`
const transfers = `/payment/api/v1/fx-audit/${users.ada}`

interface Item {
  readonly id: string
  readonly status: string
}

const newest = async <T>(api: Client, path: string): Promise<T> => {
  const { transactions } = await api.read<Audit<T>>(`${path}?size=1`)
  const [item] = transactions
  if (!item) throw new Error(`${path} is empty`)
  return item
}

interface Deposit {
  readonly offramp_id: string
  readonly transfer_id: string
}

const START = Date.parse('2026-06-15T09:00:00.000Z')
const after = (seconds: number) => new Date(START + seconds * 1_000).toISOString()

/** The response of the status read at each status, two seconds apart. */
const STAGES = [
  {
    status: 'PENDING',
    funds_received_at: null,
    conversion_processed_at: null,
    payment_processed_at: null,
  },
  { status: 'FUNDS_RECEIVED', funds_received_at: after(2) },
  { status: 'CONVERSION_PROCESSED', conversion_processed_at: after(4) },
  {
    status: 'PAYMENT_SUBMITTED',
    payment_processed_at: null,
    bank_txn_reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
  },
  { status: 'PAYMENT_PROCESSED', payment_processed_at: after(8) },
]

describe.each(transports)('an offramp from deposit to payment over %s', (over) => {
  test('walks through every status, two seconds each', async () => {
    const api = await openSandbox({ over })
    const account = { user_id: users.ada, account_id: accounts.adaKes }
    const { address } = await api.make<Instruction>('/payment/api/v1/offramp', account)
    const deposit = await api.make<Deposit>('/_sandbox/deposits', { address, amount: '100.5' })

    const offramp = await newest<OfframpItem>(api, offramps)
    expect(offramp).toEqual({
      id: deposit.offramp_id,
      crypto_currency: 'usdc',
      crypto_amount: 100.5,
      fiat_currency: 'kes',
      fiat_amount: 12_844.5,
      exchange_rate: 129,
      blockchain: 'polygon',
      status: 'pending',
      destination_account: {
        account_id: accounts.adaKes,
        account_type: 'bank_account',
        masked_details: '****8900',
        nickname: expect.any(String),
      },
      created_at: after(0),
    })
    expect(offramp.id).not.toBe(deposit.transfer_id)

    let seen: object = {}
    for (const stage of STAGES) {
      seen = { ...seen, ...stage }
      const transfer = await api.read<Transfer>(
        `/payment/api/v1/fx-audit/status/${deposit.transfer_id}`,
      )
      expect(transfer).toMatchObject({
        ...seen,
        source_currency: 'usdc',
        source_amount: 100.5,
        target_currency: 'kes',
        destination_amount: 12_844.5,
        exchange_rate: 129,
        fees: 120,
      })
      const status = stage.status.toLowerCase()
      expect(await newest<Item>(api, offramps)).toMatchObject({ id: offramp.id, status })
      expect(await newest<Item>(api, transfers)).toMatchObject({ id: deposit.transfer_id, status })
      expect(api.sandbox.audit()).toMatchObject({ ok: true, violations: [] })
      api.sandbox.advance('1999ms')
      expect(await newest<Item>(api, transfers)).toHaveProperty('status', status)
      api.sandbox.advance('1ms')
    }
    api.sandbox.advance('30d')
    expect(await newest<Item>(api, transfers)).toHaveProperty('status', 'payment_processed')
  })

  test('several deposits at one address are several offramps, paged newest first', async () => {
    const api = await openSandbox({ over })
    const account = { user_id: users.ada, account_id: accounts.adaEur }
    const { address } = await api.make<Instruction>('/payment/api/v1/offramp', account)
    for (let n = 1; n <= 7; n++) {
      await api.make('/_sandbox/deposits', { address, amount: `${n}00` })
      if (n % 2 === 0) api.sandbox.advance('500ms')
    }
    const amounts: number[] = []
    for (const page of [0, 1, 2, 3]) {
      const { transactions, pagination } = await api.read<Audit<OfframpItem>>(
        `${offramps}?page=${page}&size=4`,
      )
      expect(pagination).toEqual({ page, size: 4, total_pages: 4, total_elements: 13 })
      amounts.push(...transactions.map(({ crypto_amount }) => crypto_amount))
    }
    expect(amounts.slice(0, 7)).toEqual([700, 600, 500, 400, 300, 200, 100])
    expect(amounts).toHaveLength(13)
    api.sandbox.advance({ until: 'idle' })
    const { transactions } = await api.read<Audit<OfframpItem>>(`${offramps}?size=7`)
    expect(new Set(transactions.map(({ status }) => status))).toEqual(
      new Set(['payment_processed']),
    )
    expect(api.sandbox.audit().ok).toBe(true)
  })
})

test('a deposit whose rate falls below the fee before its conversion fails', async () => {
  const api = await openSandbox()
  await choose(api, 'conversion.rate_fixed', 'conversion')
  const deposit = { address: addresses.adaEur, amount: '2' }
  const { transfer_id } = await api.make<Deposit>('/_sandbox/deposits', deposit)
  await api.call('PUT', '/_sandbox/rates', { body: { base: 'USD', quote: 'EUR', rate: '0.1' } })
  await api.make('/_sandbox/clock/advance', { until: 'idle' })
  const transfer = await api.read<Transfer>(`/payment/api/v1/fx-audit/status/${transfer_id}`)
  expect(transfer.status).toBe('FAILED')
  expect(await api.read('/_sandbox/audit')).toMatchObject({ ok: true })
})
