import { describe, expect, test } from 'vitest'
import { startTransfer } from '../support/control.js'
import { users } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { missesOf, playing, statusOf } from '../support/scenario-client.js'
import type { Audit, Transfer } from '../support/wire.js'

/** The statuses of a transfer over time. */
const stories: Readonly<Record<string, readonly (readonly [after: string, status: string])[]>> = {
  'happy-path': [
    ['0s', 'PENDING'],
    ['2s', 'FUNDS_RECEIVED'],
    ['2s', 'CONVERSION_PROCESSED'],
    ['2s', 'PAYMENT_SUBMITTED'],
    ['2s', 'PAYMENT_PROCESSED'],
    ['365d', 'PAYMENT_PROCESSED'],
  ],
  'slow-settlement': [
    ['299s', 'PENDING'],
    ['1s', 'FUNDS_RECEIVED'],
    ['20m', 'CONVERSION_PROCESSED'],
    ['4h', 'PAYMENT_SUBMITTED'],
    ['47h', 'PAYMENT_SUBMITTED'],
    ['1h', 'PAYMENT_PROCESSED'],
  ],
  'stuck-in-pending': [
    ['0s', 'PENDING'],
    ['365d', 'PENDING'],
  ],
  'stuck-in-funds-received': [
    ['2s', 'FUNDS_RECEIVED'],
    ['365d', 'FUNDS_RECEIVED'],
  ],
  'stuck-in-conversion-processed': [
    ['4s', 'CONVERSION_PROCESSED'],
    ['365d', 'CONVERSION_PROCESSED'],
  ],
  'stuck-in-payment-submitted': [
    ['6s', 'PAYMENT_SUBMITTED'],
    ['365d', 'PAYMENT_SUBMITTED'],
  ],
  'conversion-fails': [
    ['2s', 'FUNDS_RECEIVED'],
    ['5s', 'FAILED'],
    ['365d', 'FAILED'],
  ],
  'bank-rejects': [
    ['6s', 'PAYMENT_SUBMITTED'],
    ['59s', 'PAYMENT_SUBMITTED'],
    ['1s', 'FAILED'],
  ],
  'late-return': [
    ['8s', 'PAYMENT_PROCESSED'],
    ['71h', 'PAYMENT_PROCESSED'],
    ['1h', 'FAILED'],
  ],
  'cancelled-before-funds': [
    ['899s', 'PENDING'],
    ['1s', 'CANCELLED'],
  ],
}

describe.each(Object.entries(stories))('%s', (name, story) => {
  test('shows these statuses to a client', async () => {
    const api = await playing(name)
    const { id } = await startTransfer(api)
    for (const [after, status] of story) {
      api.sandbox.advance(after)
      expect(await statusOf(api, id), `${after} later`).toBe(status)
      await moneyOf(api)
    }
    const audit = await api.read<Audit<Transfer>>(`/payment/api/v1/fx-audit/${users.ada}?size=1`)
    expect(audit.transactions[0]).toMatchObject({ id, status: story.at(-1)?.[1].toLowerCase() })
    expect(api.sandbox.tables.timers.size).toBe(0)
    expect(await missesOf(api, name)).toEqual([])
  })
})

test.each([
  ['conversion-fails', 'conversion_rejected'],
  ['bank-rejects', 'account_closed'],
  ['late-return', 'returned_by_bank'],
  ['cancelled-before-funds', 'funds_not_received'],
])('%s returns the money with the reason %s', async (name, reason) => {
  const api = await playing(name)
  const before = await moneyOf(api)
  const { id } = await startTransfer(api)
  api.sandbox.advance({ until: 'idle' })
  expect(api.sandbox.tables.transfers.get(id)?.reason).toBe(reason)
  expect(await moneyOf(api)).toEqual(before)
})
