import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Har } from '../../src/history/har.js'
import type { Client } from '../support/client.js'
import { keys, NOBODY, transferId, users } from '../support/fixture-ids.js'
import { type LoggedExchange, logged, maskedKey, newest } from '../support/logged.js'
import { openOwnSandbox, openSandbox, transports } from '../support/open-sandbox.js'
import { payoutRequest, userRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'
import type { Payout, User } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const PAYOUT = '/payment/api/v1/payout'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const MACHINE = Date.parse('2027-01-01T00:00:00.000Z')

const fund = () =>
  api.sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '5000.00' })

interface RequestBody {
  readonly type: string
  readonly raw: string | Uint8Array<ArrayBuffer>
  readonly encoding?: string
  readonly key?: string | null
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const GZIP = new Uint8Array(gzipSync('{"a":1}'))
const UTF_16 = new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))
const UNREAD = '… (not read to its end)'
const sizeOf = ({ length }: Uint8Array) => `… (${length} bytes that are not text)`

/** The assumptions behind a response to a payout. Two of its parameters are unknown. */
const ASSUMED = [
  'payout.status=processed',
  'payout.fee=on_top',
  'payout.source=fiat',
  'wire.strictness=strict',
  'time.form=milliseconds',
]

describe.each(transports)('an exchange over %s', (over) => {
  test('is logged with all that there is to know', async () => {
    api = await openOwnSandbox({ over, machineClock: () => MACHINE })
    fund()
    const before = api.sandbox.advance('1s').now
    const answer = await api.post<Payout>(`${PAYOUT}?a=1&b=2&b=3`, payoutRequest())
    const exchange = await newest(api)
    expect(exchange).toEqual({
      id: answer.headers.get('x-request-id'),
      n: 1,
      at: before,
      started_at: '2027-01-01T00:00:00.000Z',
      duration_ms: expect.any(Number),
      pending: false,
      aborted_ms: null,
      method: 'POST',
      path: PAYOUT,
      query: { a: '1', b: ['2', '3'] },
      operation: 'createPayout',
      status: 200,
      user_id: users.ada,
      request: { headers: expect.any(Object), body: payoutRequest() },
      response: {
        headers: {
          'content-type': 'application/json',
          'x-content-type-options': 'nosniff',
          'x-request-id': answer.headers.get('x-request-id'),
          'x-sandbox-assumed': ASSUMED.join(', '),
        },
        body: answer.body,
      },
      garbled: false,
      shown: [[answer.body.id, 'PAYOUT_PROCESSED']],
      outcome: 'PAYOUT_PROCESSED',
      shown_more: false,
      fault: null,
      rules: [],
      assumed: ASSUMED,
      entries: expect.any(Object),
    })
    expect(exchange.request.headers).toMatchObject({
      'x-api-key': maskedKey('0001'),
      'content-type': 'application/json',
    })
    expect(exchange.duration_ms).toBeGreaterThan(0)
    expect(JSON.stringify(exchange)).not.toContain(keys.full)
  })

  test('that a rule has answered names the rule', async () => {
    const rules = '  - { when: request, then: [{ respond: { status: 503 } }] }'
    api = await openOwnSandbox({ over, scenarios: [scenarioFile('outage', rules)] })
    await api.get(STATUS)
    expect(await newest(api)).toMatchObject({ fault: 'outage/0', rules: ['outage/0'] })
  })

  test.each<[string, number, RequestBody, unknown]>([
    ['a form', 400, { type: FORM, raw: 'amount=10&note=%C3%A9' }, 'amount=10&note=%C3%A9'],
    ['JSON with a wrong label', 400, { type: 'text/plain', raw: '{"a":[1]}' }, { a: [1] }],
    [
      'JSON with an unknown key',
      401,
      { type: JSON_TYPE, raw: '{"a":1}', key: keys.unknown },
      { a: 1 },
    ],
    ['compressed JSON', 400, { type: JSON_TYPE, raw: GZIP, encoding: 'gzip' }, sizeOf(GZIP)],
    ['UTF-16', 400, { type: JSON_TYPE, raw: UTF_16 }, sizeOf(UTF_16)],
    ['a body above the limit', 400, { type: JSON_TYPE, raw: 'x'.repeat(2_000) }, UNREAD],
  ])(
    'refused with %s shows it',
    async (_, status, { type, raw, encoding, key = keys.full }, shown) => {
      api = await openSandbox({ over, bodyLimit: 1_000 })
      const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
      await api.call('POST', PAYOUT, { raw, headers, key })
      expect(await newest(api)).toMatchObject({ status, request: { body: shown } })
      const { log } = await api.read<Har>('/_sandbox/requests.har')
      expect(log.entries.at(-1)?.request.bodySize).toBe(shown === UNREAD ? -1 : raw.length)
    },
  )

  test('has its images elided, however large they are', async () => {
    api = await openSandbox({ over })
    const body = userRequest()
    const front = `${body.identity.identity_document_front.slice(0, -4)}${'A'.repeat(400_000)}`
    const large = { ...body, identity: { ...body.identity, identity_document_front: front } }
    for (const sent of [body, large]) {
      await api.post('/onboarding/api/v1/users', sent)
      const { request } = await newest(api)
      const { identity, first_name } = request.body as ReturnType<typeof userRequest>
      const length = sent.identity.identity_document_front.length - 'data:image/png;base64,'.length
      expect(first_name).toBe('Zoë')
      expect(identity.identity_document_front).toBe(
        `data:image/png;base64,… (${length} characters)`,
      )
    }
  })
})

