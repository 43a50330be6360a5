import { describe, expect, onTestFinished, test } from 'vitest'
import { showExchange } from '../../src/history/views.js'
import type { App } from '../../src/http/operation/api.js'
import type { Sandbox } from '../../src/runtime/sandbox.js'
import { keys, transferId } from '../support/fixture-ids.js'
import { serve } from '../support/listening.js'
import { sendRaw } from '../support/raw-socket.js'
import { payoutRequest } from '../support/requests.js'

const BODY_LIMIT = 20_000
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const PAYOUT = '/payment/api/v1/payout'

interface Server {
  readonly url: string
  readonly sandbox: Sandbox
  /** Whether each request so far was plain. */
  readonly plain: boolean[]
}

const serveNoting = async (bodyLimit = BODY_LIMIT): Promise<Server> => {
  const plain: boolean[] = []
  const noting = ({ fastPath }: App): Partial<App> => ({
    fastPath: (streams) => {
      const isPlain = fastPath(streams)
      plain.push(isPlain)
      return isPlain
    },
  })
  const options = { machineClock: () => 0 }
  const { url, sandbox, bugs, close } = await serve({ options, bodyLimit, instead: noting })
  onTestFinished(async () => {
    await close()
    expect(bugs).toEqual([])
  })
  return { url, sandbox, plain }
}

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: readonly string[]
  readonly key?: string | null
  /** Sent as it is when it is text or bytes, as JSON otherwise. */
  readonly body?: unknown
}

