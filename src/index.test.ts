import { describe, expect, it } from 'vitest'
import { createSandbox } from './index.js'

describe('running a command from a program', () => {
  it('keeps a copy of the input', async () => {
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
