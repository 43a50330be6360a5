import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createSandbox } from '../src/index.js'
import { keys, transferId } from './support/fixture-ids.js'
import { sendRaw } from './support/raw-socket.js'
import { payoutRequest } from './support/requests.js'

/** Clients that close their side of a connection when they have asked, and wait for the answer. */

const request = (line: string, headers: readonly string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'host: localhost', `x-api-key: ${keys.full}`, ...headers, '', body].join(
    '\r\n',
  )

const SLOW = 'x-sandbox-scenario: slow-responses'
const BODY = JSON.stringify(payoutRequest())
const JSON_BODY = ['content-type: application/json', `content-length: ${BODY.length}`]

test.each([
  ['a read', request(`GET /payment/api/v1/fx-audit/status/${transferId(1)}`, [SLOW])],
  ['a payout', request('POST /payment/api/v1/payout', [SLOW, ...JSON_BODY], BODY)],
])('%s that takes its time is answered', async (_, bytes) => {
  const delays: (() => void)[] = []
  const sleep = () => new Promise<void>((resolve) => delays.push(resolve))
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests', sleep })
  const { url } = await sandbox.listen()
  const answer = sendRaw(url, bytes, true)
  await expect.poll(() => delays).toHaveLength(1)
  // What came before this has been seen by then: that the client has closed its side, too.
  await fetch(`${url}/_sandbox/health`)
  for (const end of delays) end()
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  await sandbox.close()
})

test('a stream ends at once, whose client may be gone', async () => {
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests' })
  const { url } = await sandbox.listen()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const came = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(String(chunk)))
  })
  socket.write(request('GET /_sandbox/journal/stream'))
  expect(await came).toMatch(/^HTTP\/1\.1 200 /)
  socket.end()
  await new Promise((resolve) => socket.once('close', resolve))
  await sandbox.close()
})
