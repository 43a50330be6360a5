import { describe, expect, test } from 'vitest'
import { accounts, ownId, users } from '../support/fixture-ids.js'
import type { MemoryLog } from '../support/memory-log.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'
import { openOn, type SharedSandbox, UnreliableLog } from '../support/shared-sandbox.js'
import { StreamReader } from '../support/stream-reader.js'
import { worldId, worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

const openTwo = async (options: ConstructorParameters<typeof MemoryLog>[0] = {}) => {
  const log = new UnreliableLog({ isShared: true, ...options })
  return { log, one: await openOn(log), other: await openOn(log) }
}

describe('two sandboxes on one log', () => {
  test.each([
    ['the default world', undefined],
    ['a world by key', worldKey('a')],
  ])('show each what the other did in %s', async (_, key) => {
    const { one, other } = await openTwo()
    expect((await one.call('POST', PAYOUT, payout(1), key)).status).toBe(200)
    for (const path of ['/_sandbox/payouts', '/_sandbox/journal', '/_sandbox/clock']) {
      const shown = await Promise.all(
        [one, other].map((it) => it.call('GET', path, undefined, key)),
      )
      expect(shown[1]?.text).toBe(shown[0]?.text)
    }
  })

  test('take a form of the console after what the other did', async () => {
    const { log, one, other } = await openTwo()
    await one.call('POST', PAYOUT, payout(1))
    log.outcomes.push('behind')
    const answer = await other.fetch('/console/do/undo', {
      method: 'POST',
      body: new URLSearchParams(),
    })
    expect(answer.status).toBe(303)
    expect((await one.call('GET', '/_sandbox/payouts')).text).not.toContain(ownId(1))
  })

  test('undo each what the other did, resets included', async () => {
    const { one, other } = await openTwo()
    await one.call('POST', PAYOUT, payout(1))
    await other.call('POST', '/_sandbox/snapshots', { name: 'kept' })
    await one.call('POST', PAYOUT, payout(2))
    await other.call('POST', '/_sandbox/reset')
    const listed = async () => (await one.call('GET', '/_sandbox/payouts')).body.items.length
    const before = await listed()
    expect((await one.call('POST', '/_sandbox/undo')).status).toBe(200)
    expect(await listed()).toBe(before + 2)
    await other.call('POST', '/_sandbox/snapshots/kept/restore')
    expect(await listed()).toBe(before + 1)
    expect((await one.call('POST', '/_sandbox/undo')).status).toBe(200)
    expect(await listed()).toBe(before + 2)
    expect((await other.call('POST', '/_sandbox/redo')).status).toBe(200)
    expect(await listed()).toBe(before + 1)
    expect((await one.call('POST', '/_sandbox/redo')).status).toBe(409)
  })

  test('redo what the other undid, until either changes the world', async () => {
    const { log, one, other } = await openTwo({ checkpointAfter: 2 })
    const key = worldKey('a')
    const post = (it: SharedSandbox, path: string, body?: object) =>
      it.call('POST', `/_sandbox/${path}`, body, key)
    const start = (await one.call('GET', '/_sandbox/journal', undefined, key)).body.next
    for (const n of [1, 2, 3]) await one.call('POST', PAYOUT, payout(n), key)
    const paid = async () =>
      (await one.call('GET', '/_sandbox/payouts?size=9', undefined, key)).body.items.length
    const all = await paid()
    expect((await post(other, 'undo')).status).toBe(200)
    expect((await post(one, 'undo', { to: start })).status).toBe(200)
    expect(await paid()).toBe(all - 3)
    log.outcomes.push('behind')
    expect((await post(other, 'redo')).body.left).toBe(2)
    expect(await paid()).toBe(all - 1)
    await post(one, 'undo')
    const later = await openOn(log)
    log.outcomes.push('failed')
    expect((await later.call('POST', PAYOUT, payout(4), key)).status).toBe(503)
    expect((await post(later, 'redo')).status).toBe(200)
    expect(await paid()).toBe(all - 1)
    await post(one, 'undo')
    await other.call('POST', PAYOUT, payout(4), key)
    expect((await post(one, 'redo')).status).toBe(409)
  })

  test('store each of many payouts that both get at once, once and in one order', async () => {
    const { one, other } = await openTwo({ checkpointAfter: 3 })
    const key = worldKey('a')
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1)
    const pay = (n: number) => (n % 2 ? one : other).call('POST', PAYOUT, payout(n), key)
    const answers = await Promise.all(numbers.map(pay))
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200))
    const journals = await Promise.all(
      [one, other].map((it) => it.call('GET', '/_sandbox/journal?size=100', undefined, key)),
    )
    expect(journals[1]?.text).toBe(journals[0]?.text)
    const made = journals[0]?.body.items.filter(
      (it: { command: string }) => it.command === 'payout.create',
    )
    expect(made).toHaveLength(12)
  })

  test('start from what the first one began', async () => {
    const log = new UnreliableLog({ isShared: true })
    // Each draws a seed of its own.
    const all = await Promise.all([1, 2, 3].map(() => openOn(log, {}, { seed: undefined })))
    expect(new Set(all.map(({ sandbox }) => sandbox.main.world.seed)).size).toBe(1)
    await all[2]?.call('POST', PAYOUT, payout(1))
    expect((await all[0]?.call('GET', '/_sandbox/payouts'))?.text).toContain(ownId(1))
  })

  test('end the streams of a world that the other deleted, and begin it again', async () => {
    const { one, other } = await openTwo()
    const key = worldKey('a')
    await one.call('POST', PAYOUT, payout(1), key)
    const stream = await one.fetch('/_sandbox/requests/stream', { headers: { 'x-api-key': key } })
    const events = new StreamReader(stream)
    expect((await other.call('DELETE', `/_sandbox/worlds/${worldId(key)}`)).status).toBe(200)
    one.timers.fire(200)
    expect(await events.event()).toMatchObject({ event: 'end' })
    expect((await one.call('GET', '/_sandbox/payouts', undefined, key)).text).not.toContain(
      ownId(1),
    )
  })

  test('keep a stream that begins a world when another request comes meanwhile', async () => {
    const { log, one } = await openTwo()
    const key = worldKey('a')
    let release = () => {}
    log.held = new Promise((resolve) => {
      release = resolve
    })
    const opening = one.fetch('/_sandbox/requests/stream', { headers: { 'x-api-key': key } })
    const reading = one.call('GET', '/_sandbox/payouts', undefined, key)
    await new Promise(setImmediate)
    release()
    const events = new StreamReader(await opening)
    await reading
    await one.call('POST', PAYOUT, payout(1), key)
    expect((await events.event())?.data).toContain(ownId(1))
  })

  test('show on a stream what the other did, within 200 ms', async () => {
    const { one, other } = await openTwo()
    const events = new StreamReader(await one.fetch('/console/live'))
    const seqOf = async () => JSON.parse((await events.event())?.data ?? '').seq
    const seq = await seqOf()
    for (const n of [1, 2]) {
      await other.call('POST', PAYOUT, payout(n))
      while (!one.timers.waits.includes(200)) await new Promise(setImmediate)
      one.timers.fire(200)
      expect(await seqOf()).toBe(seq + n)
      one.timers.fire(500)
    }
  })

  test('fire the timers of a running clock while a stream is open', async () => {
    const log = new UnreliableLog({ isShared: true })
    let machine_ms = Date.parse('2030-01-01T00:00:00.000Z')
    const options = { clock: 'real', machineClock: () => machine_ms } as const
    const [one, other] = [await openOn(log, options), await openOn(log, options)]
    const stream = new StreamReader(await one.fetch('/_sandbox/requests/stream'))
    await stream.block()
    await other.call('POST', '/_sandbox/transfers', transfer)
    machine_ms += 60_000
    one.timers.fire(200)
    const commands = () => one.sandbox.main.journal.all().map(({ command }) => command)
    await expect.poll(commands).toContain('transfer.move')
  })
})