const bytesOf = ({ body, method = body === undefined ? 'GET' : 'POST', ...sent }: Sent): string => {
  const { target = STATUS, headers = [], key = keys.full } = sent
  const bytes = body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body)
  const text = bytes === undefined ? undefined : Buffer.from(bytes)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some((line) => line.startsWith('host:')) ? [] : ['host: localhost']),
    'connection: close',
    ...(key === null ? [] : [`x-api-key: ${key}`]),
    ...(text ? [`content-length: ${text.length}`] : []),
    ...(typeof bytes === 'string' && bytes !== body ? ['content-type: application/json'] : []),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text?.toString('latin1') ?? ''}`
}

/** An answer without what differs from one to the next. */
const bare = (raw: string): unknown => {
  const end = raw.indexOf('\r\n\r\n')
  const [status, ...headers] = raw.slice(0, end).split('\r\n')
  const kept = headers
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(date|x-request-id):/.test(line))
    .sort()
  return { status, headers: kept, body: raw.slice(end).replace(/"requestId":"[^"]+"/, '') }
}

const DIFFERENT = ['id', 'request', 'requestId', 'x-request-id', 'duration_ms', 'x-unused']

/** The entries and exchanges of a sandbox, without the parts that differ between sandboxes. */
const known = ({ sandbox: { main } }: Server): unknown => {
  const all = { entries: main.journal.all().slice(1), log: main.requests.list().map(showExchange) }
  const text = JSON.stringify(all, (name, value) =>
    DIFFERENT.includes(name) && typeof value !== 'object' ? undefined : value,
  )
  return JSON.parse(text.replace(/\\"requestId\\":\\"[^"]+"/g, ''))
}

/** The same as the request, but for a header that came twice: not plain any more. */
const notPlain = (sent: Sent): Sent => ({
  ...sent,
  headers: [...(sent.headers ?? []), 'x-unused: 1', 'x-unused: 2'],
})
const garbled = { headers: ['x-sandbox-scenario: garbled-responses'] }
const json = 'content-type: application/json'

/** Faults that no shipped scenario has. */
const ODD = {
  name: 'odd-answers',
  title: 'Answers without a body, and none',
  rules: [204, 205, 304]
    .map((status): object => ({ respond: { status } }))
    .concat({ respond: { status: 200, headers: { 'x-own': 'a, b' }, body: 'text' } })
    .concat({ drop: 'before' })
    .map((step) => ({ when: 'request', limit: 1, then: [step] })),
}

describe('a plain request is answered as it is when it goes the way of the web', () => {
  test('spoiled, cut, without a body, and not at all', async () => {
    const [here, there] = [await serveNoting(), await serveNoting()]
    for (const { url } of [here, there]) {
      const body = JSON.stringify(ODD)
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      const posted = await fetch(`${url}/_sandbox/scenarios`, init)
      expect([posted.status, await posted.text()]).toEqual([201, expect.any(String)])
    }
    const odd = Array.from({ length: 6 }, () => ({ headers: ['x-sandbox-scenario: odd-answers'] }))
    for (const sent of [...odd, ...Array.from({ length: 6 }, () => garbled)]) {
      const plain = await sendRaw(here.url, bytesOf(sent))
      expect(bare(plain)).toEqual(bare(await sendRaw(there.url, bytesOf(notPlain(sent)))))
    }
    expect(known(here)).toEqual(known(there))
    expect(here.plain.filter(Boolean)).toHaveLength(12)
    expect(there.plain.filter(Boolean)).toHaveLength(0)
  })
})

test.each(['before', 'after', 'mid_body'])(
  'one behind another on its connection is cut: %s',
  async (drop) => {
    const { url, plain } = await serveNoting()
    const rules = [{ when: 'request', then: [{ drop }] }]
    const body = JSON.stringify({ name: 'cut', title: 'Cut', rules })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await fetch(`${url}/_sandbox/scenarios`, init)).status).toBe(201)
    const first = bytesOf({}).replace('connection: close\r\n', '')
    const raw = await sendRaw(url, first + bytesOf({ headers: ['x-sandbox-scenario: cut'] }))
    expect(plain.slice(1)).toEqual([true, true])
    expect(raw).toMatch(/^HTTP\/1.1 200 /)
    expect(raw.match(/HTTP\/1.1/g)).toHaveLength(drop === 'mid_body' ? 2 : 1)
  },
)

describe('no plain request is', () => {
  const { length } = JSON.stringify(payoutRequest())
  test.each<[string, string, number]>([
    ['an escape in the path', bytesOf({ target: STATUS.replace('status', 'st%61tus') }), 200],
    ['dots in the path', bytesOf({ target: STATUS.replace('status', 'x/../status') }), 200],
    ['an escape in the query', bytesOf({ target: '/onboarding/api/v1/users/all?page=%31' }), 200],
    ['a whole address', bytesOf({ target: `http://localhost${STATUS}` }), 200],
    ['a slash at the end', bytesOf({ target: `${STATUS}/` }), 404],
    ['another method', bytesOf({ method: 'PUT' }), 404],
    ['HEAD', bytesOf({ method: 'HEAD' }), 200],
    ['a path of no operation', bytesOf({ target: '/payment/api/v1/nothing' }), 404],
    ['a call of the control API', bytesOf({ target: '/_sandbox/clock' }), 200],
    ['a body where none is read', bytesOf({ method: 'GET', body: {} }), 200],
    ['a body over the limit', bytesOf({ target: PAYOUT, body: { a: 'x'.repeat(20_000) } }), 400],
    ['no body', bytesOf({ target: PAYOUT, method: 'POST' }), 400],
    ['a host with the port of its scheme', bytesOf({ headers: ['host: localhost:80'] }), 200],
    ['a host that is none', bytesOf({ headers: ['host: a b'] }), 400],
    ['a host that looks like an address', bytesOf({ headers: ['host: 1.2.3.4.5:61000'] }), 400],
    ['a host written otherwise', bytesOf({ headers: ['host: 127.0.0.01:61000'] }), 400],
    ['two hosts', bytesOf({ headers: ['host: localhost', 'host: localhost'] }), 403],
    ['two keys', bytesOf({ headers: [`x-api-key: ${keys.full}`] }), 403],
    [
      'a body in chunks',
      bytesOf({ target: PAYOUT, method: 'POST', headers: [json, 'transfer-encoding: chunked'] }) +
        `${length.toString(16)}\r\n${JSON.stringify(payoutRequest())}\r\n0\r\n\r\n`,
      200,
    ],
  ])('%s', async (_, bytes, status) => {
    const { url, plain } = await serveNoting()
    expect(await sendRaw(url, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(plain).toEqual([false])
  })

  test('a body that does not come at once, however large the limit', async () => {
    const { url, plain } = await serveNoting(1_000_000)
    const body = { ...payoutRequest(), more: 'x'.repeat(70_000) }
    expect(await sendRaw(url, bytesOf({ target: PAYOUT, body }))).toMatch(/^HTTP\/1.1 200 /)
    expect(plain).toEqual([false])
  })
})
