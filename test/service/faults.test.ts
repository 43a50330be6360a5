import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, type Transport, transports } from '../support/open-sandbox.js'
import { offrampRequest, payoutRequest, userRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const PAYOUT = '/payment/api/v1/payout'
const USERS = '/onboarding/api/v1/users/all'

const TEXT = expect.any(String)

const pay = ({ carry }: Client, n = 1, headers: Record<string, string> = {}) =>
  carry(PAYOUT, {
    method: 'POST',
    headers: { 'x-api-key': keys.full, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...payoutRequest(), customer_payout_id: ownId(n) }),
  })

/** A rule whose steps happen to payouts. */
const payoutRule = (then: string, more = '') =>
  `  - { when: request, if: { operation: createPayout }, ${more && `${more}, `}then: [${then}] }\n`

const payouts = ({ sandbox }: Client) =>
  sandbox.tables.payouts
    .all()
    .filter(({ customer_payout_id }) => customer_payout_id.startsWith(ownId(0).slice(0, 8))).length

describe.each(transports)('over %s, a rule on requests', (over: Transport) => {
  const open = (rules: string) => openOwnSandbox({ over, scenarios: [scenarioFile('test', rules)] })

  test('answers in place of the operation, with the error body of the contract', async () => {
    const api = await open(`
  - when: request
    if: { operation: createPayout, body: { currency: NGN, amount: { gte: 1000 } } }
    limit: 1
    then:
      - { respond: { status: 503, retry_after: 1500ms } }`)
    const response = await pay(api)
    expect(response.status).toBe(503)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '2',
      'x-sandbox-fault': 'test/0',
    })
    expect(await response.json()).toEqual({
      code: '5030',
      httpMethod: 'POST',
      message: 'Service unavailable; wait and retry',
      path: PAYOUT,
      requestId: response.headers.get('x-request-id'),
      resourcePath: '/payment/{proxy+}',
    })
    expect(payouts(api)).toBe(0)
    const second = await pay(api)
    expect([second.status, second.headers.get('x-sandbox-fault')]).toEqual([200, null])
    expect(payouts(api)).toBe(1)
  })

  test.each([
    ['drop: before', 0],
    ['drop: after', 1],
    ['drop: mid_body', 1],
    ['reset: before', 0],
    ['reset: after', 1],
  ])('breaks the connection once: %s', async (step, paid) => {
    const api = await open(payoutRule(`{ ${step} }`, 'limit: 1'))
    const lost = pay(api).then((response) => response.text())
    await expect(lost).rejects.toThrow(TypeError)
    expect(payouts(api)).toBe(paid)
    expect((await pay(api)).status).toBe(200)
    expect(payouts(api)).toBe(1)
  })

  test.each([
    ['before', 0],
    ['after', 1],
  ])('hangs %s, and cuts the connection after five minutes', async (hang, paid) => {
    const slept: number[] = []
    const rules = `
  - { when: request, limit: 1, then: [{ hang: ${hang} }] }`
    const sleep = async (ms: number) => void slept.push(ms)
    const api = await openOwnSandbox({ over, scenarios: [scenarioFile('test', rules)], sleep })
    await expect(pay(api)).rejects.toThrow(TypeError)
    expect([payouts(api), slept]).toEqual([paid, [300_000]])
  })

  const trickle = async (steps: string) => {
    const waiting: { ms: number; go: () => void }[] = []
    const sleep = (ms: number) => new Promise<void>((go) => waiting.push({ ms, go }))
    const rules = `
  - { when: request, then: [${steps}] }`
    const api = await openOwnSandbox({ over, scenarios: [scenarioFile('test', rules)], sleep })
    return { api, waiting }
  }

  test('trickles the body of the answer piece by piece, behind its headers', async () => {
    const { api, waiting } = await trickle('{ trickle: { over: 5s } }')
    const response = await pay(api)
    expect([response.status, response.headers.get('x-sandbox-fault')]).toEqual([200, 'test/0'])
    expect(response.headers.get('x-sandbox-assumed')).toContain('payout.fee=on_top')
    expect(payouts(api)).toBe(1)
    const reader = response.body?.getReader()
    let text = ''
    const decoder = new TextDecoder()
    for (let n = 1; n <= 100; n++) {
      const piece = reader?.read()
      await expect.poll(() => waiting.length, { interval: 1 }).toBe(n)
      waiting[n - 1]?.go()
      const { value } = (await piece) ?? {}
      expect(value?.length).toBeLessThan(20)
      text += decoder.decode(value, { stream: true })
    }
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
    expect(JSON.parse(text)).toMatchObject({ status: 'PAYOUT_PROCESSED' })
    expect(new Set(waiting.map(({ ms }) => ms))).toEqual(new Set([50]))
  })

  test('trickles an answer of its own, and stops when the client hangs up', async () => {
    const { api, waiting } = await trickle(
      '{ respond: { status: 503, body: abcd } }, { trickle: { over: 5m } }',
    )
    const hangUp = new AbortController()
    const response = await api.carry(USERS, {
      headers: { 'x-api-key': keys.full },
      signal: hangUp.signal,
    })
    const text = response.text()
    await expect.poll(() => waiting.length).toBe(1)
    waiting[0]?.go()
    await expect.poll(() => waiting.length).toBe(2)
    hangUp.abort()
    await expect(text).rejects.toThrow('aborted')
    expect(waiting.map(({ ms }) => ms)).toEqual([75_000, 75_000])
  })

  test('sends an answer to HEAD at once where a rule trickles', async () => {
    const { api, waiting } = await trickle('{ trickle: { over: 5s } }')
    const headers = { 'x-api-key': keys.full }
    const { status } = await api.carry(USERS, { method: 'HEAD', headers })
    expect([status, waiting]).toEqual([200, []])
  })

  test.each([
    ['truncated_json', 'application/json', /^\{"id":"[^}]*$/],
    ['html', 'text/html', /^<!doctype html>/],
    ['wrong_content_type', 'text/plain', /^\{"id":.*\}$/],
    ['empty', 'application/json', /^$/],
  ])('spoils the answer: %s', async (malform, type, text) => {
    const api = await open(payoutRule(`{ malform: ${malform} }`))
    const response = await pay(api)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sandbox-fault')).toBe('test/0')
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toMatch(text)
    expect(payouts(api)).toBe(1)
  })
})

