import { expect, onTestFinished, test, vi } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { accounts, BEGINNING, users } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { openPersistent, retry, stateOf } from '../support/persistent-sandbox.js'
import { worldKey } from '../support/worlds.js'

const ADVANCE = '/_sandbox/clock/advance'
const TRANSFERS = 100
const FIRINGS = 4 * TRANSFERS
const END = new Date(Date.parse(BEGINNING) + 3_600_000).toISOString()

/** A stored world with 400 firings ahead; slices are a firing long, whatever the machine's speed. */
const openLong = async (options: Parameters<typeof openPersistent>[2] = {}) => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const opened = await openPersistent(file, disk, options)
  const { main } = opened.sandbox
  for (let n = 0; n < TRANSFERS; n++) {
    const input = { user_id: users.ada, account_id: accounts.adaEur, source_currency: 'USD' }
    main.world.run('transfer.start', { ...input, source_amount: '500.00' }, { kind: 'library' })
  }
  await opened.sandbox.flushed()
  let ms = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => ms++)
  onTestFinished(() => now.mockRestore())
  /** Calls back at the flush of each batch of entries, with its number. */
  const onFlush = (each: (n: number) => void) => {
    let n = 0
    disk.meanwhile = (operation, name) => {
      if (operation === 'flush' && name === 'state.json.journal') each(++n)
    }
  }
  const advance = () => opened.call('POST', ADVANCE, { by: '1h' })
  const timeOf = async () => (await opened.call('GET', '/_sandbox/clock')).body.now as string
  return { ...opened, main, file, disk, onFlush, advance, timeOf }
}

test('with data, a long advance serves other worlds between slices and keeps its own world waiting', async () => {
  const { call, advance, main } = await openLong()
  await call('GET', '/_sandbox/clock', undefined, worldKey('other'))
  const order: string[] = []
  const note = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const it = await answer
    order.push(name)
    return it
  }
  const underWay = note('advance', advance())
  await call('GET', '/_sandbox/health')
  const [advanced, other, own] = await Promise.all([
    underWay,
    note('other world', call('GET', '/_sandbox/clock', undefined, worldKey('other'))),
    note('own world', call('GET', '/_sandbox/clock')),
  ])
  expect(order[0]).toBe('other world')
  expect(advanced.body).toMatchObject({ now: END, count: FIRINGS })
  expect(other.body.now).toBe(BEGINNING)
  expect(own.body.now).toBe(END)
  const { undone } = (await call('POST', '/_sandbox/undo')).body
  expect(undone.operation).toBe('advanceClock')
  expect(main.world.now).toBe(Date.parse(BEGINNING))
})

test('a long advance that the disk refuses halfway returns 503 with the instant at which the clock stopped', async () => {
  const { advance, call, disk, main, onFlush, sandbox, timeOf, timers } = await openLong()
  onFlush((n) => n > 3 && noSpace())
  const refused = await advance()
  expect(refused.status).toBe(503)
  const stopped = await timeOf()
  expect(stopped > BEGINNING && stopped < END).toBe(true)
  expect(refused.body.message).toBe(
    `the clock stopped at ${stopped}: state.json cannot be written ` +
      '(ENOSPC: no space left on device, write). Retry when it can.',
  )
  const kept = await openPersistent(dataFile(), disk.copy())
  expect(stateOf(kept.sandbox.main)).toEqual(stateOf(main))
  onFlush(() => {})
  await retry({ sandbox, timers })
  expect((await call('POST', ADVANCE, { to: END })).status).toBe(200)
  expect((await call('GET', '/_sandbox/clock')).body).toMatchObject({ now: END, pending: 0 })
  expect((await call('GET', '/_sandbox/audit')).body.violations).toEqual([])
  for (const now of [stopped, BEGINNING]) {
    await call('POST', '/_sandbox/undo')
    expect(await timeOf()).toBe(now)
  }
})

test('a running clock goes on after the disk has refused half of a long advance', async () => {
  let machine = Date.parse('2026-06-15T12:00:00.000Z')
  const options = { clock: 'real', machineClock: () => machine } as const
  const { advance, onFlush, sandbox, timeOf, timers } = await openLong(options)
  onFlush((n) => n > 3 && noSpace())
  expect((await advance()).status).toBe(503)
  const stopped = Date.parse(await timeOf())
  onFlush(() => {})
  await retry({ sandbox, timers })
  machine += 500
  expect(Date.parse(await timeOf())).toBe(stopped + 500)
})

test('a sandbox closed during a long advance keeps what the advance did until then', async () => {
  const { advance, disk, file, main, onFlush, sandbox } = await openLong()
  let closing: Promise<void> | undefined
  onFlush((n) => {
    if (n === 3) closing = sandbox.close()
  })
  const refused = await advance()
  await closing
  expect(refused.status).toBe(503)
  expect(refused.body.message).toBe('The sandbox is closed.')
  expect(main.world.now).toBeLessThan(Date.parse(END))
  const again = await openPersistent(file, disk)
  expect(stateOf(again.sandbox.main)).toEqual(stateOf(main))
})
