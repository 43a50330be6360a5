import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

const sandbox = await createSandbox({ clock: 'manual' })

/** What calls the sandbox in a world that nobody else is in. */
const ownWorld = () => {
  const key = `SandboxWorld${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  return async (path: string, body?: object) => {
    const answer = await sandbox.fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }
}

test.concurrent.each(['0.50', '70.00', '1500.00'])(
  'a payout of %s is paid once',
  async (amount) => {
    const call = ownWorld()
    const payout = {
      user_id: '11111111-1111-4111-8111-000000000001',
      currency: 'NGN',
      customer_payout_id: 'c0ffee00-0000-4000-8000-000000000001',
      amount,
      recipient_details: {
        bank_name: 'Access Bank',
        account_holder_name: 'Ada Okafor',
        recipient_account_number: '0690000031',
      },
    }
    const first = await call('/payment/api/v1/payout', payout)
    const second = await call('/payment/api/v1/payout', payout)
    expect(second.id).toBe(first.id)
    const { ok } = await call('/_sandbox/verify', { expect: [{ payouts: {}, count: 1 }] })
    expect(ok).toBe(true)
  },
)
