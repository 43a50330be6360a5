import { expect, test } from 'vitest'
import type { LoggedExchange } from '../../src/index.js'
import { expectRefusal } from '../support/client.js'
import { BEGINNING, ownId } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { live, recordsOf } from './all-mutations.js'

const open = () => openOwnSandbox({ seed: 'reset', machineClock: () => 0 })

test('records are exactly those of a new sandbox with the same seed', async () => {
  const api = await open()
  const fresh = recordsOf(await open())
  expect(recordsOf(api)).toBe(fresh)
  await live(api)
  expect(recordsOf(api)).not.toBe(fresh)
  expect(await api.make('/_sandbox/reset')).toEqual({ now: BEGINNING, seed: 'reset' })
  expect(recordsOf(api)).toBe(fresh)
  expect(api.sandbox.audit()).toEqual((await open()).sandbox.audit())
})

test('commands after it have the same results as before it, ids included', async () => {
  const api = await open()
  const first = await live(api)
  const records = recordsOf(api)
  for (let n = 0; n < 3; n++) {
    await api.make('/_sandbox/reset')
    expect(await live(api)).toEqual(first)
    expect(recordsOf(api)).toBe(records)
  }
})

test('an undo of it brings its requests back, for verdicts, search and the list', async () => {
  const api = await openOwnSandbox()
  const pay = (n: number) =>
    api.make('/payment/api/v1/payout', { ...payoutRequest(), customer_payout_id: ownId(n) })
  const listed = async (query = '') => {
    const { items } = await api.read<{ items: LoggedExchange[] }>(`/_sandbox/requests${query}`)
    return items.map(({ n, request }) => [n, Object(request.body).customer_payout_id])
  }
  await api.make('/_sandbox/next', { then: { drop: 'after' } })
  await pay(1).catch(() => {})
  await api.make('/_sandbox/reset')
  await pay(2)
  expect([await listed(), await listed('?before_reset=true')]).toEqual([
    [[1, ownId(2)]],
    [[1, ownId(1)]],
  ])
  for (let n = 0; n < 2; n++) await api.make('/_sandbox/undo')
  await pay(3)
  const all = [3, 2, 1].map((n) => [n, ownId(n)])
  expect([await listed(), await listed('?before_reset=true')]).toEqual([all, []])
  const expectations = {
    expect: [
      { payouts: {}, paid_twice: 0 },
      { requests: {}, count: 3 },
    ],
  }
  expect(await api.make('/_sandbox/verify', expectations)).toMatchObject({
    results: [{ ok: false }, { ok: true }],
    missed: expect.stringContaining('requests 1 and 3'),
  })
  expect(
    (await api.read<{ items: object[] }>(`/_sandbox/search?q=${ownId(1)}`)).items,
  ).toMatchObject([{ noun: 'payouts' }, { noun: 'requests' }])
})

test('needs no body, whatever its content type, and refuses text', async () => {
  const api = await open()
  const headers = { 'content-type': 'text/plain' }
  const answer = await api.call('POST', '/_sandbox/reset', { raw: '', headers })
  expect(answer.body).toEqual({ now: BEGINNING, seed: 'reset' })
  const refused = await api.call('POST', '/_sandbox/reset', { raw: 'now!', headers })
  expectRefusal(refused, 415, '4150')
  expectRefusal(await api.get('/_sandbox/reset'), 405, '4050')
})
