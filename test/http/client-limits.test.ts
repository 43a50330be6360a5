import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { BodyBudget } from '../../src/http/operation/body-limits.js'
import { createSandbox } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { expected, invalid } from '../support/invalid.js'
import { serve } from '../support/listening.js'
import { rawRequest, sendRaw } from '../support/raw-socket.js'

/** A sandbox behind a proxy on this machine, which names the clients. */
const serveProxied = async (bodies?: BodyBudget): Promise<string> => {
  const served = await serve({
    options: { trustProxy: ['127.0.0.1'] },
    bodyLimit: 1_000_000,
    ...(bodies && { bodies }),
  })
  onTestFinished(served.close)
  return served.url
}

const FIRST = { 'x-forwarded-for': '203.0.113.7' }
const SECOND = { 'x-forwarded-for': '203.0.113.8' }

const open = (url: string, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', reject)
    socket.write(text, () => resolve(socket))
    onTestFinished(() => void socket.destroy())
  })

test.each(['/_sandbox/requests/stream', '/console/live'])(
  'a client has 50 streams of %s at most; one that closes makes room',
  async (path) => {
    const url = await serveProxied()
    const watch = async (headers: Record<string, string>) => {
      const leave = new AbortController()
      onTestFinished(() => leave.abort())
      const response = await fetch(`${url}${path}`, { headers, signal: leave.signal })
      return { response, leave: () => leave.abort() }
    }
    const streams = await Promise.all(Array.from({ length: 50 }, () => watch(FIRST)))
    expect(streams.map(({ response }) => response.status)).toEqual(Array(50).fill(200))
    const { response: refused } = await watch(FIRST)
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('50 streams of one client are open')
    for (const headers of [SECOND, {}]) expect((await watch(headers)).response.status).toBe(200)
    streams[0]?.leave()
    await expect.poll(async () => (await watch(FIRST)).response.status).toBe(200)
  },
)

const SIZE = 90_000

/** Sends a whole body, which no operation accepts, and returns the status of the response. */
const post = async (url: string, headers: Record<string, string>, size = SIZE): Promise<number> => {
  const response = await fetch(`${url}/onboarding/api/v1/tnc`, {
    method: 'POST',
    headers: { 'x-api-key': keys.full, 'content-type': 'application/json', ...headers },
    body: ' '.repeat(size),
  })
  await response.text()
  return response.status
}

test('large bodies of one client have a quarter of the room; small ones and others pass', async () => {
  const url = await serveProxied(new BodyBudget(400_000))
  const line = 'POST /onboarding/api/v1/tnc'
  const forwarded = `x-forwarded-for: ${FIRST['x-forwarded-for']}`
  const unfinished = await open(url, rawRequest(line, [forwarded], ' '.repeat(SIZE)).slice(0, -1))
  await expect.poll(() => post(url, FIRST)).toBe(503)
  expect(await post(url, FIRST, 60_000)).toBe(400)
  expect(await post(url, SECOND)).toBe(400)
  expect(await post(url, {}, 2 * SIZE)).toBe(400)
  unfinished.destroy()
  await expect.poll(() => post(url, FIRST)).toBe(400)
})

test('connections of a client beyond its limit are closed at once, and those of others are not', async () => {
  let client: string | undefined = '203.0.113.7'
  const { url, close } = await serve({
    limits: { client_connections: 2 },
    instead: () => ({ nameClient: () => client }),
  })
  onTestFinished(close)
  const request = rawRequest('GET /_sandbox/health', ['connection: close'])
  const answer = () => sendRaw(url, request).catch(() => '')
  const [first] = [await open(url, ''), await open(url, '')]
  expect(await answer()).toBe('')
  for (const other of ['203.0.113.8', undefined]) {
    client = other
    expect(await answer()).toMatch(/^HTTP\/1\.1 200 /)
  }
  client = '203.0.113.7'
  first.destroy()
  await expect.poll(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test.each(['x', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', 'fd00::/129', '*'])(
  'a proxy cannot be trusted as %j',
  async (name) => {
    const opened = createSandbox({ trustProxy: [name] })
    await expect(opened).rejects.toThrow(invalid('trustProxy.0', name))
    await expect(opened).rejects.toThrow(expected('a network or address, such as 10.0.0.0/8'))
  },
)

test('an address has 20 wrong control tokens a minute; the right one still passes', async () => {
  const controlToken = 'token-of-the-operator'
  const served = await serve({ options: { trustProxy: ['127.0.0.1'], controlToken } })
  onTestFinished(served.close)
  const statusOf = async (token: string, headers: Record<string, string>) => {
    const authorization = `Bearer ${token}`
    const sent = { headers: { ...headers, authorization } }
    return (await fetch(`${served.url}/_sandbox/clock`, sent)).status
  }
  const wrong = []
  for (let n = 0; n < 21; n++) wrong.push(await statusOf(`wrong-${n}`, FIRST))
  expect(wrong).toEqual([...Array(20).fill(401), 429])
  expect(await statusOf(controlToken, FIRST)).toBe(200)
  expect(await statusOf('wrong', SECOND)).toBe(401)
})
