import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { type Deposit, type Entry, startTransfer } from '../support/control.js'
import { keys, NOBODY, users } from '../support/fixture-ids.js'
import { didYouMean, invalid, missing, unknownField } from '../support/invalid.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { overlapping } from '../support/overlap.js'
import { offrampRequest, userRequest } from '../support/requests.js'
import { newPayouts, PAYOUT, payoutOf, send } from '../support/scenario-client.js'
import type { Instruction, List, Payout, User } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

interface ArmedCall {
  readonly id: string
  readonly rule: string
  readonly operation: string | null
  readonly user_id: string | null
  readonly times: number | 'always'
  readonly left: number | 'always'
  readonly complaint: string | null
  readonly then: object
  readonly yaml: string
}

const NEXT = '/_sandbox/next'
const USERS = '/onboarding/api/v1/users'
const FAIL = {
  operation: 'createPayout',
  then: { move: 'PAYOUT_FAILED', reason: 'limit_exceeded' },
}
const DOWN = { operation: 'createPayout', then: { respond: { status: 503 } } }

const arm = (call: object) => api.make<ArmedCall>(NEXT, call)
const armed = async () => (await api.read<List<ArmedCall>>(NEXT)).items

/** The status of an answer, its fault and its text; `broken` without an answer. */
const outcome = async (path = PAYOUT, body?: unknown) => {
  const came = await send(api, path, body).catch(() => undefined)
  if (!came) return { status: 'broken', fault: null, text: '' }
  return { status: came.status, fault: came.headers.get('x-sandbox-fault'), text: came.text }
}
const pay = (n: number) => outcome(PAYOUT, payoutOf(n))
const statusesOf = async (ns: readonly number[]) => {
  const statuses: unknown[] = []
  for (const n of ns) statuses.push((await pay(n)).status)
  return statuses
}

interface Effect {
  readonly status: number | 'broken'
  readonly paid: number
  readonly slept: readonly number[]
  readonly text?: RegExp
}

describe('a step about a request', () => {
  test.each<[object, Effect]>([
    [{ respond: { status: 503, retry_after: '5s' } }, { status: 503, paid: 0, slept: [] }],
    [{ delay_ms: 400 }, { status: 200, paid: 1, slept: [400] }],
    [{ hold: { before: 'commit', for: '400ms' } }, { status: 200, paid: 1, slept: [400] }],
    [{ hold: { before: 'answer', for: '300ms' } }, { status: 200, paid: 1, slept: [300] }],
    [{ drop: 'before' }, { status: 'broken', paid: 0, slept: [] }],
    [{ drop: 'after' }, { status: 'broken', paid: 1, slept: [] }],
    [{ drop: 'mid_body' }, { status: 'broken', paid: 1, slept: [] }],
    [{ hang: 'before' }, { status: 'broken', paid: 0, slept: [300_000] }],
    [{ reset: 'after' }, { status: 'broken', paid: 1, slept: [] }],
    [{ patch: { status: 'ON_HOLD' } }, { status: 200, paid: 1, slept: [], text: /"ON_HOLD"/ }],
    [{ malform: 'empty' }, { status: 200, paid: 1, slept: [], text: /^$/ }],
    [{ trickle: { over: '100ms' } }, { status: 200, paid: 1, slept: expect.any(Array) }],
  ])('%j happens to the next call and to no later one', async (then, { text, ...expected }) => {
    const slept: number[] = []
    api = await openOwnSandbox({ sleep: async (ms) => void slept.push(ms) })
    const { rule } = await arm({ operation: 'createPayout', then })
    const came = await pay(1)
    const paid = newPayouts(api).length
    expect({ status: came.status, paid, slept: [...slept] }).toEqual(expected)
    expect(came.fault).toBe(came.status === 'broken' ? null : rule)
    if (text) expect(came.text).toMatch(text)
    expect(await pay(2)).toMatchObject({ status: 200, fault: null })
    expect(await armed()).toEqual([])
  })

  test('stale shows an older state to the next GET', async () => {
    const path = `/payment/api/v1/fx-audit/${users.ada}`
    const { text } = await outcome(path)
    await arm({ operation: 'getTransferAudit', then: { stale: '30s' } })
    api.sandbox.advance('1m')
    await startTransfer(api)
    expect((await outcome(path)).text).toBe(text)
    expect((await outcome(path)).text).not.toBe(text)
  })

  test('throttle lets calls pass up to its limit, and is taken by the first one beyond', async () => {
    const then = { throttle: { limit: 2, window: '1m' } }
    await arm({ operation: 'createPayout', then })
    expect(await statusesOf([1, 2, 3, 4])).toEqual([200, 200, 429, 200])
    await arm({ operation: 'createPayout', then })
    expect(await statusesOf([5, 6, 7])).toEqual([200, 200, 429])
  })
})

