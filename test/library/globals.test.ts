import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

test('a sandbox that listens leaves the globals of the process as they are', async () => {
  const before = Object.getOwnPropertyDescriptors(globalThis)
  const sandbox = await createSandbox({ clock: 'manual' })
  const { url } = await sandbox.listen()
  expect(await fetch(`${url}/_sandbox/health`)).toBeInstanceOf(Response)
  const after = Object.getOwnPropertyDescriptors(globalThis)
  for (const name of ['Request', 'Response', 'Headers', 'fetch'] as const) {
    expect(after[name]?.value).toBe(before[name]?.value)
  }
  await sandbox.close()
})
