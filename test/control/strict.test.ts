import { describe, expect, test } from 'vitest'
import { assumptionIds, DEFAULT_READINGS } from '../../src/assumptions/ids.js'
import { expectRefusal } from '../support/client.js'
import { keys, NOBODY } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'

const openStrict = (readings: string[] = []) => openSandbox({ strict: true, readings })

/** All that a payout that goes well rests on. */
const GROUND = [
  'payout.status=processed',
  'payout.fee=on_top',
  'payout.source=fiat',
  'time.form=milliseconds',
]

describe('strict', () => {
  test('refuses a command, with all that it would rest on, and undoes it', async () => {
    const api = await openStrict()
    const before = api.sandbox.entries().length
    const refused = await api.post(PAYOUT, payoutRequest())
    expectRefusal(
      refused,
      501,
      '5010',
      'payout.status, payout.fee, payout.source, time.form',
      '--readings',
    )
    expect(refused.headers.get('x-sandbox-assumed')).toBe(GROUND.join(', '))
    expect(api.sandbox.entries()).toHaveLength(before)
    expect(api.sandbox.tables.payouts.size).toBe((await openSandbox()).sandbox.tables.payouts.size)
    expect(api.sandbox.tables.timers.size).toBe(0)
    expect(api.sandbox.audit().violations).toEqual([])
  })

  test('leaves random numbers and entry numbers as they were for later requests', async () => {
    const open = () => openOwnSandbox({ strict: true })
    const [once, twice] = [await open(), await open()]
    await twice.post(PAYOUT, payoutRequest())
    for (const api of [once, twice]) {
      for (const id of GROUND) {
        const [name, reading] = id.split('=')
        await api.call('PATCH', `/_sandbox/assumptions/${name}`, { body: { reading } })
      }
    }
    const answers = await Promise.all([once, twice].map((api) => api.post(PAYOUT, payoutRequest())))
    expect(answers[0]?.status).toBe(200)
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const entries = [once, twice].map(({ sandbox }) => sandbox.entries().map(({ seq }) => seq))
    expect(entries[1]).toEqual(entries[0])
  })

  test.each<[string, string[], Record<string, string>]>([
    ['by a flag, be it for the default', GROUND, {}],
    ['by the request', [], { 'x-sandbox-reading': GROUND.join(', ') }],
  ])('a reading chosen %s is no guess', async (_, readings, headers) => {
    const api = await openStrict(readings)
    expect(await api.post(PAYOUT, payoutRequest(), { headers })).toMatchObject({ status: 200 })
  })

  test('a refusal rests on its code', async () => {
    const api = await openStrict()
    const before = api.sandbox.entries().length
    expectRefusal(await api.post(PAYOUT, {}), 501, '5010', 'error.codes')
    expectRefusal(await api.get('/payment/api/v1/x'), 501, '5010', 'error.codes')
    const unknown = { ...payoutRequest(), user_id: NOBODY }
    expectRefusal(await api.post(PAYOUT, unknown), 501, '5010', 'asks for: error.codes.')
    // A refused request is in the journal with its refusal.
    expect(api.sandbox.entries().slice(before)).toMatchObject([{ refused: { code: 'unknown' } }])
  })

  test('documented behaviour is answered', async () => {
    const api = await openStrict()
    expectRefusal(await api.get('/onboarding/api/v1/users/all', { key: null }), 403, '4030')
    expectRefusal(await api.post(PAYOUT, {}, { key: keys.readOnly }), 403, '4300')
  })

  test('a refused guess is an open question', async () => {
    const api = await openStrict()
    await api.post(PAYOUT, payoutRequest())
    expect(await api.read('/_sandbox/assumptions/payout.fee')).toMatchObject({ hits: 1 })
  })

  test('with everything chosen nothing is refused', async () => {
    const all = assumptionIds.map((id) => `${id}=${DEFAULT_READINGS[id]}`)
    const api = await openStrict(all)
    expectRefusal(await api.get('/payment/x'), 404, '4040')
    expectRefusal(await api.post(PAYOUT, {}), 400, '4000')
    expect((await api.get('/onboarding/api/v1/users/all')).status).toBe(200)
  })

  test('an answer that a rule delays is refused too', async () => {
    const api = await openOwnSandbox({ strict: true, sleep: async () => {} })
    const raw = `name: own
title: Own
rules: [{ when: request, if: { operation: createPayout }, then: [{ delay_ms: 5 }] }]`
    const headers = { 'content-type': 'application/yaml' }
    await api.call('POST', '/_sandbox/scenarios?activate=true', { raw, headers })
    const before = api.sandbox.tables.payouts.size
    const answer = await api.post(PAYOUT, payoutRequest())
    expect(answer).toMatchObject({ status: 501, body: { code: '5010' } })
    expect(api.sandbox.tables.payouts.size).toBe(before)
  })
})