describe('a rule on requests', () => {
  const open = (rules: string) => openOwnSandbox({ scenarios: [scenarioFile('test', rules)] })

  test('may choose status, code, message, headers and body', async () => {
    const api = await open(
      payoutRule(
        `{ respond: { status: 401, code: '4102', headers: { x-cell: b7 } } }`,
        'limit: 1',
      ) +
        payoutRule(
          '{ respond: { status: 418, code: "4180", message: I am a teapot } }',
          'limit: 1',
        ) +
        payoutRule('{ respond: { status: 200, body: { ok: [1, 2] } } }', 'limit: 1') +
        payoutRule(
          `{ respond: { status: 502, body: '<h1>Bad Gateway</h1>', headers: { content-type: text/html } } }`,
        ),
    )
    const expired = await pay(api)
    expect([expired.status, expired.headers.get('x-cell')]).toEqual([401, 'b7'])
    expect(await expired.json()).toMatchObject({ code: '4102', message: 'API key has expired' })
    const teapot = await pay(api)
    expect(await teapot.json()).toMatchObject({ code: '4180', message: 'I am a teapot' })
    expect(await (await pay(api)).json()).toEqual({ ok: [1, 2] })
    const page = await pay(api)
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(await page.text()).toBe('<h1>Bad Gateway</h1>')
    expect(payouts(api)).toBe(0)
  })

  test.each(['null', 'false', '0'])('may choose the body %s', async (body) => {
    const api = await open(`
  - when: request
    then: [{ respond: { status: 503, body: ${body} } }]`)
    const answer = await pay(api)
    expect([answer.status, await answer.text()]).toEqual([503, body])
  })

  test.each([
    [400, '4000', 'The request failed'],
    [401, '4101', 'API key not found'],
    [403, '4030', 'Missing authentication token'],
    [404, '4040', 'The request failed'],
    [429, '4290', 'Too many requests; wait and retry'],
    [500, '5000', 'Internal server error'],
    [502, '5020', 'Bad gateway'],
    [503, '5030', 'Service unavailable; wait and retry'],
  ])(
    'of status %i has code %s, the contract’s own where there is one',
    async (status, code, message) => {
      const api = await open(payoutRule(`{ respond: { status: ${status} } }`))
      const answer = await pay(api)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ code, message })
    },
  )

  test('patches the answer', async () => {
    const api = await open(
      payoutRule(
        '{ patch: { status: ON_HOLD, rail_fee: null, reference: absent, account_details: { bank_name: Other } } }',
      ),
    )
    const response = await pay(api)
    expect(response.headers.get('x-sandbox-fault')).toBe('test/0')
    const body = await response.json()
    expect(body).toMatchObject({
      status: 'ON_HOLD',
      rail_fee: null,
      currency: 'ngn',
      account_details: { bank_name: 'Other', account_holder_name: 'Ada Okafor' },
    })
    expect(body).not.toHaveProperty('reference')
    expect(payouts(api)).toBe(1)
  })

  test('patches each item of a list, and no bare number', async () => {
    const api = await open(`
  - { when: request, then: [{ patch: { balance: 0, transactions: { status: ON_HOLD } } }] }
  - { when: request, then: [{ delay_ms: 0 }] }`)
    const get = async (path: string) => {
      const response = await api.carry(`/payment/api/v1/${path}`, {
        headers: { 'x-api-key': keys.full },
      })
      return [response.headers.get('x-sandbox-fault'), await response.json()]
    }
    const [, balances] = await get('custody-wallet/total-balances')
    expect(balances).toContainEqual(expect.objectContaining({ balance: 0, crypto: 'usdc' }))
    const [, audit] = await get(`offramp-audit/${users.ada}`)
    expect(audit.transactions).toContainEqual(
      expect.objectContaining({ id: TEXT, status: 'ON_HOLD' }),
    )
    const number = await get(`offramp-audit/crypto-balance/USDC/polygon/${users.ada}`)
    expect(number).toEqual(['test/1', expect.any(Number)])
  })

  test('waits five minutes at most, however many delays it has', async () => {
    const slept: number[] = []
    const rules = payoutRule('{ delay_ms: 299999 }, { delay_ms: [2, 9] }')
    const sleep = async (ms: number) => void slept.push(ms)
    const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rules)], sleep })
    await pay(api)
    expect(slept).toEqual([300_000])
  })

  test('waits, and then goes on with what the operation answers', async () => {
    const slept: number[] = []
    const rules = payoutRule('{ delay_ms: [200, 800] }, { delay_ms: 1000 }')
    const sleep = async (ms: number) => void slept.push(ms)
    const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rules)], sleep })
    const response = await pay(api)
    expect([response.status, response.headers.get('x-sandbox-fault')]).toEqual([200, 'test/0'])
    expect(response.headers.get('x-sandbox-assumed')).toContain('payout.fee=on_top')
    expect(payouts(api)).toBe(1)
    expect(slept).toHaveLength(1)
    expect(slept[0]).toBeGreaterThanOrEqual(1_200)
    expect(slept[0]).toBeLessThanOrEqual(1_800)
  })

  test('lets so many through in a window of the world’s time', async () => {
    const api = await open(`
  - when: request
    if: { operation: listUsers }
    then:
      - { throttle: { limit: 2, window: 1m } }`)
    const statuses = async (times: number) => {
      const seen: number[] = []
      for (let i = 0; i < times; i++) {
        const { status } = await api.get(USERS)
        seen.push(status)
      }
      return seen
    }
    expect(await statuses(4)).toEqual([200, 200, 429, 429])
    api.sandbox.advance('20s')
    const { body, headers } = await api.get(USERS)
    expect(headers.get('retry-after')).toBe('40')
    expect(body).toMatchObject({ code: '4290' })
    api.sandbox.advance('40s')
    expect(await statuses(3)).toEqual([200, 200, 429])
  })
})