describe('a move or a stop of the new record', () => {
  const payoutStatus = (n: number) =>
    newPayouts(api).find((it) => it.customer_payout_id === payoutOf(n).customer_payout_id)

  test('fails the next payout at once', async () => {
    await arm(FAIL)
    const { status, fault, text } = await pay(1)
    expect([status, fault]).toEqual([200, null])
    expect(JSON.parse(text)).toMatchObject({ status: 'PAYOUT_FAILED' })
    expect(payoutStatus(1)).toMatchObject({ reason: 'limit_exceeded' })
    expect(await api.read('/_sandbox/audit')).toMatchObject({ ok: true })
    await pay(2)
    expect(payoutStatus(2)).toMatchObject({ status: 'PAYOUT_PROCESSED' })
  })

  const fail = { move: 'PAYOUT_FAILED', after: '3d' }

  test.each<[object, string, string]>([
    [fail, 'PAYOUT_PENDING', 'PAYOUT_FAILED'],
    [{ ...fail, from: 'PAYOUT_PROCESSED' }, 'PAYOUT_PROCESSED', 'PAYOUT_FAILED'],
    [{ stop: true }, 'PAYOUT_PENDING', 'PAYOUT_PENDING'],
  ])('%j makes a payout %s for three days, then %s', async (then, before, after) => {
    await arm({ operation: 'createPayout', then })
    await pay(1)
    api.sandbox.advance('71h')
    expect(payoutStatus(1)).toMatchObject({ status: before })
    api.sandbox.advance('1h')
    expect(payoutStatus(1)).toMatchObject({ status: after })
  })

  const initiate = () => api.make<Instruction>('/payment/api/v1/offramp', offrampRequest())
  const deposit = async (address: string) => {
    const { transfer_id } = await api.make<Deposit>('/_sandbox/deposits', { address, amount: '50' })
    api.sandbox.advance({ until: 'idle' })
    return api.sandbox.tables.transfers.get(transfer_id ?? '')?.status
  }

  test.each([
    [{ move: 'FAILED', reason: 'account_closed' }, 'FAILED'],
    [{ move: 'FAILED', from: 'PAYMENT_SUBMITTED' }, 'FAILED'],
    [{ stop: true }, 'PENDING'],
  ])('%j of an offramp is about its next deposit alone', async (then, status) => {
    for (const _ of ['first', 'again']) {
      await arm({ operation: 'initiateOfframp', then })
      const { address } = await initiate()
      expect(await armed()).toEqual([])
      expect(await deposit(address)).toBe(status)
      expect(await deposit(address)).toBe('PAYMENT_PROCESSED')
    }
  })

  test('holds for a taken call after its disarming', async () => {
    const then = { move: 'FAILED' }
    const { id } = await arm({ operation: 'initiateOfframp', times: 'always', then })
    const { address } = await initiate()
    await api.call('DELETE', `${NEXT}?id=${id}`)
    expect(await deposit(address)).toBe('FAILED')
    await initiate()
    expect(await deposit(address)).toBe('PAYMENT_PROCESSED')
  })

  test('rejects the next user, with a reason to show', async () => {
    const then = { move: 'rejected', reason: 'The document has expired', after: '10m' }
    await arm({ operation: 'createUser', then })
    const { id } = await api.make<User>(USERS, userRequest())
    api.sandbox.advance('9m')
    const user = () => api.sandbox.tables.users.get(id)
    expect(user()).toMatchObject({ status: 'under_review' })
    api.sandbox.advance('1m')
    expect(user()).toMatchObject({
      status: 'rejected',
      rejection_reasons: [{ reason: then.reason }],
    })
  })
})

