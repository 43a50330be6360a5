import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSandbox } from '../src/index.js'
import { dataFile } from './support/data-folder.js'
import { keys, transferId } from './support/fixture-ids.js'
import { payoutRequest } from './support/requests.js'

/** A test may fake the timers of the process that it and its sandbox are in. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
const init = { method: 'POST', headers, body: JSON.stringify(payoutRequest()) }

test.each([
  ['in memory', () => undefined],
  ['with data', dataFile],
])('requests that come together are answered: %s', async (_, file) => {
  const data = file()
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests', ...(data && { data }) })
  const { url } = await sandbox.listen()
  const answers = await Promise.all([
    fetch(url + STATUS, { headers }),
    fetch(url + STATUS, { headers }),
    fetch(`${url}/payment/api/v1/payout`, init),
    fetch(`${url}/payment/api/v1/payout`, init),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await sandbox.close()
})

test('streams hear what happens', async () => {
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests' })
  const response = await sandbox.fetch('/_sandbox/journal/stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n')
  await sandbox.fetch('/payment/api/v1/payout', init)
  expect((await reader?.read())?.value).toContain('"payout.create"')
  await sandbox.close()
})
