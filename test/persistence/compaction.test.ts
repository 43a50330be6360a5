import { describe, expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { ownId } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { openPersistent, retry, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

/** Long enough for the journal to outgrow the snapshot of the fixtures, more than once. */
const ROUNDS = 26
const AT_ONCE = 8

const isAnswered = ({ status }: { readonly status: number }) => expect(status).toBe(200)

describe('a journal that outgrows its snapshot', () => {
  test.each([
    ['', 0],
    [', or a new journal cannot take its place', 1],
  ])('is compacted, and loses no change wherever a crash comes%s', async (_what, failures) => {
    let failing = failures
    const file = dataFile()
    const disk = new MemoryDisk()
    const answered = new Set<string>()
    const crashes: { readonly at: string; readonly disk: MemoryDisk; readonly due: string[] }[] = []
    const { sandbox, call } = await openPersistent(file, disk, { compactAt: 1_000 })
    let isCompacting = false
    disk.meanwhile = (operation, name) => {
      if (operation === 'open') isCompacting = true
      if (isCompacting)
        crashes.push({ at: `${operation} ${name}`, disk: disk.copy(), due: [...answered] })
      if (operation !== 'rename' || name !== 'state.json.journal') return
      if (failing > 0) {
        failing--
        noSpace()
      }
      isCompacting = false
    }
    for (let round = 0; round < ROUNDS; round++) {
      const some = Array.from({ length: AT_ONCE }, (_, i) => round * AT_ONCE + i + 1)
      const answers = some.map(async (n) => {
        isAnswered(await call('POST', PAYOUT, payout(n)))
        answered.add(ownId(n))
      })
      await Promise.all(answers)
    }
    const state = stateOf(sandbox.main)
    expect(failing).toBe(0)
    await sandbox.close()
    expect(disk.done.filter((it) => it === 'rename state.json').length).toBeGreaterThan(2)
    expect([...disk.files.keys()].filter((path) => path.endsWith('.new'))).toEqual([])
    for (const crash of [...crashes, { at: 'the end', disk, due: [...answered] }]) {
      const again = await openPersistent(file, crash.disk)
      const { payouts } = again.sandbox.main.world.tables
      const lost = crash.due.filter((id) => payouts.count('customer_id', id) !== 1)
      expect(lost, crash.at).toEqual([])
      if (crash.at === 'the end') expect(stateOf(again.sandbox.main)).toEqual(state)
      await again.sandbox.close()
    }
  })

  test('may be compacted during a check of the files', async () => {
    const disk = new MemoryDisk()
    const opened = await openPersistent(dataFile(), disk, { compactAt: 1_000 })
    const { call, warnings, timers } = opened
    isAnswered(await call('POST', PAYOUT, payout(1)))
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    disk.meanwhile = (operation, name) =>
      operation === 'peek' && name === 'state.json.journal' ? held : undefined
    const looked = retry({ timers })
    const compactions = () => disk.done.filter((it) => it === 'rename state.json.journal').length
    const before = compactions()
    for (let n = 2; compactions() === before; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
    goOn()
    await looked
    isAnswered(await call('POST', PAYOUT, payout(1_000)))
    await opened.sandbox.close()
    expect(warnings).toEqual([])
    expect(disk.handles).toBe(0)
  })

  test('is not taken for files that somebody has replaced', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { call, warnings, timers } = await openPersistent(file, disk, { compactAt: 1_000 })
    let looks = 0
    let isLooking = false
    disk.meanwhile = async (operation) => {
      if (operation !== 'settle' || !timers.waits.includes(1_000)) return
      looks++
      isLooking = true
      await retry({ timers })
      isLooking = false
    }
    for (let n = 1; n <= 300; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
    // One that is under way needs a store that is open.
    disk.meanwhile = () => {}
    while (isLooking) await new Promise(setImmediate)
    expect(looks).toBeGreaterThan(1)
    expect(warnings).toEqual([])
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

  test('continues its old snapshot, whatever becomes of the next compaction', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { sandbox, call, warnings } = await openPersistent(file, disk, { compactAt: 1_000 })
    disk.meanwhile = (operation, name) => {
      if (operation === 'rename' && name === 'state.json.journal') {
        disk.meanwhile = (other) => (other === 'open' ? noSpace() : undefined)
        noSpace()
      }
    }
    for (let n = 1; warnings.length < 2; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
    disk.meanwhile = () => {}
    const state = stateOf(sandbox.main)
    const left = disk.copy()
    await sandbox.close()
    expect([...disk.files.keys()].filter((path) => path.endsWith('.new'))).toEqual([])
    for (const found of [left, disk]) {
      const again = await openPersistent(file, found)
      expect(stateOf(again.sandbox.main)).toEqual(state)
      await again.sandbox.close()
    }
  })

  test.each(['state.json', 'state.json.journal'])(
    'loses nothing when %s is in its place and only its folder could not be flushed',
    async (fileName) => {
      const file = dataFile()
      const disk = new MemoryDisk()
      const { sandbox, call, warnings } = await openPersistent(file, disk, { compactAt: 1_000 })
      let isRenamed = false
      disk.meanwhile = (operation, name) => {
        if (operation === 'rename') isRenamed = name === fileName
        if (operation === 'settle' && isRenamed) noSpace()
      }
      let n = 0
      while (warnings.length === 0) isAnswered(await call('POST', PAYOUT, payout(++n)))
      for (let more = 0; more < 5; more++) isAnswered(await call('POST', PAYOUT, payout(++n)))
      const state = stateOf(sandbox.main)
      const elsewhere = dataFile()
      const crashed = await openPersistent(elsewhere, disk.copy())
      expect(stateOf(crashed.sandbox.main)).toEqual(state)
      await sandbox.close()
      disk.meanwhile = () => {}
      expect(stateOf((await openPersistent(file, disk)).sandbox.main)).toEqual(state)
    },
  )

  test.each(['write', 'open', 'flush', 'rename', 'settle'] as const)(
    'that a crash broke off between its files is read after a start that failed at %s',
    async (failing) => {
      const file = dataFile()
      const disk = new MemoryDisk()
      const { sandbox, call } = await openPersistent(file, disk, { compactAt: 1_000 })
      let left: MemoryDisk | undefined
      disk.meanwhile = (operation, name) => {
        if (operation === 'rename' && name === 'state.json.journal') left ??= disk.copy()
      }
      for (let n = 1; !left; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
      await sandbox.close()
      left.meanwhile = (operation) => {
        if (operation === failing) noSpace()
      }
      await expect(openPersistent(file, left)).rejects.toThrow('no room is left there')
      const elsewhere = dataFile()
      const again = await openPersistent(elsewhere, left.copy())
      expect(again.sandbox.main.world.tables.payouts.first('customer_id', ownId(1))).toBeDefined()
    },
  )

  test.each([
    ['write', 'state.json.journal.new'],
    ['flush', 'state.json.journal.new'],
    ['rename', 'state.json.journal'],
  ])('leaves no file open when it breaks off (%s %s)', async (failing, fileName) => {
    const disk = new MemoryDisk()
    const { sandbox, call, warnings } = await openPersistent(dataFile(), disk, { compactAt: 1_000 })
    disk.meanwhile = (operation, name) => {
      if (operation === failing && name === fileName) noSpace()
    }
    for (let n = 1; warnings.length < 1; n++) isAnswered(await call('POST', PAYOUT, payout(n)))
    await sandbox.close()
    expect(disk.handles).toBe(0)
  })

  test('is the only compaction while the sandbox runs', async () => {
    const disk = new MemoryDisk()
    const { call } = await openPersistent(dataFile(), disk, { compactAt: 1 })
    disk.done.length = 0
    for (const n of [1, 2, 3]) isAnswered(await call('POST', PAYOUT, payout(n)))
    expect(disk.done).not.toContain('open state.json.new')
  })

  test('contains no change that is rolled back at the same time', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { sandbox, call } = await openPersistent(file, disk, { compactAt: 1_000 })
    let isCompacting = false
    disk.meanwhile = (operation, name) => {
      if (operation === 'open') isCompacting = true
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
      '"id"',
      '"previous"',
      '"seq"',
      '"count"',
    ])
    const { payouts } = JSON.parse(disk.text(file)).worlds.default.tables
    const numbers = payouts.map(({ n }: { n: number }) => n)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b))
  })
})
