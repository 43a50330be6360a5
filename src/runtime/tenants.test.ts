import { expect, test } from 'vitest'
import { openTenants, Partner } from '../../test/support/tenants.js'
import { Tenants } from './tenants.js'

test('nameCaller names a tenant by any key of its prefix and by its token', async () => {
  const acme = new Partner('acme')
  const tenants = new Tenants(openTenants(acme).log, () => 0)
  await tenants.refresh()
  const name = (headers: object) => tenants.nameCaller({ ...headers })
  expect(name({ 'x-api-key': acme.key(1) })).toBe('tenant acme')
  expect(name({ authorization: `Bearer ${acme.token}` })).toBe('tenant acme')
  expect(name({ 'x-api-key': new Partner('other').key(1) })).toBeUndefined()
  expect(name({})).toBeUndefined()
})