describe('an exchange', () => {
  test('names the journal entries that it made', async () => {
    fund()
    const seq = () => api.sandbox.advance('1s').fired.at(-1)?.seq
    await api.post(PAYOUT, payoutRequest())
    const { entries } = await newest(api)
    // One entry: happy-path's step runs within the command.
    expect(entries?.to).toBe(entries?.from)
    await api.post(PAYOUT, { ...payoutRequest(), user_id: NOBODY })
    const refused = await newest(api)
    expect(refused.entries).toEqual({ from: (entries?.to ?? 0) + 1, to: (entries?.to ?? 0) + 1 })
    await api.get(STATUS)
    expect((await newest(api)).entries).toBeNull()
    expect(seq()).toBeUndefined()
  })

  test('is about the user of its body, of its path, or the one that it created', async () => {
    const userOf = async () => (await newest(api)).user_id
    await api.post(PAYOUT, { user_id: users.ben.toUpperCase() })
    expect(await userOf()).toBe(users.ben)
    await api.get(`/payment/api/v1/fx-audit/${users.hanna}`)
    expect(await userOf()).toBe(users.hanna)
    const { id } = await api.make<User>('/onboarding/api/v1/users', userRequest())
    expect(await userOf()).toBe(id)
    for (const user_id of ['nobody', 7, null, ['x']]) {
      await api.post(PAYOUT, { user_id })
      expect(await userOf()).toBeNull()
    }
    await api.get(STATUS)
    expect(await userOf()).toBeNull()
  })

  test('to the control API is not logged', async () => {
    await api.get('/_sandbox/clock')
    await api.get('/_sandbox/nothing')
    expect(await logged(api)).toEqual([])
  })
})

describe('readRequest', () => {
  const read = (id: string) => api.get<LoggedExchange>(`/_sandbox/requests/${id}`)

  test('reads one by its request id', async () => {
    const { headers } = await api.get(STATUS)
    const id = headers.get('x-request-id') ?? ''
    await api.get(STATUS)
    expect((await read(id)).body).toMatchObject({ id, n: 1 })
    expect((await read(id.toUpperCase())).body).toMatchObject({ id })
  })
})

describe('clearRequests', () => {
  test('forgets all; numbers go on', async () => {
    for (let i = 0; i < 3; i++) await api.get(STATUS)
    const clear = async () => (await api.call('DELETE', '/_sandbox/requests')).body
    expect(await clear()).toEqual({ deleted: 3 })
    expect(await logged(api)).toEqual([])
    expect(await clear()).toEqual({ deleted: 0 })
    await api.get(STATUS)
    expect(await newest(api)).toHaveProperty('n', 4)
  })
})

describe('a reset', () => {
  test('empties the log, and numbers start again', async () => {
    await api.get(STATUS)
    await api.make('/_sandbox/reset')
    expect(await logged(api)).toEqual([])
    await api.get(STATUS)
    expect(await newest(api)).toHaveProperty('n', 1)
  })

  test('in the middle of a request leaves that request to the log after it', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { 'content-type': 'application/json' }
    const answer = api.call('POST', PAYOUT, { raw: readable, headers })
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode('{'))
    api.sandbox.reset()
    await writer.close()
    await answer
    expect(api.sandbox.requests()).toMatchObject([{ n: 1, request: { body: '{' }, status: 400 }])
  })
})

describe('the size of the log', () => {
  const numbers = () => api.sandbox.requests().map(({ n }) => n)

  test('is 1,000', async () => {
    for (let i = 0; i < 1_002; i++) await api.sandbox.fetch('/payment')
    const kept = numbers()
    expect(kept).toHaveLength(1_000)
    expect([kept[0], kept.at(-1)]).toEqual([3, 1_002])
  })

  test('may be 0: nothing is kept', async () => {
    api = await openOwnSandbox({ requestLog: 0 })
    await api.get(STATUS)
    expect(await logged(api)).toEqual([])
    expect(numbers()).toEqual([])
  })
})
