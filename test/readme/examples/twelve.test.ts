import type { SandboxWorld } from '../../../src/index.js'
import { expect, test } from '../../../src/runners/vitest.js'

type Answer = Record<'status' | 'address' | 'message', string>

/** Takes the place of your client: repeats one request until the answer is clear. */
const send = async (world: SandboxWorld, path: string, body: object) => {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await world.fetch(path, request).catch(() => undefined)
    const data: unknown = await answer?.json().catch(() => undefined)
    if (data && answer?.ok) return data as Answer
    if (data && answer && answer.status < 429) throw new Error((data as Answer).message)
    await world.sleep(1_000 * Number(answer?.headers.get('retry-after') ?? attempt))
  }
  throw new Error('the outcome is unknown')
}
const pay = (world: SandboxWorld, payout: object) => send(world, '/payment/api/v1/payout', payout)

test('pays once when the response is lost', async ({ world }) => {
  await world.next('createPayout').loseResponse()
  await pay(world, world.build.payout())
  await world.expect({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 })
})

test('pays when the first request never arrives', async ({ world }) => {
  await world.next('createPayout').dropBefore()
  await pay(world, world.build.payout())
  await world.expect({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 })
})

test('pays once when the response is no JSON', async ({ world }) => {
  await world.next('createPayout').malform('html')
  await pay(world, world.build.payout())
  await world.expect({ payouts: {}, count: 1, sum: { amount: 1500 } })
})

test('pays once after two responses 503', async ({ world }) => {
  await world.next('createPayout', { times: 2 }).respond(503)
  await pay(world, world.build.payout())
  await world.expect({ requests: { status: 503 }, repaired: true })
})

test('waits for retry-after', async ({ world }) => {
  const begin = Date.parse(await world.now())
  await world.next('createPayout').respond(429, { retryAfter: '30s' })
  await pay(world, world.build.payout())
  expect(Date.parse(await world.now()) - begin).toBeGreaterThanOrEqual(30_000)
})

test('reports a balance that is too small, and does not repeat', async ({ world }) => {
  const payout = world.build.payout({ amount: '9000000.00' })
  await expect(pay(world, payout)).rejects.toThrow('balance')
  await world.expect({ requests: { operation: 'createPayout' }, count: 1 })
})

test('notices that another bill has this id', async ({ world }) => {
  const payout = world.build.payout()
  await pay(world, payout)
  await expect(pay(world, { ...payout, amount: '20.00' })).rejects.toThrow('customer_payout_id')
  await world.expect({ payouts: {}, count: 1 })
})

test('pays again after a failure, and only then', async ({ world }) => {
  await world.next('createPayout').fail('account_closed')
  const first = await pay(world, world.build.payout())
  if (first.status === 'PAYOUT_FAILED') await pay(world, world.build.payout())
  await world.expect({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 })
})

test('does not pay again while the payout is pending', async ({ world }) => {
  await world.next('createPayout').stayPending()
  const payout = world.build.payout()
  for (let day = 0; day < 3; day++) expect((await pay(world, payout)).status).toBe('PAYOUT_PENDING')
  await world.expect({ payouts: {}, count: 1 })
})

test('notices a return after three days', async ({ world }) => {
  await world.next('createPayout').return({ after: '3d' })
  const payout = world.build.payout()
  await pay(world, payout)
  await world.advance('4d')
  expect((await pay(world, payout)).status).toBe('PAYOUT_FAILED')
})

test('opens no wallet for a user who is rejected', async ({ world }) => {
  await world.user('chloe').reject(['The passport has expired'])
  const wallet = world.build.wallet({ user_id: world.users.chloe.id })
  await expect(send(world, '/payment/api/v1/custody-wallet', wallet)).rejects.toThrow('rejected')
  await world.expect({ wallets: {}, count: 0 })
})

test('pays nothing out for the wrong token', async ({ world }) => {
  const { address } = await send(world, '/payment/api/v1/offramp', world.build.offramp())
  const { matched } = await world.deposit(address, '50', { crypto: 'USDT' })
  expect(matched).toBe('unmatched')
  await world.expect({ transfers: {}, count: 0 }, { until: 'idle' })
})
