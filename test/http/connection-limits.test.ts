import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ConnectionLimits } from '../../src/http/transport/connections.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { keys } from '../support/fixture-ids.js'
import { serve } from '../support/listening.js'
import { rawRequest, sendRaw } from '../support/raw-socket.js'

/** A sandbox that listens with limits of the test’s own. */
const limited = async (
  limits: Partial<ConnectionLimits> = {},
  options: SandboxOptions = {},
): Promise<string> => {
  const { url, bugs, close } = await serve({ limits, options })
  onTestFinished(async () => {
    await close()
    expect(bugs).toEqual([])
  })
  return url
}

const QUICK = { headers_ms: 100, request_ms: 200, check_ms: 20 }

const open = (url: string, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text)
      resolve(socket)
    })
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })

/** All that comes until the other side hangs up. */
const heard = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let came = ''
    socket.on('data', (chunk) => {
      came += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(came))
  })

/** A call of the test’s own, made again when a busy machine was too slow for the limits that it sets others. */
const ask = async (target: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(target, init)
  return response.status === 408 ? ask(target, init) : response
}

const answers = async (url: string): Promise<void> => {
  const response = await ask(`${url}/_sandbox/health`)
  expect(response.status).toBe(200)
  await response.text()
}

test('headers beyond 16 KiB are 431', async () => {
  const url = await limited()
  const headers = `x: ${'x'.repeat(300_000)}\r\n`
  const raw = await sendRaw(url, `GET /a/b?c HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)
  expect(raw).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  expect(raw).toContain('connection: close\r\n')
  expect(raw).toMatch(
    /\r\n\r\nThe request line and headers are too large\. Expected at most 16384 bytes together\.$/,
  )
  await answers(url)
})

test('of many short headers none is lost', async () => {
  const url = await limited()
  const many = Array.from({ length: 2_100 }, () => 'a:1\r\n').join('')
  const key = `x-api-key: ${keys.full}\r\nConnection: close\r\n`
  const bytes = `GET /onboarding/api/v1/users/all HTTP/1.1\r\nHost: localhost\r\n${many}${key}\r\n`
  expect(await sendRaw(url, bytes)).toMatch(/^HTTP\/1.1 200 /)
})

test('a client that sends its headers byte by byte gets an error and is cut off', async () => {
  const url = await limited(QUICK)
  const socket = await open(url, 'GET / HTTP/1.1\r\nHost: localhost\r\nx: ')
  const drip = setInterval(() => socket.write('x'), 10)
  onTestFinished(() => clearInterval(drip))
  const raw = await heard(socket)
  expect(raw).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(raw).toContain(
    'The request took too long to arrive. Expected its headers within 0.1 s, all of it within 0.2 s, and no pause of 5 s in its body.',
  )
  await answers(url)
})

test('a connection that never says anything is cut off', async () => {
  const url = await limited(QUICK)
  expect(await heard(await open(url, ''))).toMatch(/^HTTP\/1\.1 408 /)
})

test.each([
  ['of a known length that takes too long', 'content-length: 50', '{"a"', 408, '4080'],
  ['in chunks that takes too long', 'transfer-encoding: chunked', '4\r\n{"a"', 408, '4080'],
  ['with a malformed second chunk', 'transfer-encoding: chunked', '1\r\n{\r\nzz\r\n', 400, '4000'],
])('a body %s is refused with the path that it was for', async (_, how, part, status, code) => {
  // The server refuses malformed bytes at once, on a slow machine too.
  const url = await limited(status === 408 ? QUICK : {})
  const key = `x-api-key: ${keys.full}`
  const head = [
    'POST /onboarding/api/v1/tnc HTTP/1.1',
    'host: localhost',
    key,
    'content-type: application/json',
    how,
  ]
  const raw = await heard(await open(url, `${head.join('\r\n')}\r\n\r\n${part}`))
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(raw.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(raw).toContain(`"code":"${code}"`)
  expect(raw).toContain('"httpMethod":"POST"')
  expect(raw).toContain('"path":"/onboarding/api/v1/tnc"')
  const log = await ask(`${url}/_sandbox/requests`)
  expect(await log.json()).toMatchObject({ items: [{ operation: 'createConsent', status }] })
})

test.each(['content-length: 50', 'transfer-encoding: chunked'])(
  'a body that pauses for too long gets 408, with %s',
  async (how) => {
    const url = await limited({ body_ms: 60, check_ms: 20 })
    const head = ['POST /onboarding/api/v1/tnc', [how, 'content-type: application/json']] as const
    const paused = heard(await open(url, `${rawRequest(...head)}4\r\n`))
    expect(await paused).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"code":"4080"/is)
    await answers(url)
  },
)

/** A scenario that any request may name, with one rule for all of them. */
const postRule = async (url: string, step: object): Promise<void> => {
  const rules = [{ when: 'request', then: [step] }]
  const body = JSON.stringify({ name: 'own', title: 'Own', rules })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  expect((await ask(`${url}/_sandbox/scenarios`, init)).status).toBe(201)
}

const lateBody = (...more: readonly string[]): string =>
  [
    'POST /payment/api/v1/payout HTTP/1.1',
    'host: localhost',
    `x-api-key: ${keys.full}`,
    ...more,
    'content-length: 500',
    '',
    '{"a"',
  ].join('\r\n')

const TWICE = ['x-unused: 1', 'x-unused: 2']

describe.each([
  ['plain', []],
  ['not plain', TWICE],
])('a late body of a request that is %s', (_, way) => {
  const JSON_BODY = 'content-type: application/json'

  test('closes the connection though a rule answers', async () => {
    const url = await limited(QUICK)
    await postRule(url, { respond: { status: 503 } })
    const named = 'x-sandbox-scenario: own'
    const raw = await heard(await open(url, lateBody(JSON_BODY, named, ...way)))
    expect(raw).toMatch(/^HTTP\/1\.1 503 /)
    expect(raw.toLowerCase()).toContain('\r\nconnection: close\r\n')
  })

  test('is answered once when its request waits for something else', async () => {
    const problem = vi.spyOn(console, 'error')
    const waits: (() => void)[] = []
    const sleep = () => new Promise<void>((done) => waits.push(done))
    const url = await limited(QUICK, { sleep })
    await postRule(url, { delay_ms: 5_000 })
    const named = 'x-sandbox-scenario: own'
    const raw = heard(await open(url, lateBody(JSON_BODY, named, ...way)))
    await expect.poll(() => waits).toHaveLength(1)
    for (const done of waits) done()
    expect(await raw).toMatch(/^HTTP\/1\.1 408 /)
    const log = await ask(`${url}/_sandbox/requests`)
    expect(await log.json()).toMatchObject({ items: [{ operation: 'createPayout' }] })
    expect(waits).toHaveLength(1)
    expect(problem).not.toHaveBeenCalled()
  })
})

test('a request refused before its body, which is no HTTP, gets one response', async () => {
  const url = await limited()
  const head = [
    'POST /onboarding/api/v1/tnc HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    'transfer-encoding: chunked',
  ]
  const socket = await open(url, `${head.join('\r\n')}\r\n\r\n`)
  socket.once('data', () => socket.write('chunks? no'))
  const raw = await heard(socket)
  expect(raw).toMatch(/^HTTP\/1\.1 403 /)
  expect(raw.match(/HTTP\/1\.1/g)).toHaveLength(1)
  await answers(url)
})

test('an idle connection is closed', async () => {
  const url = await limited({ idle_ms: 50 })
  const raw = await heard(
    await open(url, 'GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  )
  expect(raw).toMatch(/^HTTP\/1\.1 200 /)
})

/** Waits until a new connection is served. */
const servedAgain = (url: string) =>
  expect
    .poll(() =>
      answers(url).then(
        () => 'served',
        () => 'closed',
      ),
    )
    .toBe('served')

test('connections beyond the limit are closed, and served again once others are gone', async () => {
  const url = await limited({ connections: 2 })
  const [first] = [await open(url, ''), await open(url, '')]
  expect(await heard(await open(url, ''))).toBe('')
  first.destroy()
  await servedAgain(url)
})

describe('an answer whose bytes do not move', () => {
  const STALL = { stall_ms: 100 }
  const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

  test.each([
    ['that is long', () => new Response('x'.repeat(64 * 1024 * 1024))],
    [
      'that has no end',
      () => new Response(new ReadableStream({ pull: (it) => it.enqueue(Buffer.alloc(65_536)) })),
    ],
  ])('ends its connection: one %s', async (_, answer) => {
    const { url, close } = await serve({
      limits: { ...STALL, connections: 1 },
      instead: ({ fetch: own }) => ({
        fetch: (request, env) => (request.url.endsWith('/health') ? own(request, env) : answer()),
      }),
    })
    onTestFinished(close)
    const socket = await open(url, HEAD)
    socket.pause()
    await servedAgain(url)
  })

  test('is none that is still to come: a slow answer is given', async () => {
    let wake = () => {}
    const sleep = () =>
      new Promise<void>((resolve) => {
        wake = resolve
      })
    const url = await limited(STALL, { sleep })
    await postRule(url, { delay_ms: 5_000 })
    const head = ['x-sandbox-scenario: own', 'connection: close']
    const slow = heard(await open(url, rawRequest('GET /payment/api/v1/offramp', head)))
    // A connection that opened later and never speaks is ended at the same limit.
    expect(await heard(await open(url, ''))).toBe('')
    wake()
    expect(await slow).toMatch(/^HTTP\/1\.1 4\d\d /)
  })
})

test('a hundred slow clients do not hold up a quick one', async () => {
  const url = await limited()
  const half = 'POST /onboarding/api/v1/tnc HTTP/1.1\r\nHost: localhost\r\n'
  const body = `x-api-key: ${keys.full}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`
  const slow = await Promise.all(
    Array.from({ length: 100 }, (_, i) => open(url, i % 2 === 0 ? half : half + body)),
  )
  let closed = 0
  for (const socket of slow) socket.on('close', () => (closed += 1))
  for (let n = 0; n < 5; n += 1) await answers(url)
  expect(closed).toBe(0)
})
