import { beforeEach, describe, expect, test } from 'vitest'
import { assumptionIds } from '../../src/assumptions/ids.js'
import { type Client, expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { didYouMean, expected, got, invalid } from '../support/invalid.js'
import { newest } from '../support/logged.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { List, Payout } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const path = '/_sandbox/assumptions'
const PAYOUT = '/payment/api/v1/payout'

interface Item {
  readonly id: string
  readonly question: string
  readonly operations: readonly string[]
  readonly readings: readonly { readonly name: string; readonly description: string }[]
  readonly active: string
  readonly default: string
  readonly basis: string
  readonly hits: number
  readonly last_hit: string | null
}

const list = async (query = '?size=1000'): Promise<readonly Item[]> =>
  (await api.read<List<Item>>(`${path}${query}`)).items

const item = (id: string) => api.read<Item>(`${path}/${id}`)

const choose = (id: string, reading: unknown, headers = {}) =>
  api.call<Item>('PATCH', `${path}/${id}`, { body: { reading }, headers })

const pay = (headers: Record<string, string> = {}) =>
  api.post<Payout>(PAYOUT, payoutRequest(), { headers })

const repeat = async (headers: Record<string, string> = {}): Promise<number> => {
  await pay()
  return (await pay(headers)).status
}

describe('the list of assumptions', () => {
  test('has all of the register, in its order, and is not relied on at boot', async () => {
    const all = await list()
    expect(all.map(({ id }) => id)).toEqual(assumptionIds)
    for (const one of all) {
      expect(one.readings[0]?.name).toBe(one.default)
      expect(one).toMatchObject({ active: one.default, hits: 0, last_hit: null })
      expect(one.question).toMatch(/\?$/)
    }
  })

  test('is narrowed to an operation, those of all operations among them', async () => {
    const ids = (await list('?size=1000&operation=createConsent')).map(({ id }) => id)
    expect(ids).toContain('created.status')
    expect(ids).toContain('size.limits')
    expect(ids).not.toContain('payout.fee')
  })

  test('is narrowed to what answers relied on, and counts them in the world’s time', async () => {
    await pay()
    api.sandbox.advance('5s')
    await api.post(PAYOUT, { ...payoutRequest(), customer_payout_id: crypto.randomUUID() })
    const relied = await list('?size=1000&relied=true')
    expect(relied.map(({ id, hits }) => [id, hits])).toEqual([
      ['payout.status', 2],
      ['payout.fee', 2],
      ['payout.source', 2],
      ['time.form', 2],
    ])
    expect(relied[0]?.last_hit).toBe('2026-06-15T09:00:05.000Z')
    expect(await list('?size=1000&relied=false')).toHaveLength(assumptionIds.length - 4)
  })

  test('counts without a request log too, and forgets at a reset', async () => {
    api = await openOwnSandbox({ requestLog: 0 })
    await pay()
    expect(await item('payout.fee')).toMatchObject({ hits: 1 })
    api.sandbox.reset()
    expect(await item('payout.fee')).toMatchObject({ hits: 0, last_hit: null })
  })
})

describe('a choice of the world', () => {
  test('holds from then on, is journalled, and a reset forgets it', async () => {
    const { status, body } = await choose('payout.repeat', 'conflict')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'payout.repeat', active: 'conflict', default: 'current' })
    expect(await repeat()).toBe(409)
    expect(await item('payout.repeat')).toMatchObject({ active: 'conflict', hits: 1 })
    expect(api.sandbox.entries().map(({ command, events }) => [command, events[0]])).toContainEqual(
      ['reading.choose', { type: 'reading.chosen', id: 'payout.repeat', reading: 'conflict' }],
    )
    api.sandbox.reset()
    expect(await item('payout.repeat')).toMatchObject({ active: 'current' })
  })

  test('names the nearest when it knows no such id or reading', async () => {
    expectRefusal(await api.get(`${path}/payout.repaet`), 404, '4040', didYouMean('payout.repeat'))
    expectRefusal(
      await choose('payout.background', 'red'),
      404,
      '4040',
      'payout.repeat',
      '/_sandbox',
    )
    expectRefusal(
      await choose('payout.repeat', 'conflikt'),
      400,
      '4000',
      invalid(
        'reading',
        'conflikt',
        'current, replay, conflict, second, a_day, failed_again',
        didYouMean('conflict'),
      ),
    )
    expectRefusal(await choose('payout.repeat', 7), 400, '4000', 'reading')
    expectRefusal(await choose('constructor', 'x'), 404, '4040')
  })
})

