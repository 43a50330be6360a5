import { expect, test } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { sendRaw } from '../support/raw-socket.js'
import type { ErrorBody } from '../support/wire.js'

/** Bytes that no HTTP client would send. Afterwards the sandbox still serves. */

const HOST = 'host: localhost'
const KEY = `x-api-key: ${keys.full}`
const USERS = '/onboarding/api/v1/users/all'
const STATUS = '/payment/api/v1/fx-audit/status'

const request = (line: string, headers: readonly string[], body = '') =>
  `${[`${line} HTTP/1.1`, ...headers, 'connection: close'].join('\r\n')}\r\n\r\n${body}`

/** Sends bytes to a port of a sandbox, which serves afterwards. */
const send = async (bytes: string): Promise<string> => {
  const api = await openSandbox()
  const { url, close } = await api.sandbox.listen()
  const raw = await sendRaw(url, bytes)
  await close()
  expect(raw).not.toMatch(/^x-injected/im)
  expect((await api.get('/_sandbox/health')).status).toBe(200)
  return raw
}

const FIELDS = ['code', 'httpMethod', 'message', 'path', 'requestId', 'resourcePath']

const expectRefused = async (bytes: string, status: number, code: string) => {
  const raw = await send(bytes)
  const body = JSON.parse(raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1)) as ErrorBody
  expect({ status: Number(raw.split(' ')[1]), code: body.code }).toEqual({ status, code })
  expect(Object.keys(body).sort()).toEqual(FIELDS)
}

test.each<[string, string, number, string]>([
  ['out of the reference', '/reference/../../package.json', 404, '4040'],
  ['the same, escaped', '/reference/..%2f..%2fpackage.json', 404, '4040'],
  ['the same, escaped throughout', '/reference/%2e%2e%2fpackage.json', 404, '4040'],
  ['the same, escaped twice', '/reference/%252e%252e%252fpackage.json', 404, '4040'],
  ['with backslashes', '/reference/..\\..\\package.json', 400, '4000'],
  ['with escaped backslashes', '/reference/..%5c..%5cpackage.json', 404, '4040'],
  ['of the machine', '/reference//etc/passwd', 404, '4040'],
  ['out of the docs', '/docs/../package.json', 404, '4040'],
  ['out of the docs, escaped', '/docs/..%2fpackage.json', 404, '4040'],
  ['out of the docs, escaped throughout', '/docs/%2e%2e%2fpackage.json', 404, '4040'],
  ['out of the docs with backslashes', '/docs/..\\package.json', 400, '4000'],
  ['of the docs that begins with a dot', '/docs/.git/config.md', 404, '4040'],
  ['with dots in an id', `${STATUS}/..%2f..%2fall`, 400, '4000'],
  ['with an escaped NUL', '/payment/api/v1/%00', 404, '4040'],
  ['with an escaped NUL in an id', `${STATUS}/%00`, 400, '4000'],
  ['with an escape that is none', `${STATUS}/%zz`, 400, '4000'],
  ['with an escape of no UTF-8', `${STATUS}/%ff%fe`, 400, '4000'],
  ['with a header in it', `${USERS}%0d%0ax-injected:%20yes`, 404, '4040'],
])('a path %s', async (_, path, status, code) => {
  await expectRefused(request(`GET ${path}`, [HOST, KEY]), status, code)
})

test.each<[string, readonly string[], number, string]>([
  ['two keys', [HOST, KEY, KEY], 403, '4100'],
  ['a good key and a bad one', [HOST, KEY, 'x-api-key: x'], 403, '4100'],
  ['two hosts', [HOST, 'host: evil.example', KEY], 403, '4031'],
  ['two hosts, the good one last', ['host: evil.example', HOST, KEY], 403, '4031'],
  [
    'a scenario with a line break',
    [HOST, KEY, 'x-sandbox-scenario: a%0d%0ax-injected: b'],
    400,
    '4000',
  ],
])('headers: %s', async (_, headers, status, code) => {
  await expectRefused(request(`GET ${USERS}`, headers), status, code)
})
