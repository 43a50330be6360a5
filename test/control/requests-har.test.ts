import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { Har } from '../../src/history/har.js'
import { type Client, expectRefusal } from '../support/client.js'
import { transferId, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { maskedKey } from '../support/logged.js'
import { openOwnSandbox, openSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest, userRequest } from '../support/requests.js'
import { harMisfits } from './har-schema.js'

const path = '/_sandbox/requests.har'
const PAYOUT = '/payment/api/v1/payout'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

/** Requests that the test client may send, with their possible outcomes. */
const talk = async (api: Client) => {
  const headers = { 'content-type': 'application/json' }
  await api.get(`${STATUS}?a=1&a=2&b=%26`, { headers: { cookie: 'session=secret' } })
  await api.post('/onboarding/api/v1/users', userRequest())
  await api.post('/payment/api/v1/payout', { user_id: users.ada, padding: 'x'.repeat(50_000) })
  await api.call('POST', '/payment/api/v1/payout', { raw: '{"é', headers })
  await api.call('HEAD', STATUS)
  const cut = { headers: { 'x-sandbox-scenario': 'committed-then-cut' } }
  await api.post(PAYOUT, payoutRequest(), cut).catch(() => {})
  await api.get('/payment/%E2%82%AC?c', { key: null })
}

test.each(transports)('is an HTTP Archive 1.2 of what went over %s', async (over) => {
  const api = await openSandbox({ over })
  await talk(api)
  const har = await api.read<Har>(path)
  expect(harMisfits(har)).toBe('')
  expect(har.log.creator).toEqual({ name: 'Sandramp', version: packageJson.version })
  expect(
    har.log.entries.map((it) => [it.request.method, it.response.status, it._operation]),
  ).toEqual([
    ['GET', 200, 'getTransferStatus'],
    ['POST', 201, 'createUser'],
    ['POST', 400, 'createPayout'],
    ['POST', 400, 'createPayout'],
    ['HEAD', 200, 'getTransferStatus'],
    ['POST', 0, 'createPayout'],
    ['GET', 403, null],
  ])
})

test('holds both messages, without secrets', async () => {
  const api = await openOwnSandbox({ machineClock: () => Date.parse('2027-01-01T00:00:00.000Z') })
  const { body } = await api.get(`${STATUS}?a=1&a=2&b=%26`)
  const { entries } = (await api.read<Har>(path)).log
  const [entry] = entries
  expect(entry).toMatchObject({
    startedDateTime: '2027-01-01T00:00:00.000Z',
    request: {
      url: `http://localhost${STATUS}?a=1&a=2&b=%26`,
      headers: [{ name: 'x-api-key', value: maskedKey('0001') }],
      queryString: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
        { name: 'b', value: '&' },
      ],
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      content: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
    _fault: null,
  })
  expect(entry?.request).not.toHaveProperty('postData')
  expect(entry?.time).toBe(entry?.timings.wait)
})

test('takes the filters of the list', async () => {
  const api = await openSandbox()
  await talk(api)
  const count = async (query: string) =>
    (await api.read<Har>(`${path}?${query}`)).log.entries.length
  expect(await count('status=2xx&operation=getTransferStatus')).toBe(2)
  expect(await count('operation=unknown')).toBe(1)
  expect(await count('fault=true')).toBe(1)
  expectRefusal(await api.get(`${path}?status=ok`), 400, '4000', invalid('status', 'ok'))
})

test('is written piece by piece, while its log goes on and is cleared', async () => {
  const api = await openOwnSandbox({ requestLog: 40 })
  const send = () => api.post(PAYOUT, { user_id: users.ada, padding: 'x'.repeat(16_000) })
  for (let n = 0; n < 40; n++) await send()
  const reader = (await api.carry(path, {})).body?.getReader()
  const first = await reader?.read()
  let text = new TextDecoder().decode(first?.value)
  expect(text.length).toBeLessThan(200_000)
  for (let n = 0; n < 20; n++) await send()
  const more = new TextDecoder().decode((await reader?.read())?.value)
  text += more
  await api.call('DELETE', '/_sandbox/requests')
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) break
    text += new TextDecoder().decode(next.value)
  }
  const har = JSON.parse(text)
  expect(harMisfits(har)).toBe('')
  expect(har.log.entries.length).toBeGreaterThan(5)
  expect(har.log.entries.length).toBeLessThan(20)
})

test.each([path, '/_sandbox/requests'])(
  '%s lets other requests run while it is read',
  async (at) => {
    const api = await openOwnSandbox()
    const body = { user_id: users.ada, padding: 'x'.repeat(16_000) }
    for (let n = 0; n < 40; n++) await api.post(PAYOUT, body)
    const answer = await api.carry(at, {})
    let isRead = false
    const read = answer.text().then(() => {
      isRead = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isRead).toBe(false)
    await read
  },
)
