import { expect, test } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { sendRaw } from '../support/raw-socket.js'

/** Requests whose URL is malformed, so that no route can see them. */
const BROKEN: readonly [string, string][] = [
  ['an empty Host', 'GET /_sandbox/clock HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n'],
  ['a broken target', 'GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['a target of *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['a Host without its port', 'GET / HTTP/1.1\r\nHost: localhost:x\r\nConnection: close\r\n\r\n'],
]

const parse = (raw: string) => {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const text = rest.join('\r\n\r\n')
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return { status, headers, body: JSON.parse(json) as Record<string, unknown> }
}

test.each(BROKEN)('%s gets the error body', async (_, bytes) => {
  const { sandbox } = await openSandbox()
  const { url, close } = await sandbox.listen()
  const { status, headers, body } = parse(await sendRaw(url, bytes))
  await close()
  expect(status).toBe('HTTP/1.1 400 Bad Request')
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('connection')).toBe('close')
  expect(body).toEqual({
    code: '4000',
    httpMethod: expect.any(String),
    message: expect.stringMatching(
      /^The request target .* or the Host .* is malformed\. Expected /,
    ),
    path: expect.not.stringContaining('?'),
    requestId: headers.get('x-request-id'),
    resourcePath: expect.stringMatching(/^(\/_sandbox)?\/\{proxy\+\}$/),
  })
  expect(body.requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('CONNECT closes the connection without an answer', async () => {
  const { sandbox } = await openSandbox()
  const { url, close } = await sandbox.listen()
  const tunnel = 'CONNECT bank.example:443 HTTP/1.1\r\nHost: bank.example:443\r\n\r\n'
  expect(await sendRaw(url, tunnel)).toBe('')
  await close()
})

test.each([
  ['a health check', '/_sandbox/health', ''],
  ['the control API', '/_sandbox/clock', ''],
  ['the service', '/payment/api/v1/custody-wallet/total-balances', `x-api-key: ${keys.full}\r\n`],
])('HTTP/1.0 has no Host, and means this machine: %s', async (_, target, headers) => {
  const { sandbox } = await openSandbox()
  const { url, close } = await sandbox.listen()
  const answer = await sendRaw(url, `GET ${target} HTTP/1.0\r\n${headers}\r\n`)
  await close()
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('bytes that are no HTTP get a sentence, and the next request is answered', async () => {
  const api = await openSandbox({ over: 'port' })
  const { url, close } = await api.sandbox.listen()
  const raw = await sendRaw(url, 'garbage\r\n\r\n')
  await close()
  expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: text\/plain\r\n/)
  expect(raw).toContain('The request is not well-formed HTTP: ')
  expect((await api.get('/_sandbox/health')).status).toBe(200)
})
