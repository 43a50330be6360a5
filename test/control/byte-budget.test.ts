import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { ownId } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { openTenants, Partner } from '../support/tenants.js'
import type { List } from '../support/wire.js'

const scenarios = '/_sandbox/scenarios'
const snapshots = '/_sandbox/snapshots'

const scenario = (name: string, kib: number) => ({
  name,
  title: 't',
  rules: [{ when: 'request', then: [{ respond: { status: 503, body: 'x'.repeat(kib * 1024) } }] }],
})

const open = async (worldSize: string) => {
  const api: Client = await openOwnSandbox({ seed: 's', worldSize, machineClock: () => 0 })
  const post = (name: string, kib: number) => api.post(scenarios, scenario(name, kib))
  return { api, post }
}

test('a change that passes the size of a world is refused with the sums, and reads go on', async () => {
  const { api, post } = await open('100KiB')
  expect((await post('one', 30)).status).toBe(201)
  expect(await post('two', 30)).toMatchObject({
    status: 507,
    body: {
      code: '5070',
      message: expect.stringMatching(
        /^this world holds 6\d(\.\d)? KiB of 100 KiB, and this would add 6\d(\.\d)? KiB\. Delete snapshots/,
      ),
    },
  })
  expect((await api.get(`${scenarios}/two`)).status).toBe(404)
  expect((await api.get(`${scenarios}/one`)).status).toBe(200)
  expect((await post('one', 28)).status).toBe(201)
})

test('payouts and armed calls fill a world too', async () => {
  const { api } = await open('20KiB')
  const pay = (n: number) =>
    api.post('/payment/api/v1/payout', { ...payoutRequest(), customer_payout_id: ownId(n) })
  const count = async () =>
    (await api.get<List<unknown>>('/_sandbox/payouts')).body.pagination.total_elements
  const before = await count()
  const statuses: number[] = []
  for (let n = 1; n <= 40; n++) statuses.push((await pay(n)).status)
  const paid = statuses.indexOf(507)
  expect(new Set(statuses.slice(0, paid))).toEqual(new Set([200]))
  expect(new Set(statuses.slice(paid))).toEqual(new Set([507]))
  expect(await count()).toBe(before + paid)
  const next = {
    operation: 'createPayout',
    then: { respond: { status: 503, body: 'x'.repeat(9000) } },
  }
  expect((await api.post('/_sandbox/next', next)).status).toBe(507)
})

test('snapshots count, but not those of a reset, which makes room', async () => {
  const { api, post } = await open('100KiB')
  await post('one', 20)
  expect((await api.post(snapshots, { name: 'a' })).status).toBe(201)
  expect((await api.post(snapshots, { name: 'b' })).status).toBe(507)
  expect((await api.post('/_sandbox/reset')).status).toBe(200)
  expect((await post('two', 20)).status).toBe(201)
  expect((await api.post(`${snapshots}/a/restore`)).status).toBe(200)
  expect((await api.call('DELETE', `${snapshots}/a`)).status).toBe(200)
  expect((await post('two', 20)).status).toBe(201)
})

test('the worlds of a tenant share a size, which forks pass too, and other tenants have their own', async () => {
  const [acme, bmart] = [new Partner('acme'), new Partner('bmart')]
  const sizes = { worldBytes: 100 * 1024, tenantBytes: 130 * 1024 }
  const send = await openTenants(acme, bmart).start({}, sizes)
  const call = (by: Partner, world: number, path: string, body?: unknown) =>
    send('POST', path, { token: by.token, key: by.key(world), body })
  expect((await call(acme, 1, scenarios, scenario('one', 30))).status).toBe(201)
  expect((await call(acme, 2, scenarios, scenario('one', 20))).status).toBe(201)
  expect((await call(acme, 2, snapshots, { name: 'a' })).status).toBe(507)
  expect(await call(acme, 3, scenarios, scenario('one', 30))).toMatchObject({
    status: 507,
    body: { message: expect.stringContaining('tenant acme holds') },
  })
  expect((await call(bmart, 1, scenarios, scenario('one', 30))).status).toBe(201)
  expect((await call(bmart, 1, snapshots, { name: 'a' })).status).toBe(507)
  expect((await call(bmart, 2, scenarios, scenario('one', 14))).status).toBe(201)
  expect((await call(bmart, 2, snapshots, { name: 'a' })).status).toBe(201)
  expect((await call(bmart, 2, `${snapshots}/a/fork`)).status).toBe(507)
})