describe('rules on requests that delay', () => {
  const delays = async (rule: string, times: number) => {
    const seen: number[] = []
    const api = await openOwnSandbox({
      scenarios: [scenarioFile('test', `  - { when: request, ${rule} }`)],
      sleep: async (ms) => void seen.push(ms),
    })
    for (let i = 0; i < times; i++) await api.get(USERS)
    return seen
  }

  test('draw the duration independently of the chance', async () => {
    const seen = await delays('chance: 0.2, then: [{ delay_ms: [0, 99] }]', 100)
    expect(seen.some((ms) => ms >= 50)).toBe(true)
  })
})

describe('a rule that answers a read stale', () => {
  const openStale = () =>
    openOwnSandbox({
      scenarios: [
        scenarioFile(
          'test',
          `
  - { when: request, if: { operation: listUsers }, then: [{ stale: 30s }] }`,
        ),
      ],
    })
  const addUser = async (api: Client) =>
    (await api.make<{ id: string }>('/onboarding/api/v1/users', userRequest())).id
  const listedUsers = async (api: Client) =>
    (await api.get<{ id: string; status: string }[]>(USERS)).body

  test('leaves out a record until it is that old, while other operations see it', async () => {
    const api = await openStale()
    const id = await addUser(api)
    api.sandbox.advance('29999ms')
    const stale = await api.get<{ id: string }[]>(USERS)
    expect(stale.headers.get('x-sandbox-fault')).toBe('test/0')
    expect(stale.body.map((user) => user.id)).toContain(users.ada)
    expect(stale.body.map((user) => user.id)).not.toContain(id)
    expect((await api.get(`/payment/api/v1/fx-audit/${id}`)).status).toBe(200)
    api.sandbox.advance('1ms')
    expect((await listedUsers(api)).map((user) => user.id)).toContain(id)
  })

  test('shows each change that much later, and changes nothing itself', async () => {
    const api = await openStale()
    const seen: (string | undefined)[] = []
    for (const status of ['paused', 'active', 'paused', 'active', 'paused', 'active', 'paused']) {
      await api.make(`/_sandbox/users/${users.ada}/status`, { status })
      seen.push((await listedUsers(api)).find(({ id }) => id === users.ada)?.status)
      api.sandbox.advance('10s')
    }
    const changes = ['active', 'active', 'active', 'paused', 'active', 'paused', 'active']
    expect(seen).toEqual(changes)
    expect(api.sandbox.tables.users.get(users.ada)?.status).toBe('paused')
    const { items } = await api.read<{ items: { command: string }[] }>('/_sandbox/journal')
    expect(items.map(({ command }) => command)).not.toContain('world.undo')
  })

  test('lags behind the time that an undo has led back to', async () => {
    const api = await openStale()
    const id = await addUser(api)
    await api.make('/_sandbox/clock/advance', { by: '40s' })
    await api.make('/_sandbox/undo', {})
    expect((await listedUsers(api)).map((user) => user.id)).not.toContain(id)
    await api.make('/_sandbox/clock/advance', { by: '31s' })
    expect((await listedUsers(api)).map((user) => user.id)).toContain(id)
  })
})

