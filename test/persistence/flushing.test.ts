import { describe, expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { keys, ownId } from '../support/fixture-ids.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { StreamReader } from '../support/stream-reader.js'
import { worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'

/** A sandbox whose disk flushes the journal only when the test lets it. */
const openSlow = async () => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const opened = await openPersistent(file, disk)
  const held: (() => void)[] = []
  let isSlow = true
  disk.done.length = 0
  disk.meanwhile = (operation, name) =>
    isSlow && operation === 'flush' && name === 'state.json.journal'
      ? new Promise<void>((resolve) => held.push(resolve))
      : undefined
  /** Lets one flush come to its end, once it has begun. */
  const flush = async () => {
    while (held.length === 0) await turn()
    held.shift()?.()
    await turn()
  }
  const letGo = () => {
    isSlow = false
    for (const resolve of held.splice(0)) resolve()
  }
  return { ...opened, file, disk, held, flush, letGo }
}

const turn = () => new Promise(setImmediate)

/** Whether a promise has come to its end by now. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  for (let i = 0; i < 5; i++) await turn()
  return settled
}

const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

describe('an answer', () => {
  test('waits, a read’s too, until what it may have seen is flushed, and no longer', async () => {
    const { call, flush, letGo } = await openSlow()
    const change = call('POST', PAYOUT, payout(1))
    const read = call('GET', '/_sandbox/payouts')
    expect(await isSettled(read)).toBe(false)
    await flush()
    const { body } = await read
    expect(body.items[0].customer_payout_id).toBe(ownId(1))
    await change
    // Nothing is on its way, so that nothing is waited for.
    expect((await call('GET', '/_sandbox/payouts')).status).toBe(200)
    letGo()
  })

  test('does not wait for another world', async () => {
    const { call, flush, letGo } = await openSlow()
    const read = () => call('GET', '/onboarding/api/v1/users/all', undefined, worldKey('other'))
    const opened = read()
    await flush()
    await opened
    const change = call('POST', PAYOUT, payout(1))
    expect((await read()).status).toBe(200)
    expect(await isSettled(change)).toBe(false)
    await flush()
    expect((await change).status).toBe(200)
    letGo()
  })

  test('of the control API waits for its own world, and for all if it lists them', async () => {
    const { call, flush, letGo } = await openSlow()
    const opened = call('GET', '/_sandbox/clock', undefined, worldKey('other'))
    await flush()
    await opened
    const change = call('POST', PAYOUT, payout(1))
    const clock = call('GET', '/_sandbox/clock', undefined, worldKey('other'))
    expect((await clock).status).toBe(200)
    const list = call('GET', '/_sandbox/worlds')
    expect(await isSettled(list)).toBe(false)
    await flush()
    expect((await list).status).toBe(200)
    expect((await change).status).toBe(200)
    letGo()
  })

  test('waits when it is an error, which is in the journal, too', async () => {
    const { call, flush, letGo } = await openSlow()
    const refused = call('POST', PAYOUT, { ...payout(1), amount: '99999999.00' })
    expect(await isSettled(refused)).toBe(false)
    await flush()
    expect((await refused).status).toBe(400)
    letGo()
  })

  test('of a stream shows a request only once it is flushed', async () => {
    const { call, fetch, flush, letGo } = await openSlow()
    const watch = new StreamReader(
      await fetch('/_sandbox/requests/stream', { headers: { 'x-api-key': keys.full } }),
    )
    const answer = call('POST', PAYOUT, payout(1))
    const event = watch.event()
    expect(await isSettled(event)).toBe(false)
    await flush()
    expect(JSON.parse((await event)?.data ?? '').operation).toBe('createPayout')
    await answer
    letGo()
  })
})

describe('flushed()', () => {
  test('resolves for a program once its own commands survive a crash', async () => {
    const { sandbox, flush, letGo } = await openSlow()
    expect(sandbox.flushed()).toBeUndefined()
    sandbox.main.world.run('payout.create', payout(1), { kind: 'library' })
    const flushed = sandbox.flushed() ?? Promise.resolve()
    expect(await isSettled(flushed)).toBe(false)
    await flush()
    await flushed
    letGo()
  })
})
