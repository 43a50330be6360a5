import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { listen } from '../../src/http/transport/server.js'
import { createSandbox } from '../../src/index.js'
import { transferId } from '../support/fixture-ids.js'
import { rawRequest, sendRaw } from '../support/raw-socket.js'
import { payoutRequest } from '../support/requests.js'

/** Clients that close their side of a connection when they have asked, and wait for the answer. */

const SLOW = 'x-sandbox-scenario: slow-responses'

test.each([
  ['a read', rawRequest(`GET /payment/api/v1/fx-audit/status/${transferId(1)}`, [SLOW])],
  ['a payout', rawRequest('POST /payment/api/v1/payout', [SLOW], JSON.stringify(payoutRequest()))],
])('%s that takes its time is answered', async (_, bytes) => {
  const delays: (() => void)[] = []
  const sleep = () => new Promise<void>((resolve) => delays.push(resolve))
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests', sleep })
  const { url } = await sandbox.listen()
  const answer = sendRaw(url, bytes, true)
  await expect.poll(() => delays).toHaveLength(1)
  // The server has seen all earlier packets by then, also the end of the client's side.
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
  socket.write(rawRequest('GET /_sandbox/requests/stream'))
  expect(await came).toMatch(/^HTTP\/1\.1 200 /)
  socket.end()
  await new Promise((resolve) => socket.once('close', resolve))
  await sandbox.close()
})

test('a stream whose client was gone before it began is not kept open', async () => {
  let begin = () => {}
  const began = new Promise<void>((resolve) => {
    begin = resolve
  })
  const cancel = vi.fn()
  const refuse = () => {
    throw new Error('nothing is refused')
  }
  const headers = { 'content-type': 'text/event-stream' }
  const app = {
    fastPath: () => false,
    nameClient: () => undefined,
    refuse,
    refusePlainHttp: refuse,
    fetch: async ({ url }: Request) => {
      if (url.endsWith('/health')) return new Response('ok')
      await began
      return new Response(new ReadableStream({ cancel }), { headers })
    },
  }
  const behind = { endStreams: () => {}, report: refuse }
  const { url, close } = await listen(app, { port: 0, host: '127.0.0.1', tls: false }, behind)
  const answer = sendRaw(url, rawRequest('GET /_sandbox/requests/stream'), true)
  // The server has seen all earlier packets by then, also the end of the client's side.
  await fetch(`${url}/health`)
  begin()
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(cancel).toHaveBeenCalledOnce()
  await close()
})
