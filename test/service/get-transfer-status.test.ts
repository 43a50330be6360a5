import { describe, expect, test } from 'vitest'
import { idInPathCases } from '../support/cases/id-in-path-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { accounts, transferId, users } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import type { Transfer } from '../support/wire.js'

const pathOf = (n: number) => `/payment/api/v1/fx-audit/status/${transferId(n)}`
const subject: Subject = { method: 'GET', path: pathOf(1), success: 200 }

/** The contract's fields of a transfer, in the contract's order. */
const FIELDS = [
  'id',
  'source_currency',
  'target_currency',
  'status',
  'sender_user_id',
  'source_amount',
  'destination_amount',
  'bank_txn_reference',
  'source_info',
  'destination_info',
  'exchange_rate',
  'fees',
  'funds_received_at',
  'conversion_processed_at',
  'payment_processed_at',
]

describe.each(transports)('getTransferStatus over %s', (over) => {
  idInPathCases({
    over,
    subject,
    field: 'transaction_id',
    id: transferId(1),
    unknown: 'no transfer has the id',
  })

  test('shows an offramp’s transfer in full', async () => {
    const api = await openSandbox({ over })
    const transfer = await api.read<Transfer>(pathOf(1))
    expect(Object.keys(transfer)).toEqual(FIELDS)
    expect(transfer).toEqual({
      id: transferId(1),
      source_currency: 'usdc',
      target_currency: 'eur',
      status: 'PAYMENT_PROCESSED',
      sender_user_id: users.ada,
      source_amount: 250,
      destination_amount: 211.5,
      bank_txn_reference: 'dddddddd-dddd-4ddd-8ddd-000000000001',
      source_info: {
        sender_name: 'Ada Okafor',
        source_account_details: {
          account_type: 'crypto_wallet',
          masked_details: '0xC437****4eb7',
          payment_rail: 'polygon',
        },
      },
      destination_info: {
        recipient_name: 'Ada Okafor',
        bank_details: {
          bic: 'RTBKDEF0',
          account_number: 'DE89****3000',
          bank_name: 'Rhine Test Bank',
          payment_rail: 'SEPA',
        },
        account_id: accounts.adaEur,
      },
      exchange_rate: 0.85,
      fees: 1,
      funds_received_at: '2026-01-19T10:14:06.409Z',
      conversion_processed_at: '2026-01-19T10:14:48.931Z',
      payment_processed_at: '2026-01-19T10:58:03.926Z',
    })
  })

  test('shows where a bank transfer comes from', async () => {
    const api = await openSandbox({ over })
    const { source_info } = await api.read<Transfer>(pathOf(2))
    expect(source_info).toEqual({
      sender_name: 'Ada Okafor',
      source_account_details: {
        account_type: 'bank_account',
        masked_details: '****4021',
        payment_rail: 'ACH',
      },
    })
  })

  test.each([
    [9, 'PENDING', [false, false, false], false],
    [8, 'FUNDS_RECEIVED', [true, false, false], false],
    [7, 'CONVERSION_PROCESSED', [true, true, false], false],
    [6, 'PAYMENT_SUBMITTED', [true, true, false], true],
    [1, 'PAYMENT_PROCESSED', [true, true, true], true],
    [3, 'FAILED', [true, true, false], true],
    [11, 'FAILED', [true, false, false], false],
    [5, 'CANCELLED', [false, false, false], false],
    [12, 'CANCELLED', [true, false, false], false],
  ])('transfer %d is %s: what it has not reached is null', async (n, status, reached, referred) => {
    const api = await openSandbox({ over })
    const transfer = await api.read<Transfer>(pathOf(n))
    expect(transfer.status).toBe(status)
    const times = [
      transfer.funds_received_at,
      transfer.conversion_processed_at,
      transfer.payment_processed_at,
    ]
    expect(times.map((time) => time !== null)).toEqual(reached)
    expect(transfer.bank_txn_reference !== null).toBe(referred)
  })

  test('reading changes nothing', async () => {
    const api = await openSandbox({ over })
    const first = await api.read<Transfer>(pathOf(9))
    api.sandbox.advance('7d')
    expect(await api.read<Transfer>(pathOf(9))).toEqual(first)
  })
})
