import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { accounts, keys, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { offrampRequest, payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

const open = (rules: string) => openOwnSandbox({ scenarios: [scenarioFile('test', rules)] })

interface Record {
  readonly id: string
  readonly status: string
}

const start = (api: Client, amount = '500.00') =>
  api.make<Record>('/_sandbox/transfers', {
    user_id: users.ada,
    account_id: accounts.adaEur,
    source_currency: 'USD',
    source_amount: amount,
  })

const read = async (api: Client, id: string) =>
  (await api.read<Record>(`/payment/api/v1/fx-audit/status/${id}`)).status

const balance = async (api: Client, currency: string) => {
  const { items } = await api.read<{ items: { currency: string; amount: string }[] }>(
    `/_sandbox/users/${users.ada}/balances`,
  )
  return items.find((it) => it.currency === currency)?.amount
}

const journal = async (api: Client) => {
  const { items } = await api.read<{
    items: { command: string; cause: { kind: string }; refused?: { message: string } }[]
  }>('/_sandbox/journal?size=1000')
  return items
}

describe('a step that waits for status requests', () => {
  const rules = `
  - when: transfer.created
    then:
      - { move: FUNDS_RECEIVED }
      - { after_reads: 2, move: CONVERSION_PROCESSED }
      - { after: 1m, move: PAYMENT_SUBMITTED }
      - { after_reads: 1, move: FAILED, reason: account_closed }`

  test('runs with the awaited request, which shows it', async () => {
    const api = await open(rules)
    const { id } = await start(api)
    expect([await read(api, id), await read(api, id), await read(api, id)]).toEqual([
      'FUNDS_RECEIVED',
      'CONVERSION_PROCESSED',
      'CONVERSION_PROCESSED',
    ])
    api.sandbox.advance('1m')
    expect(await read(api, id)).toBe('FAILED')
  })

  test('does not count stale responses', async () => {
    const api = await open(`
  - when: request
    if: { operation: getTransferStatus }
    limit: 3
    then: [{ stale: 30s }]${rules}`)
    const { id } = await start(api)
    expect((await api.get(`/payment/api/v1/fx-audit/status/${id}`)).status).toBe(404)
    api.sandbox.advance('30s')
    const seen: string[] = []
    for (let n = 0; n < 4; n++) seen.push(await read(api, id))
    expect(seen).toEqual([
      'FUNDS_RECEIVED',
      'FUNDS_RECEIVED',
      'FUNDS_RECEIVED',
      'CONVERSION_PROCESSED',
    ])
  })

  test('counts neither lists nor control calls nor requests of other transfers', async () => {
    const api = await open(rules)
    const [{ id }, other] = [await start(api), await start(api)]
    await api.read(`/_sandbox/transfers/${id}`)
    await api.read(`/payment/api/v1/fx-audit/${users.ada}`)
    await read(api, other.id)
    expect(await read(api, id)).toBe('FUNDS_RECEIVED')
    expect(await read(api, id)).toBe('CONVERSION_PROCESSED')
  })

  test('does not block idle, and the clock lists it', async () => {
    const api = await open(rules)
    const { id } = await start(api)
    api.sandbox.advance({ until: 'idle' })
    const clock = await api.read<{ next: object[] }>('/_sandbox/clock')
    expect(clock.next.at(-1)).toMatchObject({ due: null, reads: 2, subject: id })
  })

  test('is a command with the cause read', async () => {
    const api = await open(rules)
    await read(api, (await start(api)).id)
    const reads = (await journal(api)).filter(({ command }) => command === 'transfer.read')
    expect(reads).toMatchObject([{ cause: { kind: 'read', operation: 'getTransferStatus' } }])
  })
})

describe('steps', () => {
  test('credit the user of the record, or return the amount of a payout', async () => {
    const api = await open(`
  - when: transfer.moved
    if: { status: FAILED }
    then: [{ credit: { currency: EUR, amount: 12.5 } }]
  - when: payout.created
    then: [{ move: PAYOUT_PROCESSED }, { after: 1h, credit: {} }]`)
    const [eur, ngn] = [await balance(api, 'EUR'), await balance(api, 'NGN')]
    const { id } = await start(api)
    await api.make(`/_sandbox/transfers/${id}/advance`, { to: 'FAILED' })
    expect(Number(await balance(api, 'EUR'))).toBe(Number(eur) + 12.5)
    await api.make('/payment/api/v1/payout', payoutRequest())
    api.sandbox.advance('1h')
    expect(Number(await balance(api, 'NGN'))).toBe(Number(ngn) - 50)
    expect(api.sandbox.audit().violations).toEqual([])
  })

  test('deposit to the address of the record, or to another', async () => {
    const api = await open(`
  - when: offramp.initiated
    then: [{ after: 1m, deposit: { amount: 75 } }, { deposit: { address: nowhere, amount: '5' } }]`)
    const before = api.sandbox.tables.deposits.size
    await api.make('/payment/api/v1/offramp', offrampRequest())
    api.sandbox.advance('1m')
    const [first, second] = api.sandbox.tables.deposits.all().slice(before)
    expect([first?.matched, first?.amount]).toEqual(['offramp', '75.000000'])
    expect([second?.matched, second?.address]).toEqual(['unmatched', 'nowhere'])
  })

  test('set the key of the request that led to the event', async () => {
    const api = await open(`
  - when: payout.created
    limit: 1
    then: [{ move: PAYOUT_PROCESSED }, { set_key: { expires_at: 10m } }]
  - when: transfer.created
    then: [{ set_key: { status: suspended } }]`)
    await api.make('/payment/api/v1/payout', payoutRequest())
    api.sandbox.advance('9m')
    expect((await api.get('/onboarding/api/v1/users/all')).status).toBe(200)
    api.sandbox.advance('1m')
    expect((await api.get('/onboarding/api/v1/users/all')).body).toMatchObject({ code: '4102' })
    const readOnly = { key: keys.readOnly }
    expect((await api.get('/onboarding/api/v1/users/all', readOnly)).status).toBe(200)
    await start(api)
    const refused = (await journal(api)).find((entry) => entry.refused)
    expect(refused?.refused?.message).toBe('Invalid id: no request with an API key led to it.')
  })

  test('stop the record and emit an event', async () => {
    const api = await open(`
  - when: transfer.created
    then: [{ after: 2s, move: FUNDS_RECEIVED }, { stop: true }]
  - when: payout.created
    then: [{ stop: true }]`)
    const { id } = await start(api)
    api.sandbox.advance({ until: 'idle' })
    expect(await read(api, id)).toBe('FUNDS_RECEIVED')
    const payout = await api.make<Record>('/payment/api/v1/payout', payoutRequest())
    expect(payout.status).toBe('PAYOUT_PENDING')
    const why = await api.read<{ entries: { sentence: string }[] }>(
      `/_sandbox/records/${payout.id}/why`,
    )
    expect(why.entries[0]?.sentence).toContain('Scenario test left it unchanged (test.yaml:6)')
    const page = await (await api.sandbox.fetch(`/payouts/${payout.id}`)).text()
    expect(page).toContain('Left it unchanged')
  })

  test('in a loop keep the command behind them, and the journal has the reason', async () => {
    const api = await open(`
  - when: payout.created
    then: [{ credit: {} }, { move: PAYOUT_PROCESSED }]
  - when: balance.credited
    then: [{ credit: { currency: NGN, amount: 1 } }]`)
    const pay = () => api.post<Record>('/payment/api/v1/payout', payoutRequest())
    const first = await pay()
    expect([first.status, first.headers.get('x-sandbox-fault')]).toEqual([409, 'test/1'])
    const { message } = first.body as unknown as { message: string }
    expect(message).toMatch(
      /firings at one instant: .* The changes stay; the next timer is dropped/,
    )
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'PAYOUT_PROCESSED' } })
    expect((await journal(api)).find(({ command }) => command === 'timer.drop')).toMatchObject({
      input: { timer: expect.any(String), why: message },
    })
  })
})

