import { expect, test } from 'vitest'
import { openTenants, Partner } from '../../test/support/tenants.js'
import { Tenants } from './tenants.js'

test('nameCaller names a tenant by any key of its prefix and by its token', async () => {
  const acme = new Partner('acme')
  const tenants = new Tenants(
    openTenants(acme).log,
    () => 0,
    async () => {},
  )
  await tenants.refresh()
  const name = (headers: object) => tenants.nameCaller({ ...headers })
  expect(name({ 'x-api-key': acme.key(1) })).toBe('tenant acme')
  expect(name({ authorization: `Bearer ${acme.token}` })).toBe('tenant acme')
  expect(name({ 'x-api-key': new Partner('other').key(1) })).toBeUndefined()
  expect(name({})).toBeUndefined()
})

test('inTurn delays the call of a tenant that follows a long one', async () => {
  const acme = new Partner('acme')
  let now = 0
  const started: [string, number][] = []
  const sleep = async (ms: number) => {
    now += ms
  }
  const tenants = new Tenants(openTenants(acme).log, () => now, sleep)
  await tenants.refresh()
  const scope = tenants.findScope(acme.token) ?? expect.fail('no tenant')
  const run = (name: string, ms: number) =>
    tenants.inTurn(scope, async () => {
      started.push([name, now])
      now += ms
    })
  await run('short', 10)
  await run('long', 60)
  await run('after the rest', 0)
  expect(started).toEqual([
    ['short', 0],
    ['long', 10],
    ['after the rest', 220],
  ])
})
