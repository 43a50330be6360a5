import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { dataFile } from '../support/data-folder.js'
import { keys, transferId } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

// Test runners fake them for the code under test; the sandbox beside it has to go on.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PAYOUT = '/payment/api/v1/payout'
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
    fetch(url + PAYOUT, init),
    fetch(url + PAYOUT, init),
    fetch(`${url}/_sandbox/clock`),
    fetch(`${url}/transfers`),
    fetch(`${url}/reference`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200])
  await sandbox.close()
})

test('changes of a program are stored', async () => {
  const sandbox = await createSandbox({ data: dataFile() })
  await sandbox.defaultWorld.credit('ada', '5.00', 'USD')
  await sandbox.close()
})

test('streams send events', async () => {
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests' })
  const response = await sandbox.fetch('/_sandbox/requests/stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n')
  await sandbox.fetch(PAYOUT, init)
  expect((await reader?.read())?.value).toContain('"createPayout"')
  await sandbox.close()
})

test('closing ends a request that never comes to its end', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const { port } = new URL((await sandbox.listen()).url)
  const socket = connect(Number(port), '127.0.0.1')
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write('POST /onboarding/api/v1/tnc HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n')
  socket.write(`x-api-key: ${keys.full}\r\ncontent-type: application/json\r\n`)
  socket.write('expect: 100-continue\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await sandbox.close()
  await ended
})
