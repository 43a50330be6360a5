import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

const sandbox = await createSandbox({ clock: 'manual' })

const openWorld = () => {
  const key = `SandboxWorld${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return async (path: string, body?: object) => {
    const post = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await sandbox.fetch(path, { headers, ...post })
    return response.json()
  }
}

test.concurrent('one test moves its clock', async () => {
  const call = openWorld()
  await call('/_sandbox/clock/advance', { by: '1h' })
  expect(await call('/_sandbox/clock')).toMatchObject({ now: '2026-06-15T10:00:00.000Z' })
})

test.concurrent('another test keeps the time of the fixtures', async () => {
  const call = openWorld()
  expect(await call('/_sandbox/clock')).toMatchObject({ now: '2026-06-15T09:00:00.000Z' })
})
