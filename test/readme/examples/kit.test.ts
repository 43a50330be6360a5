import { expect, test } from '../../../src/runners/vitest.js'

test('pays once when the response is lost', async ({ world }) => {
  const body = JSON.stringify(world.build.payout({ user_id: world.users.ada.id }))
  const headers = { 'content-type': 'application/json' }
  const pay = () => world.fetch('/payment/api/v1/payout', { method: 'POST', headers, body })

  await world.next('createPayout').loseResponse()
  await expect(pay()).rejects.toThrow('fetch failed')
  expect((await pay()).status).toBe(200)

  await world.expect({ payouts: {}, count: 1 })
})