describe('a rule that holds a request', () => {
  const holding = async (steps: string) => {
    const held: { ms: number; go: () => void }[] = []
    const api = await openOwnSandbox({
      scenarios: [
        scenarioFile(
          'test',
          `
  - when: request
    if: { operation: createPayout }
    limit: 1
    then: [${steps}]`,
        ),
      ],
      sleep: (ms) => new Promise((go) => held.push({ ms, go })),
    })
    return { api, held }
  }

  test.each([
    ['commit', 0],
    ['answer', 1],
  ])('before its %s serves other requests meanwhile, then answers it', async (before, paid) => {
    const { api, held } = await holding(`{ hold: { before: ${before}, for: 400ms } }`)
    const first = pay(api)
    await expect.poll(() => held.length).toBe(1)
    expect(held[0]?.ms).toBe(400)
    expect(payouts(api)).toBe(paid)
    expect((await pay(api, 2)).status).toBe(200)
    expect(payouts(api)).toBe(paid + 1)
    held[0]?.go()
    const { status, headers } = await first
    expect([status, headers.get('x-sandbox-fault')]).toEqual([200, 'test/0'])
    expect(payouts(api)).toBe(2)
  })
})

describe('rules on requests', () => {
  const open = (rules: string) => openOwnSandbox({ scenarios: [scenarioFile('test', rules)] })
  const outage = `
  - when: request
    then:
      - { respond: { status: 503 } }`

  test('come after the key, and before everything else', async () => {
    const api = await open(outage)
    const of = async (path: string, init: Parameters<Client['call']>[2] = {}) =>
      (await api.call(init.raw === undefined ? 'GET' : 'POST', path, init)).body
    expect(await of(USERS, { key: null })).toMatchObject({ code: '4030' })
    expect(await of(USERS, { key: keys.expired })).toMatchObject({ code: '4102' })
    expect(await of(PAYOUT, { key: keys.readOnly, raw: '{}' })).toMatchObject({ code: '4300' })
    expect(await of(PAYOUT, { raw: '{' })).toMatchObject({ code: '5030' })
    expect(await of('/payment/nowhere')).toMatchObject({ code: '5030' })
    expect(await of('/payment/api/v1/fx-audit/status/x')).toMatchObject({ code: '5030' })
  })

  test('do not affect the control API', async () => {
    const api = await open(outage)
    expect((await api.get('/_sandbox/users')).status).toBe(200)
    expect((await api.get('/_sandbox/nowhere')).status).toBe(404)
  })

  test('ask for path, query, headers, parameters, and for the user and account that are named', async () => {
    const asks = async (conditions: string, call: (api: Client) => Promise<{ status: number }>) => {
      const api = await open(`
  - when: request
    if: ${conditions}
    then:
      - { respond: { status: 503 } }`)
      return (await call(api)).status === 503
    }
    const audit = (api: Client) =>
      api.get(`/payment/api/v1/fx-audit/${users.ada}?page=2&size=7`, {
        headers: { 'x-trace': 'a-1' },
      })
    expect(await asks('{ query: { size: 7 } }', audit)).toBe(true)
    expect(await asks('{ query: { size: 8 } }', audit)).toBe(false)
    const twice = (api: Client) =>
      api.get(`/payment/api/v1/fx-audit/${users.ada}?page=1&page=2&size=7`)
    expect(await asks('{ query: { page: 2, size: 7 } }', twice)).toBe(true)
    expect(await asks('{ query: { page: 3 } }', twice)).toBe(false)
    expect(await asks('{ headers: { x-trace: { starts_with: a- } } }', audit)).toBe(true)
    expect(await asks('{ headers: { x-trace: { exists: false } } }', audit)).toBe(false)
    expect(await asks(`{ params: { user_id: ${users.ada} } }`, audit)).toBe(true)
    expect(await asks('{ user: { last_name: Okafor } }', audit)).toBe(true)
    expect(await asks('{ user: { last_name: Nobody } }', audit)).toBe(false)
    expect(await asks('{ method: GET, path: { starts_with: /payment/ } }', audit)).toBe(true)
    const offramp = (api: Client) => api.post('/payment/api/v1/offramp', offrampRequest())
    expect(await asks('{ method: POST }', audit)).toBe(false)
    expect(await asks('{ method: POST }', offramp)).toBe(true)
    expect(await asks('{ account: { currency: EUR } }', offramp)).toBe(true)
    expect(await asks('{ account: { currency: USD } }', offramp)).toBe(false)
  })

  test('spoil what the operation refuses as they spoil other answers', async () => {
    const spoilt = async (step: string) => {
      const api = await open(`  - { when: request, then: [{ ${step} }] }`)
      return api.get<unknown>('/payment/api/v1/fx-audit/status/x')
    }
    const html = await spoilt('malform: html')
    expect([html.status, html.headers.get('content-type')]).toEqual([400, 'text/html'])
    const late = await spoilt('delay_ms: 1')
    expectRefusal(late, 400, '4000')
    expect(late.headers.get('x-sandbox-fault')).toBe('test/0')
  })

  test.each(['reset', 'restore'])('end with their world on a %s', async (how) => {
    const rule = '  - { when: request, if: { operation: createPayout }, then: [{ delay_ms: 100 }] }'
    const path = how === 'reset' ? '/_sandbox/reset' : '/_sandbox/snapshots/start/restore'
    const api = await openOwnSandbox({
      scenarios: [scenarioFile('test', rule)],
      sleep: () => api.make(path),
    })
    await api.make('/_sandbox/snapshots', { name: 'start' })
    const answer = await pay(api)
    expect([answer.status, answer.headers.get('x-sandbox-fault')]).toEqual([503, 'test/0'])
    const expected = [
      { payouts: {}, count: 0 },
      { requests: { status: 503 }, count: how === 'reset' ? 0 : 1 },
    ]
    expect(await api.make('/_sandbox/verify', { expect: expected })).toMatchObject({ ok: true })
  })

  test('leave an entry for unknown paths too', async () => {
    const api = await open('  - { when: request, limit: 1, then: [{ respond: { status: 503 } }] }')
    await api.get('/payment/api/v1/nothing')
    const { items } = await api.read<{ items: object[] }>('/_sandbox/journal')
    expect(items.at(-1)).toMatchObject({
      command: 'rule.fire',
      cause: { kind: 'request', operation: 'unknown' },
    })
  })

  test('leave an entry each, which the clock, a reset and a replay respect', async () => {
    const api = await open(`
  - when: request
    if: { operation: createPayout }
    skip: 1
    limit: 1
    then:
      - { respond: { status: 503 } }`)
    expect((await pay(api)).status).toBe(200)
    expect((await pay(api)).status).toBe(503)
    expect((await pay(api)).status).toBe(200)
    const { items } = await api.read<{ items: { command: string; events: object[] }[] }>(
      '/_sandbox/journal',
    )
    const fired = items.filter(({ command }) => command === 'rule.fire')
    expect(fired.map(({ events }) => events)).toEqual([
      [],
      [{ type: 'rule.fired', id: 'test/0', source: 'test.yaml:4' }],
    ])
    api.sandbox.reset()
    expect((await pay(api)).status).toBe(200)
    expect((await pay(api)).status).toBe(503)
  })
})
