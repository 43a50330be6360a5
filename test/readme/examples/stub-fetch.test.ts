import { afterEach, vi } from 'vitest'
import { expect, test } from '../../../src/runners/vitest.js'

afterEach(() => vi.unstubAllGlobals())

test('the client lists the users', async ({ world }) => {
  vi.stubGlobal('fetch', world.fetch)
  const response = await fetch('https://live.example.com/onboarding/api/v1/users/all')
  expect(await response.json()).toHaveLength(8)
})