describe('armed calls', () => {
  test('queue: each call takes the oldest one that fits, and one alone', async () => {
    await arm(DOWN)
    await arm(FAIL)
    await arm({ then: { respond: { status: 502 } } })
    expect((await pay(1)).status).toBe(503)
    expect((await outcome(`${USERS}/all`)).status).toBe(502)
    expect(JSON.parse((await pay(1)).text).status).toBe('PAYOUT_FAILED')
    expect((await pay(2)).status).toBe(200)
  })

  test('without an operation fit any of the eleven, and no unknown path', async () => {
    await arm({ then: { respond: { status: 503 } } })
    expect((await outcome('/payment/api/v1/nowhere')).status).not.toBe(503)
    await api.read('/_sandbox/users')
    expect((await outcome(`${USERS}/all`)).status).toBe(503)
  })

  test('with a patch fit no operation whose response is a bare value', async () => {
    const { rule } = await arm({ then: { patch: { amount: 1 } } })
    const bare = await outcome(
      `/payment/api/v1/offramp-audit/crypto-balance/USDC/polygon/${users.ada}`,
    )
    expect(bare.fault).toBeNull()
    expect((await pay(1)).fault).toBe(rule)
  })

  test('of a user fit only calls that name it', async () => {
    await arm({ user_id: 'ben', then: { respond: { status: 503 } } })
    expect((await pay(1)).status).toBe(200)
    expect((await outcome(`/payment/api/v1/fx-audit/${users.ada}`)).status).toBe(200)
    expect((await outcome(`/payment/api/v1/fx-audit/${users.ben}`)).status).toBe(503)
  })

  test('are taken as often as they say', async () => {
    await arm({ ...DOWN, times: 2 })
    expect(await statusesOf([1, 2])).toEqual([503, 503])
    await arm({ ...FAIL, times: 'always' })
    for (const n of [3, 4, 5]) expect((await pay(n)).text).toContain('PAYOUT_FAILED')
    expect(await armed()).toMatchObject([{ times: 'always', left: 'always' }])
  })

  test('win over the active scenarios and those of the header', async () => {
    api = await openSandbox({ scenarios: ['outage-and-recovery'] })
    await arm(FAIL)
    expect((await pay(1)).text).toContain('PAYOUT_FAILED')
    expect((await pay(2)).status).toBe(503)
    const { rule } = await arm({ ...DOWN, then: { respond: { status: 502 } } })
    const headers = { 'x-sandbox-scenario': 'committed-then-cut' }
    const { status, headers: came } = await api.post(PAYOUT, payoutOf(3), { headers })
    expect([status, came.get('x-sandbox-fault')]).toEqual([502, rule])
  })

  test('lets the records of the call follow the scenarios of its header too', async () => {
    await arm({ operation: 'initiateOfframp', then: { move: 'FAILED' } })
    const headers = { 'x-sandbox-scenario': 'conversion-fails' }
    const { body } = await api.post<Instruction>('/payment/api/v1/offramp', offrampRequest(), {
      headers,
    })
    const reasons: unknown[] = []
    for (const _ of ['armed', 'header']) {
      await api.make('/_sandbox/deposits', { address: body.address, amount: '50' })
      api.sandbox.advance({ until: 'idle' })
      reasons.push(api.sandbox.tables.transfers.all().at(-1)?.reason)
    }
    expect(reasons).toEqual([null, 'conversion_rejected'])
  })

  test('stay when a check before the faults refuses the call', async () => {
    api = await openOwnSandbox({ rateLimit: '2/1s', machineClock: () => 0 })
    await arm(DOWN)
    const key = { key: keys.unknown }
    expectRefusal(await api.post(PAYOUT, payoutOf(1), key), 401, '4101')
    expectRefusal(await api.post(PAYOUT, payoutOf(1), { key: keys.readOnly }), 403, '4300')
    await outcome(`${USERS}/all`)
    await outcome(`${USERS}/all`)
    expect((await pay(1)).status).toBe(429)
    expect(await armed()).toHaveLength(1)
  })

  test.each([
    [{ drop: 'after' }, 1],
    [{ malform: 'empty' }, 1],
    [{ hold: { before: 'answer', for: '1ms' } }, 1],
    [{ move: 'PAYOUT_FAILED' }, 1],
    [{ respond: { status: 503 } }, 0],
  ])('with the step %j leave %i after a call that the operation refuses', async (then, left) => {
    await arm({ operation: 'createPayout', then })
    const refused = await outcome(PAYOUT, { ...payoutOf(1), amount: '0' })
    expect([refused.status, refused.fault]).toEqual(left ? [400, null] : [503, 'next-1/0'])
    expect(await armed()).toHaveLength(left)
    await outcome(PAYOUT, payoutOf(1))
    expect(await armed()).toHaveLength(0)
  })

  test('complain until a call takes them, unless they are optional', async () => {
    const complaints = async () => (await armed()).map(({ complaint }) => complaint)
    await arm({ operation: 'createPayout', times: 2, then: { drop: 'after' } })
    await arm({ ...DOWN, optional: true })
    await outcome(`${USERS}/all`)
    await outcome('/payment/api/v1/payouts', payoutOf(1))
    const called = 'listUsers, POST /payment/api/v1/payouts'
    const complaint = `createPayout loseResponse was never taken; the client called ${called}`
    expect(await complaints()).toEqual([null, complaint])
    await outcome(PAYOUT, payoutOf(1))
    expect(await complaints()).toEqual([null, null])
  })

  test('are taken by a repeat in flight that waits, and not by one that is refused', async () => {
    for (const [reading, left] of [
      ['conflict', 1],
      ['waits', 0],
    ] as const) {
      const { options, send: sendBoth } = overlapping()
      api = await openOwnSandbox({
        ...options,
        readings: [`repeat.in_flight=${reading}`],
      })
      await arm({ operation: 'createPayout', then: { hold: { before: 'commit', for: '1s' } } })
      await arm({ operation: 'createPayout', then: { patch: { status: 'ON_HOLD' } } })
      const call = () => pay(1)
      const [first, second] = await sendBoth(call)
      expect(first.text).toContain('PAYOUT_PROCESSED')
      expect(second.status).toBe(reading === 'conflict' ? 409 : 200)
      expect(second.text.includes('ON_HOLD')).toBe(reading === 'waits')
      expect(await armed()).toHaveLength(left)
      expect(newPayouts(api)).toHaveLength(1)
    }
  })
})

