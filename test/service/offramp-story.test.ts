import { describe, expect, test } from 'vitest'
import { choose } from '../readings/chosen.js'
import { accounts, addresses, users } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import type { Audit, Instruction, OfframpItem, Transfer } from '../support/wire.js'

const offramps = `/payment/api/v1/offramp-audit/${users.ada}`

interface Deposit {
  readonly offramp_id: string
  readonly transfer_id: string
}

describe.each(transports)('an offramp from deposit to payment over %s', (over) => {
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