describe('a choice of the request', () => {
  const choosing = (value: string) => ({ 'x-sandbox-reading': value })

  test('applies to that request only, and the response and the log name it', async () => {
    await pay()
    const header = choosing(' payout.repeat = second ,payout.fee=deducted')
    const answer = await pay(header)
    const reported =
      'payout.repeat=second, payout.status=processed, payout.fee=deducted, payout.source=fiat, time.form=milliseconds'
    expect(answer.headers.get('x-sandbox-assumed')).toBe(reported)
    const exchange = await newest(api)
    expect(exchange.assumed).toEqual(reported.split(', '))
    expect(exchange.response.headers).toMatchObject({ 'x-sandbox-assumed': reported })
    expect((await pay()).body.id).not.toBe(answer.body.id)
  })

  test('goes before what the world chose', async () => {
    await choose('payout.repeat', 'conflict')
    expect(await repeat(choosing('payout.repeat=second'))).toBe(200)
    expect((await pay(choosing('payout.repeat=current'))).status).toBe(200)
  })

  test('is part of the cause of what it did', async () => {
    await pay(choosing('payout.fee=deducted'))
    const made = api.sandbox.entries().filter(({ command }) => command === 'payout.create')
    expect(made.at(-1)?.cause).toMatchObject({ readings: { 'payout.fee': 'deducted' } })
  })

  test.each([
    ['payout.repeat', got('payout.repeat', '<id>=<reading>')],
    ['payout.repaet=current', didYouMean('payout.repeat')],
    ['payout.repeat=currant', didYouMean('current')],
    ['payout.repeat=', expected('current, replay, conflict, second')],
    ['__proto__=x', 'Unknown assumption'],
    [Array(200).fill('payout.fee=much').join(), invalid('payout.fee', 'much')],
    [Array(201).fill('payout.fee=deducted').join(), 'at most 200'],
  ])('%s is refused by both APIs', async (value, words) => {
    const headers = choosing(value)
    expectRefusal(await pay(headers), 400, '4000', 'x-sandbox-reading: ', words)
    expectRefusal(await api.get('/_sandbox/clock', { headers }), 400, '4000', words)
    expect(api.sandbox.tables.payouts.list('all', '').at(-1)?.customer_payout_id).not.toBe(
      payoutRequest().customer_payout_id,
    )
  })

  test('comes behind the door', async () => {
    const headers = choosing('nothing=x')
    expectRefusal(await api.get(PAYOUT, { key: keys.unknown, headers }), 401, '4101')
  })

  test('applies to control requests that name it', async () => {
    const headers = choosing('deposit.limits=unmatched')
    const address = '0xC437a1958aA96aD06ca556767B4196d7D61A4eb7'
    const { body } = await api.post('/_sandbox/deposits', { address, amount: '0.5' }, { headers })
    expect(body).toMatchObject({ matched: 'unmatched' })
  })
})

describe('a choice at the start', () => {
  test('is how every world begins, and a reset goes back to it', async () => {
    api = await openOwnSandbox({ readings: ['payout.repeat=conflict', 'users.list=paged'] })
    expect(await repeat()).toBe(409)
    await choose('payout.repeat', 'current')
    expect((await pay()).status).toBe(200)
    api.sandbox.reset()
    expect(await item('payout.repeat')).toMatchObject({ active: 'conflict' })
    expect(await item('users.list')).toMatchObject({ active: 'paged' })
  })

  test.each([
    ['payout.repeat', expected('<id>=<reading>, such as')],
    ['payout.repaet=current', didYouMean('payout.repeat')],
    ['payout.repeat=nope', expected('current, replay, conflict, second')],
  ])('%s is refused', async (reading, words) => {
    await expect(openOwnSandbox({ readings: [reading] })).rejects.toThrow(words)
  })
})

test('an answer that a rule made relies on nothing, one that relies on nothing says nothing', async () => {
  const { recipient_details } = payoutRequest()
  const made = await api.post(PAYOUT, {
    ...payoutRequest(),
    recipient_details: { ...recipient_details, recipient_account_number: '00000005' },
  })
  expect(made.headers.has('x-sandbox-fault')).toBe(true)
  expect(made.headers.has('x-sandbox-assumed')).toBe(false)
  const refused = await api.get('/onboarding/api/v1/users/all', { key: keys.expired })
  expect(refused.headers.has('x-sandbox-assumed')).toBe(false)
  const clock = await api.get('/_sandbox/clock')
  expect(clock.headers.has('x-sandbox-assumed')).toBe(false)
})
