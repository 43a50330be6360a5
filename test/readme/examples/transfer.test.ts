import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

test('a transfer is paid within eight seconds', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const { id } = sandbox.run('transfer.start', {
    user_id: '11111111-1111-4111-8111-000000000001',
    account_id: '22222222-2222-4222-8222-000000000001',
    source_currency: 'USD',
    source_amount: '500.00',
  })
  sandbox.advance('8s')
  const response = await sandbox.fetch(`/payment/api/v1/fx-audit/status/${id}`, {
    headers: { 'x-api-key': 'SandrampFullAccessKey00000000001' },
  })
  expect(await response.json()).toMatchObject({ status: 'PAYMENT_PROCESSED' })
})