describe('a condition', () => {
  test('compares text amounts by value and headers in any case', async () => {
    const api = await open(`
  - when: payout.created
    if: { amount: '1500' }
    then: [{ move: PAYOUT_FAILED }]
  - when: request
    if: { headers: { X-Tenant: { exists: true } } }
    per: headers.X-Tenant
    limit: 1
    then: [{ respond: { status: 503 } }]`)
    const pay = async (tenant: string) => {
      const headers = { 'x-tenant': tenant }
      return (await api.post<Record>('/payment/api/v1/payout', payoutRequest(), { headers })).status
    }
    expect([await pay('a'), await pay('b'), await pay('a'), await pay('b')]).toEqual([
      503, 503, 200, 200,
    ])
    const { ok } = await api.sandbox.verify([
      { payouts: { amount: '1500', status: 'PAYOUT_FAILED' }, count: 1 },
      { payouts: { amount: { ne: '1500.0' } }, count: 0 },
      { requests: { headers: { 'X-TENANT': 'a' } }, count: 2 },
    ])
    expect(ok).toBe(true)
  })
})

describe('a scenario that a header names', () => {
  const rules = `
  - when: transfer.created
    then: [{ after: 1m, move: CANCELLED, reason: asked_for }]
  - when: transfer.moved
    if: { status: CANCELLED }
    then: [{ credit: { currency: EUR, amount: 1 } }]`
  const headers = { 'x-sandbox-scenario': 'test' }
  const openIdle = async () => {
    const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rules)] })
    api.sandbox.run('scenarios.activate', { names: [] })
    return api
  }
  const request = {
    user_id: users.ada,
    account_id: accounts.adaEur,
    source_currency: 'USD',
    source_amount: '500.00',
  }

  test('applies to the record of the request and no other', async () => {
    const api = await openIdle()
    const { body } = await api.post<Record>('/_sandbox/transfers', request, { headers })
    const other = await start(api)
    const eur = await balance(api, 'EUR')
    api.sandbox.advance('2m')
    expect(await read(api, body.id)).toBe('CANCELLED')
    expect(await read(api, other.id)).toBe('PAYMENT_PROCESSED')
    expect(Number(await balance(api, 'EUR'))).toBe(Number(eur) + 1)
  })

  test('applies to the deposits and transfers of an offramp', async () => {
    const api = await openIdle()
    const { body } = await api.post<{ address: string }>(
      '/payment/api/v1/offramp',
      offrampRequest(),
      { headers },
    )
    const made = await api.make<{ transfer_id: string }>('/_sandbox/deposits', {
      address: body.address,
      amount: '75',
    })
    api.sandbox.advance('2m')
    expect(await read(api, made.transfer_id)).toBe('CANCELLED')
  })
})
