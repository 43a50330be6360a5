import { describe, expect, test } from 'vitest'
import type { Outcome, Verified } from '../../generated/api-types.js'
import type { Client } from '../support/client.js'
import { ownId } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { PAYOUT } from '../support/scenario-client.js'

/** The outcome of one expectation. */
const outcome = async (api: Client, expectation: object): Promise<Outcome> => {
  const { results } = await api.make<Verified>('/_sandbox/verify', { expect: [expectation] })
  return results[0] as Outcome
}

const arm = (api: Client, then: object) =>
  api.make('/_sandbox/next', { operation: 'createPayout', then })

/** Pays equal bills under the numbered ids; an object arms the next one. */
const pay = async (api: Client, ...steps: (number | object)[]) => {
  for (const step of steps) {
    if (typeof step === 'object') await arm(api, step)
    else {
      const body = { ...payoutRequest(), customer_payout_id: ownId(step) }
      await api.post(PAYOUT, body).catch(() => undefined)
    }
  }
}

const LOST = { drop: 'after' }
const GARBLED = { malform: 'html' }
const PENDING = { stop: true }

describe('paid_twice', () => {
  const EXPECTED = { payouts: {}, paid_twice: 0 }

  test.each([
    ['a new id after a lost answer', [LOST, 1, 2], [], 1],
    ['a new id after an unreadable answer', [GARBLED, 1, 2], [], 1],
    ['each new id after a lost answer', [LOST, 1, LOST, 2, 3], [], 2],
    ['a new id beside a lost one that is asked again', [LOST, 1, 1, 2], [], 0],
    ['two bills', [1, 2], [], 0],
    ['a new id after a failure', [{ move: 'PAYOUT_FAILED' }, 1, 2], [], 0],
    ['an id that pays twice', [1, 1], ['payout.repeat=second'], 1],
  ] as const)('counts %s: %j', async (_, steps, readings, count) => {
    const api = await openSandbox({ readings })
    await pay(api, ...steps)
    expect(await outcome(api, { payouts: {}, paid_twice: count })).toMatchObject({ ok: true })
  })

  test('is missed with the sum and the requests of both payments', async () => {
    const api = await openSandbox()
    await pay(api, LOST, 1, 2)
    const { sentence, candidates } = await outcome(api, EXPECTED)
    expect(sentence).toBe(
      'payouts, none paid twice: 2 (at least 1), 1 of them paid twice, 1500 NGN',
    )
    expect(candidates).toMatchObject([
      {
        differs: [
          {
            came: expect.stringMatching(
              /^paid twice: 1,500\.00 NGN, .*after the answer was lost, with a new id: requests 1 and 2$/,
            ),
          },
        ],
      },
    ])
  })

  test('notes a new id while the first payout is pending', async () => {
    const api = await openSandbox()
    await pay(api, PENDING, 1, 2)
    expect(await outcome(api, EXPECTED)).toMatchObject({
      ok: true,
      sentence: 'payouts, none paid twice: 2 (at least 1), 1 paid while another was pending',
    })
  })

  test('is missed if the log no longer has the requests', async () => {
    const api = await openSandbox()
    await pay(api, 1, 2)
    await api.call('DELETE', '/_sandbox/requests')
    const { ok, sentence } = await outcome(api, EXPECTED)
    expect([ok, sentence]).toEqual([false, expect.stringContaining('and perhaps 1 more')])
  })
})

describe('repaired', () => {
  const EXPECTED = { requests: { operation: 'createPayout' }, repaired: true }
  const LIMITED = { respond: { status: 429 } }

  test.each([
    ['no trouble', [1], [], 'not exercised'],
    ['the same id after 429', [LIMITED, 1, 1], [], '1 trouble repaired'],
    ['the same id after a lost answer', [LOST, 1, 1], [], '1 trouble repaired'],
    [
      'a conflict after a lost answer',
      [LOST, 1, 1],
      ['payout.repeat=conflict'],
      '1 trouble repaired',
    ],
  ] as const)('is met by %s', async (_, steps, readings, note) => {
    const api = await openSandbox({ readings })
    await pay(api, ...steps)
    const { ok, sentence } = await outcome(api, EXPECTED)
    expect([ok, sentence]).toEqual([true, expect.stringContaining(note)])
  })

  test.each([
    ['another id', [LIMITED, 1, 2]],
    ['the same id without a readable answer', [LIMITED, 1, GARBLED, 1]],
  ] as const)('is missed by %s', async (_, steps) => {
    const api = await openSandbox()
    await pay(api, ...steps)
    const { ok, candidates } = await outcome(api, EXPECTED)
    expect(ok).toBe(false)
    expect(candidates[0]).toMatchObject({ differs: [{ field: 'repaired', wanted: true }] })
  })
})
