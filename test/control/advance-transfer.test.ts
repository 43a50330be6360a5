import { describe, expect, test } from 'vitest'
import { field, fieldCases } from '../support/cases/field-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { type Client, expectRefusal } from '../support/client.js'
import { type Deposit, type SandboxTransfer, startTransfer } from '../support/control.js'
import { addresses, transferId } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import { MISSING } from '../support/with-field.js'

const pathOf = (id: string) => `/_sandbox/transfers/${id}/advance`
const over = 'fetch'

/** A transfer of the fixtures in each status, and where it may go from there. */
const STATUSES: readonly [string, number, readonly string[]][] = [
  ['PENDING', 9, ['FUNDS_RECEIVED', 'FAILED', 'CANCELLED']],
  ['FUNDS_RECEIVED', 8, ['CONVERSION_PROCESSED', 'FAILED', 'CANCELLED']],
  ['CONVERSION_PROCESSED', 7, ['PAYMENT_SUBMITTED', 'FAILED']],
  ['PAYMENT_SUBMITTED', 6, ['PAYMENT_PROCESSED', 'FAILED']],
  ['PAYMENT_PROCESSED', 1, ['FAILED']],
  ['FAILED', 3, []],
  ['CANCELLED', 5, []],
]
const NAMES = STATUSES.map(([name]) => name)

const move = (api: Client, id: string, body?: object) => api.make<SandboxTransfer>(pathOf(id), body)

describe('advanceTransfer', () => {
  const subject: Subject = {
    method: 'POST',
    path: pathOf(transferId(9)),
    body: () => ({ to: 'CANCELLED', reason: 'changed_mind' }),
    success: 200,
  }
  const reason = field('reason', 'text')
  fieldCases({ over, subject }, [
    { ...reason, wrong: reason.wrong.filter(([value]) => value !== MISSING) },
    {
      field: 'to',
      accepted: NAMES.map((name) => JSON.stringify(name)).join(', '),
      wrong: [
        [null, 'null'],
        ['', '""'],
        ['failed', '"failed"'],
        ['PAID', '"PAID"'],
        [3, '3'],
        [['FAILED'], 'an array'],
      ],
    },
  ])

  describe.each(STATUSES)('from %s', (from, n, legal) => {
    const id = transferId(n)
    const choice = legal.length > 0 ? `legal moves: ${legal.join(', ')}` : `${from} is final`

    test.each(NAMES)('to %s', async (to) => {
      const api = await openSandbox()
      const before = await api.read<SandboxTransfer>(`/_sandbox/transfers/${id}`)
      expect(before).toMatchObject({ status: from, legal_moves: legal })
      const answer = await api.post<SandboxTransfer>(pathOf(id), { to })
      if (legal.includes(to)) {
        expect(answer.body).toMatchObject({ id, status: to, reached: before.reached })
        expect(answer.body.reached[to]).toBe('2026-06-15T09:00:00.000Z')
      } else {
        const words = `transfer ${id} is ${from} and cannot become ${to}; ${choice}`
        expectRefusal(answer, 409, '4090', words)
        expect(await api.read<SandboxTransfer>(`/_sandbox/transfers/${id}`)).toEqual(before)
      }
      await moneyOf(api)
    })

    test('to the next status, when none is named', async () => {
      const api = await openSandbox()
      const answer = await api.post<SandboxTransfer>(pathOf(id))
      const [next] = legal
      if (next && next !== 'FAILED') expect(answer.body.status).toBe(next)
      else {
        const words = `transfer ${id} is ${from}, which has no next status; ${choice}`
        expectRefusal(answer, 409, '4090', words)
      }
    })
  })

  test('walks to the end by hand, ahead of its timers, and stays there', async () => {
    const api = await openSandbox()
    const { id } = await startTransfer(api)
    for (const status of NAMES.slice(1, 5)) {
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

  test('a reason is kept with a failure', async () => {
    const api = await openSandbox()
    const { id } = await startTransfer(api)
    const failed = await move(api, id, { to: 'FAILED', reason: 'account_closed' })
    expect(failed).toMatchObject({ status: 'FAILED', reason: 'account_closed', legal_moves: [] })
  })

  test('PAYMENT_PROCESSED can still fail: the receiving bank returned it', async () => {
    const api = await openSandbox()
    const { id } = await startTransfer(api)
    const before = await moneyOf(api)
    api.sandbox.advance({ until: 'idle' })
    expect(await moneyOf(api)).not.toEqual(before)
    const failed = await move(api, id, { to: 'FAILED', reason: 'returned' })
    expect(failed).toMatchObject({
      status: 'FAILED',
      payment_processed_at: '2026-06-15T09:00:08.000Z',
      legal_moves: [],
    })
    expect(await moneyOf(api)).toEqual(before)
  })

  describe.each(['bank transfer', 'offramp'])('the money of a %s', (kind) => {
    const start = async (api: Client): Promise<string> => {
      if (kind === 'bank transfer') return (await startTransfer(api)).id
      const body = { address: addresses.adaNgn, amount: '10.5' }
      return (await api.make<Deposit>('/_sandbox/deposits', body)).transfer_id ?? ''
    }

    test.each(NAMES.slice(0, 5))('is all back where it was after failing from %s', async (from) => {
      const api = await openSandbox()
      const before = await moneyOf(api)
      const id = await start(api)
      for (const _ of NAMES.slice(0, NAMES.indexOf(from))) await move(api, id)
      if (from !== 'PENDING') expect(await moneyOf(api)).not.toEqual(before)
      expect(await move(api, id, { to: 'FAILED' })).toMatchObject({ status: 'FAILED' })
      expect(await moneyOf(api)).toEqual(before)
      api.sandbox.advance({ until: 'idle' })
      expect(await moneyOf(api), 'timers that were pending move nothing').toEqual(before)
      expect(await api.read(`/_sandbox/transfers/${id}`)).toMatchObject({ status: 'FAILED' })
    })

    test.each(['PENDING', 'FUNDS_RECEIVED'])('and after being cancelled from %s', async (from) => {
      const api = await openSandbox()
      const before = await moneyOf(api)
      const id = await start(api)
      if (from === 'FUNDS_RECEIVED') await move(api, id)
      const cancelled = await move(api, id, { to: 'CANCELLED', reason: 'changed_mind' })
      expect(cancelled).toMatchObject({ status: 'CANCELLED', reason: 'changed_mind' })
      expect(await moneyOf(api)).toEqual(before)
    })
  })
})
