import { expect, test } from 'vitest'
import { keys, ownId } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

test.each([
  ['/onboarding/api/v1/users/all', keys.full],
  ['/onboarding/api/v1/users/all', null],
  ['/payment/api/v1/nothing', keys.full],
  ['/_sandbox/clock', keys.full],
])(
  'an answer of %s with the key %s has a request id of its own, not the client’s',
  async (path, key) => {
    const api = await openSandbox()
    const id = ownId(77)
    const { headers } = await api.get(path, { key, headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-request-id')).not.toBe(id)
  },
)
