import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/runtime/sandbox.js'
import { dataFile } from '../support/data-folder.js'
import { keys, ownId } from '../support/fixture-ids.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openCore } from '../support/open-sandbox.js'
import { openPersistent, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

interface Opened {
  readonly core: Sandbox
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
}

const PAYOUT = '/payment/api/v1/payout'
/** A request in process is answered, or waits for the disk, within so many turns. */
const MOST_TURNS = 60
const cause = () => ({ kind: 'library' }) as const

const REPLACEMENTS = {
  reset: ({ main }: Sandbox) => main.reset(cause()),
  restore: ({ main }: Sandbox) => main.rewind.restore(main.rewind.findSnapshot('kept'), cause()),
  undo: ({ main }: Sandbox) => main.rewind.undo(cause()),
}
type Replacement = keyof typeof REPLACEMENTS

/** Pays with a body of two chunks, and replaces the world after so many turns of the microtask queue. */
const payAround = async ({ core, fetch }: Opened, replacement: Replacement, turns: number) => {
  const { main } = core
  main.rewind.takeSnapshot('kept', cause())
  main.reset(cause())
  const json = JSON.stringify({ ...payoutRequest(), customer_payout_id: ownId(turns) })
  const body = new ReadableStream({
    start: async (stream) => {
      stream.enqueue(Buffer.from(json.slice(0, 50)))
      await null
      stream.enqueue(Buffer.from(json.slice(50)))
      stream.close()
    },
  })
  const headers = { 'content-type': 'application/json', 'x-api-key': keys.full }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const before = main.journal.newest
  const sent = fetch(PAYOUT, init)
  for (let turn = 0; turn < turns; turn++) await null
  const isPaid = () =>
    main.world.tables.payouts.all().some((it) => it.customer_payout_id === ownId(turns))
  const isPaidBefore = isPaid()
  REPLACEMENTS[replacement](core)
  expect((await sent).status).toBe(200)
  expect(isPaid()).toBe(!isPaidBefore)
  const numbers = main.journal.newestAfter(before, 100).map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.map((_, i) => before + 1 + i))
  return isPaidBefore
}

const payAtAllTimes = async (opened: Opened, replacement: Replacement) => {
  const orders = new Set<boolean>()
  for (let turns = 0; turns < MOST_TURNS; turns++)
    orders.add(await payAround(opened, replacement, turns))
  expect([...orders]).toEqual([false, true])
}

describe.each(Object.keys(REPLACEMENTS) as Replacement[])('a payout around a %s', (replacement) => {
  test('is made in one world, whatever the timing', async () => {
    const { sandbox: core, carry: fetch } = await openCore()
    await payAtAllTimes({ core, fetch }, replacement)
  })

  test('is stored as it was made, whatever the timing', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { sandbox, fetch } = await openPersistent(file, disk)
    await payAtAllTimes({ core: sandbox, fetch }, replacement)
    const before = stateOf(sandbox.main)
    await sandbox.close()
    const { main } = (await openPersistent(file, disk)).sandbox
    expect(stateOf(main)).toEqual(before)
  })
})