const transfer = {
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '500.00',
}

describe('a write whose answer is lost', () => {
  test.each([
    ['answer lost', true],
    ['not stored', false],
  ] as const)(
    '(%s) is reported as not known, and the next look finds out',
    async (how, isThere) => {
      const { log, one } = await openTwo()
      await one.call('POST', PAYOUT, payout(1))
      log.outcomes.push(how)
      const answer = await one.call('POST', PAYOUT, payout(2))
      expect(answer.status).toBe(503)
      expect(answer.body.message).toMatch(/^It is not known whether the change was made/)
      expect((await one.call('GET', '/_sandbox/payouts')).text.includes(ownId(2))).toBe(isThere)
      expect((await one.call('POST', PAYOUT, payout(3))).status).toBe(200)
    },
  )

  test('(a reset) is reported as not known, and the next look finds out', async () => {
    const { log, one, other } = await openTwo()
    await one.call('POST', PAYOUT, payout(1))
    log.outcomes.push('answer lost')
    expect((await one.call('POST', '/_sandbox/reset')).status).toBe(503)
    const seen = await Promise.all([one, other].map((it) => it.call('GET', '/_sandbox/journal')))
    expect(seen[1]?.text).toBe(seen[0]?.text)
    expect(seen[0]?.text).toContain('before-reset')
  })

  test('of the first commit of a world is asked for again once it is settled', async () => {
    const { log, one, other } = await openTwo()
    const key = worldKey('a')
    let release = () => {}
    log.heldAnswers = new Promise((resolve) => {
      release = resolve
    })
    const { writes } = log
    const first = one.call('POST', PAYOUT, payout(1), key)
    while (log.writes === writes) await new Promise(setImmediate)
    log.heldAnswers = undefined
    expect((await other.call('POST', PAYOUT, payout(2), key)).status).toBe(200)
    const read = one.call('GET', '/_sandbox/payouts', undefined, key)
    await new Promise(setImmediate)
    release()
    expect((await first).status).toBe(200)
    expect((await read).text).toContain(ownId(2))
  })
})

