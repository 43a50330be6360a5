import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { serve } from '../support/listening.js'
import { payoutRequest } from '../support/requests.js'

const HEAD = [
  'POST /onboarding/api/v1/tnc HTTP/1.1',
  'host: localhost',
  'x-api-key: SandrampFullAccessKey00000000001',
  'content-type: application/json',
  'content-length: 50',
].join('\r\n')

/** Opens a connection, sends what is given, and gathers what comes back until it closes. */
const talk = (port: number, text: string) =>
  new Promise<{
    answer: Promise<string>
    send: (more: string) => void
    end: () => void
  }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      resolve({ answer, send: (more) => void socket.write(more), end: () => socket.destroy() })
    })
    const answer = new Promise<string>((done) => {
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.on('close', () => done(got))
    })
    socket.on('error', reject)
  })

const portOf = (url: string) => Number(new URL(url).port)

test('closing lets go of a connection that never asked for anything', async () => {
  const sandbox = await createSandbox()
  const { url } = await sandbox.listen()
  const { answer } = await talk(portOf(url), '')
  await sandbox.close()
  expect(await answer).toBe('')
})

test('a sandbox that drains answers, but is not ready and keeps no connection', async () => {
  const { sandbox, url, drain, close } = await serve()
  onTestFinished(close)
  sandbox.drain()
  drain()
  const ready = await fetch(`${url}/_sandbox/ready`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({
    code: '5030',
    message: 'The sandbox drains: it is about to close.',
  })
  const health = await fetch(`${url}/_sandbox/health`)
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close'])
})

// These wait out the time that requests are given: together.
test.concurrent('closing answers a request whose body never ends', async () => {
  const sandbox = await createSandbox({ readings: ['error.codes=status'] })
  const { url } = await sandbox.listen()
  const { answer } = await talk(portOf(url), `${HEAD}\r\n\r\n{"a"`)
  // The server has received the request once it has answered another one.
  await fetch(`${url}/_sandbox/health`)
  await sandbox.close()
  expect(await answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(await answer).toContain('x-sandbox-assumed: error.codes=status\r\n')
  expect(await answer).toContain('"code":"503"')
})

test.concurrent('closing waits no longer for requests that came behind each other', async () => {
  const sandbox = await createSandbox({ sleep: () => new Promise(() => undefined) })
  const { url } = await sandbox.listen()
  const get = [
    'GET /payment/api/v1/fx-audit/status/66666666-6666-4666-8666-000000000001 HTTP/1.1',
    'host: localhost',
    'x-api-key: SandrampFullAccessKey00000000001',
    'x-sandbox-scenario: slow-responses',
  ].join('\r\n')
  const { answer } = await talk(portOf(url), `${get}\r\n\r\n`.repeat(3))
  await fetch(`${url}/_sandbox/health`)
  await sandbox.close()
  expect(await answer).toMatch(/^HTTP\/1\.1 503 /)
})

test('closing answers a request in flight with connection: close', async () => {
  const sandbox = await createSandbox()
  const { url } = await sandbox.listen()
  const { answer, send } = await talk(portOf(url), `${HEAD}\r\n\r\n`)
  await fetch(`${url}/_sandbox/health`)
  const closed = sandbox.close()
  send('{}'.padEnd(50))
  expect(await answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(await answer).toMatch(/^connection: close\r$/im)
  await closed
})

test('closing a port ends the streams on it, with the reason', async () => {
  const sandbox = await createSandbox()
  const { url, close } = await sandbox.listen()
  const stream = await fetch(`${url}/_sandbox/requests/stream`)
  const closed = close()
  expect(await stream.text()).toBe(
    'retry: 1000\n\nevent: end\ndata: {"reason":"the sandbox is closing"}\n\n',
  )
  await closed
})

test('a body that is cut off is no bug of the sandbox', async () => {
  const seen: (number | null)[] = []
  const sandbox = await createSandbox({ log: ({ status }) => seen.push(status) })
  const { url } = await sandbox.listen()
  const { end } = await talk(portOf(url), `${HEAD}\r\n\r\n{"a"`)
  await fetch(`${url}/_sandbox/health`)
  end()
  await expect.poll(() => seen).toEqual([200, 400])
  await sandbox.close()
})

test('nor is one that is cut off before its API is loaded', async () => {
  const seen: (number | null)[] = []
  const sandbox = await createSandbox({ log: ({ status }) => seen.push(status) })
  const { url } = await sandbox.listen()
  const socket = connect(portOf(url), '127.0.0.1')
  const head = ['POST /_sandbox/clock/advance HTTP/1.1', 'host: localhost', 'content-length: 100']
  socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n{"by"`, () =>
    socket.resetAndDestroy(),
  )
  await expect.poll(() => seen).toEqual([400])
  await sandbox.close()
})

test('closing ends the delays of rules, which would keep the process alive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sandbox = await createSandbox({ clock: 'manual', scenarios: ['slow-responses'] })
  const asked = sandbox.fetch('/payment/api/v1/payout', {
    method: 'POST',
    headers: { 'x-api-key': keys.full, 'content-type': 'application/json' },
    body: JSON.stringify(payoutRequest()),
  })
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  await sandbox.close()
  expect(vi.getTimerCount()).toBe(0)
  expect((await asked).status).toBe(200)
})
