import { describe, expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { ownId } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { openPersistent, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

const isAnswered = ({ status }: { readonly status: number }) => expect(status).toBe(200)

describe('a journal that outgrows its snapshot', () => {
  test('is at most about twice as long as the snapshot, however many changes come', async () => {
    const disk = new MemoryDisk()
    const { sandbox, call } = await openPersistent(dataFile(), disk, { compactAt: 1_000 })
    const ratios: number[] = []
    for (let round = 0; round < 30; round++) {
      const some = Array.from({ length: 10 }, (_, i) => payout(round * 10 + i + 1))
      for (const it of await Promise.all(some.map((it) => call('POST', PAYOUT, it)))) isAnswered(it)
      ratios.push((sandbox.health().data?.journal_bytes ?? 0) / disk.text('state.json').length)
    }
    expect(disk.done.filter((it) => it === 'rename state.json').length).toBeGreaterThan(2)
    expect(Math.max(...ratios)).toBeLessThan(2.5)
  })

  test.each([
    ['written', 'write', 'state.json.new'],
    ['put in its place', 'rename', 'state.json'],
  ])('stays when the snapshot cannot be %s, and goes on', async (_what, failing, fileName) => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { sandbox, call, warnings } = await openPersistent(file, disk, { compactAt: 1_000 })
    disk.meanwhile = (operation, name) => {
      if (operation === failing && name === fileName) noSpace()
    }
    for (let n = 1; n <= 300; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
    expect(warnings.length).toBeGreaterThan(0)
    expect(warnings[0]).toMatch(
      /^state\.json: the journal could not be compacted: ENOSPC.*; it grows on$/,
    )
    expect(sandbox.health().data?.status).toBe('ok')
    const state = stateOf(sandbox.main)
    await sandbox.close()
    expect([...disk.files.keys()].filter((path) => path.endsWith('.new'))).toEqual([])
    expect(warnings.at(-1)).toMatch(/could not be compacted: .*; nothing is lost, it stays$/)
    disk.meanwhile = () => {}
    const again = await openPersistent(file, disk)
    expect(stateOf(again.sandbox.main)).toEqual(state)
  })

  test('contains no change that is rolled back at the same time', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { sandbox, call } = await openPersistent(file, disk, { compactAt: 1_000 })
    let isCompacting = false
    disk.meanwhile = (operation, name) => {
      if (operation === 'open') isCompacting = name === 'state.json.new'
      if (isCompacting && operation === 'flush' && name === 'state.json.journal') noSpace()
    }
    const answers = new Map<number, number>()
    for (let n = 1; n <= 160; n += 4) {
      const some = [n, n + 1, n + 2, n + 3]
      await Promise.all(
        some.map(async (it) => {
          answers.set(it, (await call('POST', PAYOUT, payout(it))).status)
        }),
      )
    }
    const refused = [...answers].filter(([, status]) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    const left = disk.copy()
    disk.meanwhile = () => {}
    await sandbox.close()
    for (const one of [left, disk]) {
      const again = await openPersistent(file, one)
      const { payouts } = again.sandbox.main.world.tables
      for (const [n, status] of answers) {
        expect(payouts.count('customer_id', ownId(n))).toBe(status === 200 ? 1 : 0)
      }
      await again.sandbox.close()
    }
  })
})

describe('a snapshot', () => {
  test('lists worlds, tables and records in a fixed order, one record per line', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const first = await openPersistent(file, disk, { seed: 'tests' })
    for (const n of [1, 2, 3]) await first.call('POST', PAYOUT, payout(n))
    await first.sandbox.close()
    const linesOf = () =>
      disk
        .text(file)
        .split('\n')
        .map((line) => line.replace(/,$/, ''))
    const before = linesOf()
    const second = await openPersistent(file, disk)
    await second.call('POST', PAYOUT, payout(4))
    await second.sandbox.close()
    const after = linesOf()
    const records = (lines: readonly string[]) => lines.filter((line) => /^ +\{"id"/.test(line))
    const added = after.filter((line) => !before.includes(line))
    const removed = before.filter((line) => !after.includes(line))
    // A payout and its money; of the rest only what counts lines and entries.
    expect(records(added)).toHaveLength(2)
    expect(records(removed)).toHaveLength(0)
    expect(removed.map((line) => line.split(':')[0]?.trim())).toEqual([
      '"log"',
      '"size"',
      '"crc"',
      '"seq"',
      '"count"',
      '"checksum"',
    ])
    const { payouts } = JSON.parse(disk.text(file)).worlds.default.tables
    const numbers = payouts.map(({ n }: { n: number }) => n)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b))
  })
})