describe('arming', () => {
  test('lists calls newest first, each with a scenario file that does the same', async () => {
    await arm({ ...DOWN, user_id: users.ada, times: 3 })
    await arm({ operation: 'initiateOfframp', then: { move: 'FAILED' } })
    expect(await armed()).toEqual([
      {
        id: expect.any(String),
        rule: 'next-2/0',
        operation: 'initiateOfframp',
        user_id: null,
        times: 1,
        left: 1,
        optional: false,
        complaint: 'initiateOfframp fail was never taken; the client called nothing',
        then: { move: 'FAILED' },
        yaml: [
          'name: next-call',
          'title: "Next call: initiateOfframp"',
          'rules:',
          '  - when: transfer.created',
          '    if:',
          '      kind: offramp',
          '    limit: 1',
          '    then:',
          '      - move: FAILED',
          '',
        ].join('\n'),
      },
      expect.objectContaining({ rule: 'next-1/0', user_id: users.ada, times: 3, left: 3 }),
    ])
  })

  test.each([
    [{ ...DOWN, user_id: users.ada, times: 2 }],
    [{ then: { malform: 'empty' } }],
    [FAIL],
    [{ operation: 'createPayout', user_id: users.ada, times: 'always', then: { stop: true } }],
    [{ operation: 'createPayout', then: { ...FAIL.then, from: 'PAYOUT_PROCESSED', after: '1s' } }],
  ])('%j and its file have the same effect', async (call) => {
    const play = async (begin: () => Promise<unknown>) => {
      api = await openSandbox()
      await begin()
      const texts: unknown[] = []
      for (const n of [1, 2, 3]) texts.push((await pay(n)).status)
      api.sandbox.advance({ until: 'idle' })
      return [texts, newPayouts(api).map(({ status, reason }) => [status, reason])]
    }
    let yaml = ''
    const next = await play(async () => {
      yaml = (await arm(call)).yaml
    })
    const file = await play(() =>
      api.call('POST', '/_sandbox/scenarios?activate=true', {
        raw: yaml,
        headers: { 'content-type': 'application/yaml' },
      }),
    )
    expect(next).toEqual(file)
  })

  test.each<[string, object, object]>([
    ['createPayout', { lose_response: true }, { drop: 'after' }],
    ['createPayout', { delay: '2s' }, { delay_ms: 2_000 }],
    [
      'createPayout',
      { fail: { reason: 'limit', after: '30s' } },
      { move: 'PAYOUT_FAILED', after: '30s', reason: 'limit' },
    ],
    [
      'initiateOfframp',
      { return: true },
      { move: 'FAILED', from: 'PAYMENT_PROCESSED', reason: 'returned' },
    ],
    ['createUser', { fail: { reason: 'blurred' } }, { move: 'rejected', reason: 'blurred' }],
    ['createUser', { stay_pending: true }, { stop: true }],
  ])('%s accepts %j as %j', async (operation, word, then) => {
    const { yaml, rule } = await arm({ operation, then: word })
    expect((await armed())[0]).toMatchObject({ rule, then })
    expect((await arm({ operation, then })).yaml).toBe(yaml)
  })

  test.each([
    ['initiateOfframp', { settle: { after: '3d' } }, ['PAYMENT_SUBMITTED', 'PAYMENT_PROCESSED']],
    ['initiateOfframp', { stay_pending: { for: '3d' } }, ['PENDING', 'FUNDS_RECEIVED']],
    ['createPayout', { settle: { after: '3d' } }, ['PAYOUT_PENDING', 'PAYOUT_PROCESSED']],
  ])('%s that takes %j has the statuses %j before and after it', async (operation, then, seen) => {
    await arm({ operation, then })
    await pay(1)
    const { address } = await api.make<Instruction>('/payment/api/v1/offramp', offrampRequest())
    await api.make('/_sandbox/deposits', { address, amount: '50' })
    const { transfers } = api.sandbox.tables
    const statuses = ['3d', '1ms'].map((by) => {
      api.sandbox.advance({ by: by === '3d' ? '259199999ms' : by })
      const records = operation === 'createPayout' ? newPayouts(api) : transfers.all()
      return records.at(-1)?.status
    })
    expect(statuses).toEqual(seen)
    api.sandbox.advance({ until: 'idle' })
    expect(transfers.all().at(-1)?.status).toBe('PAYMENT_PROCESSED')
  })

  test('ends with a reset, and returns with a snapshot, in a fork too', async () => {
    api = await openOwnSandbox()
    await arm(FAIL)
    await api.make('/_sandbox/snapshots', { name: 'armed' })
    const { key } = await api.make<{ key: string }>('/_sandbox/snapshots/armed/fork')
    await api.make('/_sandbox/reset')
    expect(await armed()).toEqual([])
    await api.make('/_sandbox/snapshots/armed/restore')
    for (const each of [key, keys.full]) {
      const { body } = await api.post<Payout>(PAYOUT, payoutOf(1), { key: each })
      expect(body.status).toBe('PAYOUT_FAILED')
    }
  })

  test('ends with a disarming of one call, or of all', async () => {
    const { id } = await arm(DOWN)
    await arm(FAIL)
    await arm(FAIL)
    const one = await api.call('DELETE', `${NEXT}?id=${id}`)
    expect(one.body).toEqual({ disarmed: 1 })
    expectRefusal(await api.call('DELETE', `${NEXT}?id=${id}`), 404, '4040', id)
    const all = await api.call('DELETE', NEXT)
    expect(all.body).toEqual({ disarmed: 2 })
    expect(await armed()).toEqual([])
    expect((await pay(1)).text).toContain('PAYOUT_PROCESSED')
  })

  test('is in the journal, and why names the armed call', async () => {
    const { id } = await arm(FAIL)
    const { id: payout } = await api.make<Payout>(PAYOUT, payoutOf(1))
    const { items } = await api.read<{ items: Entry[] }>('/_sandbox/journal')
    const [armedBy, , taken] = items.slice(-3)
    expect([armedBy?.command, armedBy?.events]).toEqual(['next.arm', [{ type: 'next.armed', id }]])
    expect([taken?.command, taken?.events]).toEqual([
      'rule.fire',
      [{ type: 'next.taken', id, source: 'next-1' }],
    ])
    const why = await api.read<{ entries: { sentence: string }[] }>(
      `/_sandbox/records/${payout}/why`,
    )
    expect(why.entries[0]?.sentence).toContain('Your armed call 1 marked it as')
  })

  test('accepts at most 200 calls', async () => {
    for (let n = 1; n <= 200; n++) await arm(DOWN)
    expectRefusal(await api.post(NEXT, DOWN), 400, '4000', '200 calls are armed already')
  })
})

