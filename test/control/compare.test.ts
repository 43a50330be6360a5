import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, userRequest, walletRequest } from '../support/requests.js'
import { Inhabitant, worldKey } from '../support/worlds.js'

interface Side {
  readonly a: Readonly<Record<string, unknown>> | null
  readonly b: Readonly<Record<string, unknown>> | null
  readonly same: boolean
}
interface Comparison {
  readonly equal: boolean
  readonly first: { readonly kind: string; readonly a: unknown; readonly b: unknown } | null
  readonly setup: readonly (Side & { readonly what: string })[]
  readonly requests: readonly (Side & { readonly n: number })[]
  readonly records: readonly { noun: string; a: number; b: number; different: readonly Side[] }[]
  readonly balances: readonly Record<string, unknown>[]
}

const PAYOUT = '/payment/api/v1/payout'

const openTwo = async () => {
  let machine_ms = 0
  const api = await openOwnSandbox({ machineClock: () => machine_ms++ })
  const [a, b] = [new Inhabitant(api, worldKey('a')), new Inhabitant(api, worldKey('b'))]
  const compare = () => api.read<Comparison>(`/_sandbox/worlds/compare?a=${a.id}&b=${b.id}`)
  return { api, a, b, compare }
}

const pay = (world: Inhabitant, n: number, fields: object = {}) =>
  world.post(PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(n), ...fields })

test('worlds that did the same are equal, whatever their ids, addresses and times', async () => {
  const { a, b, compare } = await openTwo()
  for (const [i, world] of [a, b].entries()) {
    const consent = await world.make<{ id: string }>('/onboarding/api/v1/tnc', consentRequest())
    await world.make('/onboarding/api/v1/users', { ...userRequest(), consent_id: consent.id })
    await world.make('/payment/api/v1/custody-wallet', { ...walletRequest(), blockchain: 'tron' })
    expect((await pay(world, 10 + i)).status).toBe(200)
    expect((await pay(world, 20 + i, { user_id: ownId(i) })).status).toBe(404)
    await world.make('/_sandbox/clock/advance', { by: `${i + 3}s` })
  }
  const compared = await compare()
  expect(compared).toMatchObject({ equal: true, first: null })
  expect(compared.requests.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5])
  expect(await compare()).toEqual(compared)
})

test('the first difference of two requests is a new id where the other repeats one', async () => {
  const { a, b, compare } = await openTwo()
  for (const world of [a, b]) await pay(world, 1)
  await pay(a, 2)
  await pay(b, 1)
  await b.get('/onboarding/api/v1/users/all')
  const { equal, first, requests, records, balances } = await compare()
  expect(equal).toBe(false)
  expect(first).toMatchObject({
    kind: 'request',
    a: { operation: 'createPayout', request: { customer_payout_id: 'id 2' }, status: 200 },
    b: { operation: 'createPayout', request: { customer_payout_id: 'id 1' }, status: 200 },
  })
  expect(requests.map(({ same }) => same)).toEqual([true, false, false])
  expect(requests[2]).toMatchObject({ a: null, b: { operation: 'listUsers' } })
  const payouts = records.find(({ noun }) => noun === 'payouts')
  expect(payouts).toMatchObject({ different: [{ b: null, a: { customer_payout_id: 'id 2' } }] })
  expect((payouts?.a ?? 0) - (payouts?.b ?? 0)).toBe(1)
  expect(balances.filter(({ same }) => !same)).toEqual([
    { of: 'user 1', asset: 'NGN', a: expect.any(String), b: expect.any(String), same: false },
  ])
})

test('requests pair again after one that only one world got', async () => {
  const { a, b, compare } = await openTwo()
  for (const world of [a, b]) {
    await pay(world, 1)
    if (world === a) await world.get('/onboarding/api/v1/users/all')
    await pay(world, 2, { amount: '7.00' })
  }
  const { requests } = await compare()
  expect(requests.map(({ a, b }) => [a?.operation, b?.operation])).toEqual([
    ['createPayout', 'createPayout'],
    ['listUsers', undefined],
    ['createPayout', 'createPayout'],
  ])
})

test('setup comes before requests, and a balance after records', async () => {
  const { api, a, b, compare } = await openTwo()
  await a.post(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: '7' })
  await b.get('/_sandbox/clock')
  expect((await compare()).first).toEqual({
    kind: 'balance',
    a: { of: 'user 1', asset: 'JPY', amount: '7' },
    b: null,
  })
  await pay(b, 1)
  await api.call('PATCH', `/_sandbox/assumptions/payout.fee?world=${a.id}`, {
    body: { reading: 'deducted' },
  })
  expect((await compare()).first).toEqual({
    kind: 'setup',
    a: { readings: { 'payout.fee': 'deducted' } },
    b: { readings: {} },
  })
  await b.call('PUT', '/_sandbox/scenarios/active', { body: { names: ['happy-path'] } })
  expect((await compare()).first).toEqual({
    kind: 'setup',
    a: { scenarios: ['magic-values'] },
    b: { scenarios: ['happy-path'] },
  })
})

test('compares the default world, and refuses an unknown one', async () => {
  const { api, a } = await openTwo()
  await a.get('/_sandbox/clock')
  const path = '/_sandbox/worlds/compare'
  expect(await api.read(`${path}?a=default&b=${a.id}`)).toMatchObject({
    a: { id: 'default', name: null },
    equal: true,
  })
  expectRefusal(await api.get(`${path}?a=default&b=nowhere`), 404, '4040', 'Invalid b')
  expectRefusal(await api.get(`${path}?a=default`), 400, '4000', 'Missing b')
})
