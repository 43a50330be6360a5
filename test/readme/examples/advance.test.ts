import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

const headers = {
  'x-api-key': 'SandrampFullAccessKey00000000001',
  'content-type': 'application/json',
}

test('an offramp is paid out within eight seconds', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const offramp = await sandbox.fetch('/payment/api/v1/offramp', {
    method: 'POST',
    headers,
    body: JSON.stringify({
      user_id: '11111111-1111-4111-8111-000000000001',
      account_id: '22222222-2222-4222-8222-000000000001',
    }),
  })
  const { address } = (await offramp.json()) as { address: string }
  const world = sandbox.defaultWorld
  const { transfer_id } = await world.deposit(address, '100')

  await world.advance('8s')

  const status = await sandbox.fetch(`/payment/api/v1/fx-audit/status/${transfer_id}`, { headers })
  expect(await status.json()).toMatchObject({
    status: 'PAYMENT_PROCESSED',
    destination_amount: 84,
  })
  expect(await world.audit()).toMatchObject({ ok: true })
})