describe('an attempt that others overtake', () => {
  test('is given up after 30, with 503', async () => {
    const log = new UnreliableLog({ isShared: true })
    const one = await openOn(log, { sleep: async () => {} })
    log.outcomes.push(...Array<'behind'>(30).fill('behind'))
    const answer = await one.call('POST', PAYOUT, payout(1))
    expect([answer.status, log.outcomes.length]).toEqual([503, 0])
    expect((await one.call('POST', PAYOUT, payout(1))).status).toBe(200)
  })

  test('waits once for the delay of a rule, and counts its firing once', async () => {
    const rule =
      'when: request, if: { operation: createPayout }, limit: 1, then: [{ delay_ms: 1000 }]'
    const scenarios = [scenarioFile('test', `  - { ${rule} }`)]
    const log = new UnreliableLog({ isShared: true })
    const slept: number[] = []
    const sleep = async (ms: number) => {
      slept.push(ms)
      // Another process changes the world meanwhile, and this one's command is overtaken once.
      await other.call('POST', '/_sandbox/transfers', transfer)
      log.outcomes.push('behind')
    }
    const one: SharedSandbox = await openOn(log, { scenarios, sleep })
    const other: SharedSandbox = await openOn(log, { scenarios })
    expect((await one.call('POST', PAYOUT, payout(1))).status).toBe(200)
    expect(slept).toEqual([1_000])
    const { body } = await one.call('GET', '/_sandbox/journal?size=100')
    const commands = body.items.map((it: { command: string }) => it.command)
    expect(commands.slice(-3)).toEqual(['rule.fire', 'transfer.start', 'payout.create'])
  })

  test('takes an armed move once', async () => {
    const { log, one, other } = await openTwo()
    const then = { move: 'PAYOUT_FAILED' }
    await one.call('POST', '/_sandbox/next', { operation: 'createPayout', times: 2, then })
    log.outcomes.push('behind', 'behind')
    expect((await other.call('POST', PAYOUT, payout(1))).body.status).toBe('PAYOUT_FAILED')
    const { items } = (await one.call('GET', '/_sandbox/next')).body
    expect(items).toMatchObject([{ left: 1 }])
    expect((await one.call('POST', PAYOUT, payout(2))).body.status).toBe('PAYOUT_FAILED')
    expect((await other.call('POST', PAYOUT, payout(3))).body.status).toBe('PAYOUT_PROCESSED')
  })

  test('follows no armed move that another request took first', async () => {
    const { log, one, other } = await openTwo()
    const then = { move: 'PAYOUT_FAILED' }
    await one.call('POST', '/_sandbox/next', { operation: 'createPayout', then })
    let release = () => {}
    log.held = new Promise((resolve) => {
      release = resolve
    })
    const { writes } = log
    const overtaken = one.call('POST', PAYOUT, payout(1))
    while (log.writes === writes) await new Promise(setImmediate)
    log.held = undefined
    expect((await other.call('POST', PAYOUT, payout(2))).body.status).toBe('PAYOUT_FAILED')
    release()
    expect((await overtaken).body.status).toBe('PAYOUT_PROCESSED')
  })

  test.each([
    ['/_sandbox/clock/advance', { by: '60s' }],
    ['/_sandbox/verify', { expect: [{ audit: 'clean' }], until: '60s' }],
  ])('moves time no further than one attempt (%s)', async (path, body) => {
    const { log, one, other } = await openTwo()
    await one.call('POST', '/_sandbox/transfers', transfer)
    const before = Date.parse((await one.call('GET', '/_sandbox/clock')).body.now)
    let release = () => {}
    log.held = new Promise((resolve) => {
      release = resolve
    })
    const { writes } = log
    const advanced = one.call('POST', path, body)
    while (log.writes === writes) await new Promise(setImmediate)
    log.held = undefined
    await other.call('POST', '/_sandbox/clock/advance', { by: '8s' })
    release()
    expect((await advanced).status).toBe(200)
    const { now } = (await other.call('GET', '/_sandbox/clock')).body
    expect(Date.parse(now)).toBe(before + 60_000)
  })
})

describe('a failed write of anything but commands', () => {
  test.each([
    ['POST', '/_sandbox/reset'],
    ['POST', '/_sandbox/undo'],
    ['POST', '/_sandbox/redo'],
    ['POST', '/_sandbox/snapshots/kept/restore'],
    ['DELETE', '/_sandbox/snapshots/kept'],
  ])('(%s %s) leaves the world as the log has it', async (method, path) => {
    for (const isShared of [false, true]) {
      const log = new UnreliableLog({ isShared })
      const { call } = await openOn(log)
      await call('POST', PAYOUT, payout(1))
      await call('POST', '/_sandbox/snapshots', { name: 'kept' })
      await call('POST', PAYOUT, payout(2))
      if (path.endsWith('redo')) await call('POST', '/_sandbox/undo')
      const look = () =>
        Promise.all(
          ['payouts', 'snapshots', 'journal?size=100', 'clock', 'requests'].map(
            async (name) => (await call('GET', `/_sandbox/${name}`)).text,
          ),
        )
      const before = await look()
      log.outcomes.push('failed')
      expect((await call(method, path)).status).toBe(503)
      expect(await look()).toEqual(before)
      expect((await call(method, path)).status).toBe(200)
    }
  })
})
