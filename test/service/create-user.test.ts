import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { consents } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import type { User } from '../support/wire.js'

const path = '/onboarding/api/v1/users'

describe('createUser', () => {
  test('is listed first, and approved after two seconds', async () => {
    const api = await openSandbox()
    const made = await api.make<User>(path, userRequest())
    const first = async () => (await api.read<User[]>('/onboarding/api/v1/users/all'))[0]
    expect(await first()).toEqual(made)
    api.sandbox.advance('1999ms')
    expect(await first()).toHaveProperty('status', 'under_review')
    api.sandbox.advance('1ms')
    expect(await first()).toEqual({ ...made, status: 'active' })
  })

  test('a consent serves one user, also when two come at once', async () => {
    const api = await openSandbox()
    const bodies = ['a', 'b', 'c'].map((n) => ({
      ...userRequest(),
      email_address: `${n}@example.com`,
    }))
    const answers = await Promise.all(bodies.map((body) => api.post(path, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    const words = `consent_id: consent ${consents.unused} was already used for another user`
    for (const answer of answers) {
      if (answer.status === 400) expectRefusal(answer, 400, '4000', words)
    }
  })
})