describe('arming refuses', () => {
  const OF_RECORDS = 'createPayout, initiateOfframp, createUser, whose record then can '
  const payout = (then: object) => ({ operation: 'createPayout', then })
  test.each<[unknown, string]>([
    [{}, missing('then', 'an object')],
    [{ ...DOWN, operation: 'createPayot' }, didYouMean('createPayout')],
    [{ then: { stop: true } }, missing('operation', OF_RECORDS)],
    [
      { operation: 'listUsers', then: { move: 'active' } },
      invalid('operation', 'listUsers', OF_RECORDS),
    ],
    [
      { operation: 'createUser', user_id: users.ada, then: { drop: 'after' } },
      invalid('operation', 'createUser', 'createPayout, createCustodyWallet, initiateOfframp'),
    ],
    [{ ...DOWN, usr_id: users.ada }, unknownField('usr_id', undefined, didYouMean('user_id'))],
    [{ ...DOWN, user_id: 'adaa' }, invalid('user_id', 'adaa', 'an id, or one of ada, ')],
    [{ ...DOWN, times: 0 }, invalid('times', 0, 'a whole number from 1 to 1000000')],
    [{ ...DOWN, times: 'ever' }, invalid('times', 'ever', 'a whole number from 1 to 1000000, or')],
    [payout({ explode: true }), unknownField('then.explode', 'drop, respond, delay_ms, hold')],
    [payout({ drop: 'after', stop: true }), invalid('then', {}, 'exactly one of')],
    [payout({ respond: { status: 503, cod: '1' } }), 'Unknown field "then.respond.cod"'],
    [payout({ drop: 'after', after: '3d' }), unknownField('then.after', 'drop, respond')],
    [payout({ stop: true, from: 'PAYOUT_PROCESSED' }), invalid('then.from', 'PAYOUT_PROCESSED')],
    [payout({ stale: '30s' }), invalid('then.stale', '30s', 'stale only in a rule')],
    [payout({ lose_respons: true }), didYouMean('lose_response')],
    [payout({ lose_response: 'yes' }), invalid('then.lose_response', 'yes', 'true')],
    [payout({ settle: { affter: '3d' } }), didYouMean('after')],
    [payout({ settle: { after: 'soon' } }), invalid('then.settle.after', 'soon', 'a duration')],
    [payout({ settle: '3d' }), invalid('then.settle', '3d', 'true, or an object of after')],
    [payout({ fail: true, after: '3d' }), invalid('then.after', '3d', 'it only beside move')],
    [
      { operation: 'createUser', then: { settle: true } },
      invalid('operation', 'createUser', 'createPayout, initiateOfframp, whose'),
    ],
    [payout({ patch: { amunt: 1 } }), 'Unknown field "then.patch.amunt"'],
    [
      { operation: 'createConsent', then: { patch: { id: 1 } } },
      invalid('operation', 'createConsent', 'an operation to patch'),
    ],
    [payout({ move: 'failed' }), invalid('then.move', 'failed', 'PAYOUT_PENDING, PAYOUT_')],
    [
      payout({ move: 'PAYOUT_PENDING' }),
      invalid('then.move', 'PAYOUT_PENDING', 'PAYOUT_PROCESSED'),
    ],
    [
      payout({ move: 'PAYOUT_FAILED', from: 'PAYOUT_PROCESED' }),
      invalid('then.from', 'PAYOUT_PROCESED'),
    ],
    [
      { operation: 'createUser', then: { move: 'active', reason: 'fine' } },
      invalid('then.reason', 'fine', 'it only beside move: rejected'),
    ],
  ])('%j', async (call, message) => {
    expectRefusal(await api.post(NEXT, call), 400, '4000', message)
    expect(await armed()).toEqual([])
  })

  test('an unknown user', async () => {
    const answer = await api.post(NEXT, { ...DOWN, user_id: NOBODY })
    expectRefusal(answer, 404, '4040', 'Invalid user_id: ', NOBODY)
  })
})
