import { describe, expect, test } from 'vitest'
import { createSandbox } from './index.js'

describe('running a command from a program', () => {
  test('keeps a copy of the input', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const recipient_details = {
      bank_name: 'First Bank',
      account_holder_name: 'Amina Yusuf',
      recipient_account_number: '0123456789',
    }
    const { id } = sandbox.run('payout.create', {
      user_id: '11111111-1111-4111-8111-000000000001',
      customer_payout_id: 'eeeeeeee-eeee-4eee-8eee-000000000001',
      currency: 'USD',
      amount: '1.00',
      recipient_details,
    })
    const before = JSON.stringify(sandbox.tables.payouts.get(id))
    recipient_details.bank_name = 'Second Bank'
    expect(JSON.stringify(sandbox.tables.payouts.get(id))).toBe(before)
    await sandbox.close()
  })
})

describe('a sandbox that is closed', () => {
  test('answers and listens no more, as a server that has gone', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    await sandbox.close()
    const gone = 'the sandbox is closed'
    await expect(sandbox.fetch('/_sandbox/health')).rejects.toThrow(`fetch failed: ${gone}`)
    await expect(sandbox.listen()).rejects.toThrow(gone)
    await sandbox.close()
  })

  test('opens no port that was asked for just before', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const listening = sandbox.listen()
    await sandbox.close()
    await expect(listening).rejects.toThrow('the sandbox is closed')
  })

  test('a closed sandbox still returns entries and requests', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    await sandbox.fetch('/payment/api/v1/users')
    sandbox.advance('1h')
    const seen = () => [sandbox.entries(), sandbox.requests(), sandbox.now, sandbox.audit()]
    const before = seen()
    await sandbox.close()
    expect(seen()).toEqual(before)
  })
})

describe('a machine whose clock is set back', () => {
  test('holds up no world whose time follows it', async () => {
    let machine_ms = Date.parse('2026-06-15T09:00:00Z')
    const sandbox = await createSandbox({ machineClock: () => machine_ms })
    machine_ms -= 3_600_000
    const before = sandbox.now
    machine_ms += 10_000
    expect(Date.parse(sandbox.now) - Date.parse(before)).toBe(10_000)
    await sandbox.close()
  })
})
