import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { expected } from '../support/invalid.js'
import { openOwnSandbox, type Transport } from '../support/open-sandbox.js'
import { sendRaw } from '../support/raw-socket.js'

const USERS = '/onboarding/api/v1/users/all'
const PAYOUT = '/payment/api/v1/payout'
const PAGE = 'http://localhost:5173'
const HOST = { host: 'localhost:4020' }
const PREFLIGHT = {
  ...HOST,
  origin: PAGE,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-api-key',
  'sec-fetch-site': 'same-site',
}

const corsNames = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test.each<Transport>(['fetch', 'http'])(
  'a page of the origin of --cors calls the service and reads its answers over %s',
  async (over) => {
    const { carry, sandbox } = await openOwnSandbox({ over, cors: PAGE })
    const preflight = await carry(PAYOUT, { method: 'OPTIONS', headers: PREFLIGHT })
    expect(preflight.status).toBe(204)
    expect(await preflight.text()).toBe('')
    expect(preflight.headers.get('content-type')).toBeNull()
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,x-api-key',
      vary: 'origin',
    })
    expect(sandbox.requests()).toEqual([])
    const headers = { ...HOST, origin: PAGE, 'sec-fetch-site': 'same-site' }
    for (const [key, status] of [
      [keys.full, 200],
      [keys.unknown, 401],
    ] as const) {
      const answer = await carry(USERS, { headers: { ...headers, 'x-api-key': key } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
      expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
      expect(answer.headers.get('vary')).toBe('origin')
    }
    expect(sandbox.requests()).toHaveLength(2)
  },
)

describe('an error beside the service', () => {
  const head = (line: string, ...more: readonly string[]) =>
    `${[line, `origin: ${PAGE}`, ...more, 'connection: close'].join('\r\n')}\r\n\r\n`

  test.each([
    [404, head('GET /paymentz HTTP/1.1', 'host: localhost')],
    [
      204,
      head('OPTIONS /paymentz HTTP/1.1', 'host: localhost', 'access-control-request-method: GET'),
    ],
    [403, head(`GET ${USERS} HTTP/1.1`, 'host: sandramp.example')],
    [400, head(`GET ${USERS} HTTP/1.1`, 'host: [')],
  ])('is %d with CORS headers for an allowed origin', async (status, bytes) => {
    const { sandbox } = await openOwnSandbox({ cors: PAGE })
    const { url } = await sandbox.listen()
    const answer = await sendRaw(url, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain(`\r\naccess-control-allow-origin: ${PAGE}\r\n`)
    expect(await sendRaw(url, bytes.replace(PAGE, `${PAGE}0`))).not.toContain('access-control-')
    const ofControl = bytes.replace(/\/\S+/, '/_sandbox/clock')
    expect(await sendRaw(url, ofControl)).not.toContain('access-control-')
  })
})

test('without --cors a page of another origin is refused with the flag in the message', async () => {
  const { carry } = await openOwnSandbox()
  const headers = { ...HOST, origin: PAGE, 'x-api-key': keys.full }
  const answer = await carry(USERS, { headers })
  expect(answer.status).toBe(403)
  expect(corsNames(answer.headers)).toEqual([])
  const { message } = (await answer.json()) as { message: string }
  expect(message).toContain('start with --cors <origin>')
})

test.each(['*', 'null', 'localhost:5173', `${PAGE}/`, `${PAGE}/app`, 'file:///a'])(
  '%j is no origin that --cors can name',
  async (cors) => {
    await expect(createSandbox({ cors })).rejects.toThrow(expected('an origin such as http://'))
  },
)
