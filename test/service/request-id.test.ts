import { expect, test } from 'vitest'
import { keys, ownId } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

/** request.id=taken_over: a client's own id in answers, in the log, and in the journal. */

const USERS = '/onboarding/api/v1/users/all'
const WORLD_KEY = 'SandboxWorldRequestIdsTaken00001'
const OWN = ownId(77)

const sending = (id: string, more: Record<string, string> = {}) => ({
  headers: { 'x-request-id': id, ...more },
})
const TAKEN = { 'x-sandbox-reading': 'request.id=taken_over' }

test('a client’s own id finds the request in the log, the newest of two', async () => {
  const api = await openSandbox()
  await api.get(USERS, sending(OWN, TAKEN))
  await api.get(`${USERS}/none`, sending(OWN, TAKEN))
  expect(await api.read(`/_sandbox/requests/${OWN}`)).toMatchObject({ id: OWN, status: 404 })
})

test('the world of the key decides, and the default world where no key is known', async () => {
  const api = await openSandbox()
  const path = '/_sandbox/assumptions/request.id'
  const own = { key: WORLD_KEY }
  await api.call('PATCH', path, { ...own, body: { reading: 'taken_over' } })
  const idOf = async (key: string | null) =>
    (await api.get(USERS, { key, ...sending(OWN) })).headers.get('x-request-id')
  expect(await idOf(WORLD_KEY)).toBe(OWN)
  expect(await idOf(keys.full)).not.toBe(OWN)
  expect(await idOf(null)).not.toBe(OWN)
  await api.call('PATCH', path, { body: { reading: 'taken_over' } })
  expect(await idOf(null)).toBe(OWN)
  expect(await idOf(keys.unknown)).toBe(OWN)
})

test('the control face has ids of its own', async () => {
  const api = await openSandbox()
  const { headers } = await api.get('/_sandbox/clock', sending(OWN, TAKEN))
  expect(headers.get('x-request-id')).not.toBe(OWN)
})

test('an id that is none of its own is asked by nobody', async () => {
  const api = await openSandbox()
  const { headers } = await api.get(USERS, sending('mine'))
  expect(headers.get('x-sandbox-assumed')).not.toContain('request.id')
})
