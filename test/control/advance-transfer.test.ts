import { describe, expect, test } from 'vitest'
import { TRANSFER_STATUSES } from '../../src/domain/schema.js'
import type { Client } from '../support/client.js'
import { type SandboxTransfer, startTransfer } from '../support/control.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const pathOf = (id: string) => `/_sandbox/transfers/${id}/advance`

const move = (api: Client, id: string, body?: object) => api.make<SandboxTransfer>(pathOf(id), body)

describe('advanceTransfer', () => {
  test('walks to the end by hand, ahead of its timers, and stays there', async () => {
    const api = await openSandbox()
    const { id } = await startTransfer(api)
    for (const status of TRANSFER_STATUSES.slice(1, 5)) {
      expect(await move(api, id)).toMatchObject({ status })
    }
    expect(
      (await api.read<SandboxTransfer>(`/_sandbox/transfers/${id}`)).bank_txn_reference,
    ).toMatch(/^[0-9a-f-]{36}$/)
    api.sandbox.advance({ until: 'idle' })
    expect(await api.read(`/_sandbox/transfers/${id}`)).toMatchObject({
      status: 'PAYMENT_PROCESSED',
    })
    await moneyOf(api)
  })

  test.each([
    ['stuck-in-pending', 'PENDING'],
    ['stuck-in-funds-received', 'FUNDS_RECEIVED'],
    ['slow-settlement', 'PENDING'],
  ])('resume lets a transfer that %s holds go on as usual', async (scenario, held) => {
    const api = await openSandbox({ scenarios: [scenario] })
    const { id } = await startTransfer(api)
    api.sandbox.advance({ by: '1m' })
    expect(await move(api, id, { resume: true })).toMatchObject({ status: held })
    expect(await api.read('/_sandbox/clock')).toMatchObject({ next: { length: 1 } })
    api.sandbox.advance({ by: '8s' })
    const { status } = await api.read<SandboxTransfer>(`/_sandbox/transfers/${id}`)
    expect(status).toBe('PAYMENT_PROCESSED')
    const final = await api.call('POST', pathOf(id), { body: { resume: true } })
    expect(final.status).toBe(409)
    const both = await api.call('POST', pathOf(id), { body: { resume: true, to: 'FAILED' } })
    expect(both.status).toBe(400)
  })
})
