import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

test('a sandbox that listens leaves the globals of the process as they are', async () => {
  const { Request, Response, Headers, fetch } = globalThis
  const sandbox = await createSandbox({ clock: 'manual' })
  const { url } = await sandbox.listen()
  expect(await fetch(`${url}/_sandbox/health`)).toBeInstanceOf(Response)
  const after = globalThis
  expect([after.Request, after.Response, after.Headers, after.fetch]).toEqual([
    Request,
    Response,
    Headers,
    fetch,
  ])
  await sandbox.close()
})
