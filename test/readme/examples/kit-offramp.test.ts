import { expect, test } from '../../../src/runners/vitest.js'

test('an offramp is paid out after a deposit', async ({ world }) => {
  const response = await world.fetch('/payment/api/v1/offramp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(world.build.offramp({ account_id: world.accounts.adaEur.id })),
  })
  const { address } = (await response.json()) as { address: string }
  const { transfer_id } = await world.deposit(address, '100')
  await world.advance('8s')
  await world.expect({ transfers: { id: transfer_id ?? '', status: 'PAYMENT_PROCESSED' } })
  expect(await world.audit()).toMatchObject({ ok: true })
})
