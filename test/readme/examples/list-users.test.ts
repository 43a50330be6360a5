import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

test('lists the users of the fixtures', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const answer = await sandbox.fetch('/onboarding/api/v1/users/all', {
    headers: { 'x-api-key': 'SandrampFullAccessKey00000000001' },
  })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toHaveLength(8)
})
