import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { accounts, ownId, users } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { openPersistent, retry, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'
import { worldId, worldKey } from '../support/worlds.js'
import { snapshotOf } from './failed-start.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })
const byLibrary = () => ({ kind: 'library' }) as const
const transferRequest = () => ({
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '500.00',
})

const failure = (code: string) => () => {
  throw Object.assign(new Error(`${code}: it went wrong, write`), { code })
}

/** A sandbox on a disk that can be made to fail at one kind of operation on the journal. */
const openFragile = async (options: Parameters<typeof openPersistent>[2] = {}) => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const opened = await openPersistent(file, disk, options)
  const fail = (operation: 'write' | 'flush', how: () => never = noSpace) => {
    disk.meanwhile = (done, name) => {
      if (done === operation && name === 'state.json.journal') how()
    }
  }
  const heal = () => {
    disk.meanwhile = () => {}
  }
  const listed = async () =>
    (await opened.call('GET', '/_sandbox/payouts')).body.items.map(
      (it: { customer_payout_id: string }) => it.customer_payout_id,
    ) as string[]
  const journal = () => disk.logs.map((name) => disk.text(name)).join('')
  return { ...opened, file, disk, fail, heal, listed, journal, mend: () => retry(opened) }
}

describe('a write that fails', () => {
  test.each([
    ['write', 'ENOSPC'],
    ['write', 'EIO'],
    ['flush', 'EIO'],
    ['flush', 'EROFS'],
  ] as const)('(%s, %s) undoes what was not flushed, and says so', async (operation, code) => {
    const { call, fail, listed, sandbox, journal, warnings } = await openFragile()
    await call('POST', PAYOUT, payout(1))
    const before = stateOf(sandbox.main)
    const stored = journal()
    fail(operation, failure(code))
    const [change, read] = await Promise.all([call('POST', PAYOUT, payout(2)), listed()])
    expect(change.status).toBe(503)
    expect(change.headers.get('retry-after')).toBe('1')
    expect(change.body).toMatchObject({ code: '5030', httpMethod: 'POST', path: PAYOUT })
    expect(change.body.message).toContain(`state.json cannot be written (${code}: it went wrong`)
    expect(read).not.toContain(ownId(2))
    expect(stateOf(sandbox.main)).toEqual(before)
    expect(journal()).toBe(stored)
    expect(warnings).toEqual([
      `state.json: it cannot be written: ${code}: it went wrong, write; changes are refused until it can, reads go on`,
    ])
  })

  test.each([
    ['opened by its key', (key: string) => ['GET', '/_sandbox/clock', undefined, key]],
    ['made', () => ['POST', '/_sandbox/worlds', {}]],
    ['forked', () => ['POST', '/_sandbox/snapshots/before/fork']],
  ] as const)('leaves nothing of a world that was to be %s', async (_, open) => {
    const { call, fail, heal, sandbox, disk, file, mend } = await openFragile()
    await call('POST', '/_sandbox/snapshots', { name: 'before' })
    fail('write')
    const keys = ['a', 'b', 'c'].map(worldKey)
    const calls = keys.map((key) => call(...(open(key) as Parameters<typeof call>)))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([503, 503, 503])
    heal()
    await mend()
    expect((await call('POST', PAYOUT, payout(1))).status).toBe(200)
    await sandbox.close()
    expect(Object.keys(JSON.parse(disk.text(file)).worlds)).toEqual(['default'])
    const again = await openPersistent(file, disk)
    expect((await again.call('GET', '/_sandbox/worlds')).body.items).toHaveLength(1)
  })

  test('leaves nothing to undo of an advance of more steps than are kept one by one', async () => {
    const { call, fail, heal, sandbox, mend } = await openFragile()
    for (let n = 0; n < 300; n++)
      sandbox.main.world.run('transfer.start', transferRequest(), byLibrary())
    await sandbox.flushed()
    const { size } = sandbox.main.history
    fail('write')
    expect((await call('POST', '/_sandbox/clock/advance', { by: '1h' })).status).toBe(503)
    expect(sandbox.main.history.size).toBe(size)
    heal()
    await mend()
    const undone = await call('POST', '/_sandbox/undo')
    expect(undone.body.undone).toEqual({ kind: 'library' })
  })

  test('undoes no world that was not in it', async () => {
    const { call, disk, sandbox } = await openFragile()
    const keys = ['a', 'b'].map(worldKey)
    for (const key of keys) await call('GET', '/_sandbox/clock', undefined, key)
    const size = (key = '') => sandbox.worlds.find(worldId(key))?.world.tables.payouts.size
    const writing = new Promise<() => void>((begun) => {
      disk.meanwhile = (done, name) =>
        done === 'flush' && name === 'state.json.journal'
          ? new Promise((_, reject) => begun(() => reject(new Error('EIO: it went wrong, write'))))
          : undefined
    })
    const lost = call('POST', PAYOUT, payout(1), keys[0])
    const failWrite = await writing
    const before = size(keys[1])
    const read = await call('GET', '/onboarding/api/v1/users/all', undefined, keys[1])
    expect([read.status, sandbox.isReadOnly]).toEqual([200, false])
    disk.meanwhile = () => {}
    failWrite()
    expect((await lost).status).toBe(503)
    expect([size(keys[0]), size(keys[1])]).toEqual([3, before])
  })

  test('shows in the health check, and changes are refused before they run', async () => {
    const { call, fail, sandbox, disk } = await openFragile()
    fail('write')
    await call('POST', PAYOUT, payout(1))
    const { body } = await call('GET', '/_sandbox/health')
    expect(body.data).toMatchObject({ status: 'failing', error: expect.stringContaining('ENOSPC') })
    const { seq } = sandbox.main.world
    disk.done.length = 0
    for (const [path, given] of [
      [PAYOUT, payout(2)],
      ['/_sandbox/transfers', transferRequest()],
      ['/_sandbox/clock/advance', { by: '1s' }],
      ['/_sandbox/reset', undefined],
      ['/_sandbox/snapshots', { name: 'a' }],
    ] as const) {
      const answer = await call('POST', path, given)
      if (answer.status !== 404) expect(answer.status, path).toBe(503)
    }
    expect(sandbox.main.world.seq).toBe(seq)
    expect(disk.done).toEqual([])
    expect((await call('GET', '/_sandbox/payouts')).status).toBe(200)
    expect(sandbox.main.history.size).toBe(0)
  })

  test('refuses a read that would open a world, with a message about the world', async () => {
    const { call, fail, sandbox } = await openFragile()
    const read = () => call('GET', '/onboarding/api/v1/users/all', undefined, worldKey('new'))
    fail('write')
    for (const _ of ['with the failure', 'behind it']) {
      const { status, body } = await read()
      expect({ status, code: body.code }).toEqual({ status: 503, code: '5030' })
      expect(body.message).toMatch(
        /^the world was not opened: state\.json cannot be written \(ENOSPC.*\)\. Retry when it can\.$/,
      )
    }
    expect(sandbox.worlds.size).toBe(1)
    expect((await call('POST', PAYOUT, payout(1))).body.message).toMatch(
      /^the change was not made: /,
    )
  })

  test('asks no rules on requests until it is over: what they count could not be kept', async () => {
    const rule =
      'when: request, if: { operation: listUsers }, limit: 1, then: [{ respond: { status: 502 } }]'
    const scenarios = [scenarioFile('test', `  - { ${rule} }`)]
    const { call, fail, heal, mend } = await openFragile({ scenarios })
    const read = async () => (await call('GET', '/onboarding/api/v1/users/all')).status
    fail('write')
    await call('POST', PAYOUT, payout(1))
    expect(await read()).toBe(200)
    heal()
    await mend()
    expect([await read(), await read()]).toEqual([502, 200])
  })

  test('keeps the request log and its counts when a reset could not be kept', async () => {
    const { call, fail } = await openFragile()
    await call('POST', PAYOUT, payout(1))
    const warnings = async () => [
      (await call('GET', '/_sandbox/requests')).body,
      (await call('GET', '/_sandbox/assumptions?relied=true')).body,
    ]
    const before = await warnings()
    expect(before.map(({ items }) => items.length > 0)).toEqual([true, true])
    fail('write')
    expect((await call('POST', '/_sandbox/reset')).status).toBe(503)
    expect(await warnings()).toEqual(before)
  })

  test('is over when there is room again: changes go on, nothing of it is anywhere', async () => {
    const { call, fail, heal, listed, sandbox, disk, file, warnings, journal, mend } =
      await openFragile()
    await call('POST', PAYOUT, payout(1))
    fail('write')
    expect((await call('POST', PAYOUT, payout(2))).status).toBe(503)
    await mend()
    expect((await call('POST', PAYOUT, payout(2))).status).toBe(503)
    heal()
    await mend()
    expect(warnings.slice(1)).toEqual(['state.json: it can be written again; changes go on'])
    expect((await call('GET', '/_sandbox/health')).body.data).toMatchObject({
      status: 'ok',
      error: null,
    })
    expect((await call('POST', PAYOUT, payout(3))).status).toBe(200)
    expect(await listed()).not.toContain(ownId(2))
    const commands = sandbox.main.journal.all().map(({ input }) => JSON.stringify(input))
    expect(commands.some((input) => input.includes(ownId(2)))).toBe(false)
    expect(journal()).not.toContain(ownId(2))
    const state = stateOf(sandbox.main)
    const left = disk.copy()
    await sandbox.close()
    expect(disk.text(file)).not.toContain(ownId(2))
    const again = await openPersistent(file, left)
    expect(again.warnings).toEqual([])
    expect(stateOf(again.sandbox.main)).toEqual(state)
  })

  test('lets timers wait, which fire with their own time when it is over', async () => {
    let machine_ms = Date.parse('2030-01-01T00:00:00.000Z')
    const options = { clock: 'real', machineClock: () => machine_ms }
    const { call, fail, heal, mend } = await openFragile(options)
    const { body } = await call('POST', '/_sandbox/transfers', transferRequest())
    fail('flush')
    machine_ms += 2_000
    const path = `/_sandbox/transfers/${body.id}`
    expect((await call('GET', path)).body.status).toBe('PENDING')
    machine_ms += 60_000
    expect((await call('GET', path)).body.status).toBe('PENDING')
    heal()
    await mend()
    expect((await call('GET', path)).body).toMatchObject({
      status: 'PAYMENT_PROCESSED',
      reached: { FUNDS_RECEIVED: '2030-01-01T00:00:02.000Z' },
    })
  })

  test.each(['/_sandbox/requests/stream', '/console/live'])(
    'leaves no stream open that was to begin (%s)',
    async (path) => {
      const { call, fetch, disk, sandbox } = await openFragile()
      let breakOff: ((error: Error) => void) | undefined
      disk.meanwhile = (done, name) =>
        done === 'flush' && name === 'state.json.journal'
          ? new Promise<void>((_, reject) => {
              breakOff = reject
            })
          : undefined
      const change = call('POST', PAYOUT, payout(1))
      const stream = fetch(path)
      await vi.waitUntil(() => sandbox.worlds.streams === 1 && breakOff, { timeout: 60_000 })
      disk.meanwhile = () => {}
      breakOff?.(new Error('EIO: it went wrong'))
      expect((await change).status).toBe(503)
      await (await stream).body?.cancel()
      expect(sandbox.worlds.streams).toBe(0)
    },
  )

  test('takes back whatever there is to be done to a world', async () => {
    const acts = [
      'credit',
      'payout',
      'advance',
      'reset',
      'take',
      'drop',
      'restore',
      'undo',
    ] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...acts), { maxLength: 8 }),
        fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 8 }),
        async (first, then) => {
          const { sandbox, fail, heal, mend } = await openFragile()
          const { main } = sandbox
          let n = 0
          const play = (act: (typeof acts)[number]) => {
            const { world } = main
            const cause = byLibrary()
            const snapshot = main.rewind.snapshot('s')
            if (act === 'payout') world.run('payout.create', payout(++n), cause)
            else if (act === 'advance') main.advance(world.now + 1_000, cause)
            else if (act === 'reset') main.reset(cause)
            else if (act === 'take') main.rewind.takeSnapshot('s', cause)
            else if (act === 'drop' && snapshot) main.rewind.dropSnapshot('s', cause)
            else if (act === 'restore' && snapshot) main.rewind.restore(snapshot, cause)
            else if (act === 'undo') main.rewind.undo(cause)
            else {
              const input = { user_id: users.ada, currency: 'NGN', amount: '5.00' }
              world.run('balance.credit', input, cause)
            }
          }
          for (const act of first) play(act)
          await sandbox.flushed()
          const before = stateOf(main)
          fail('flush')
          for (const act of then) play(act)
          await sandbox.flushed()?.catch(() => {})
          expect(stateOf(main)).toEqual(before)
          heal()
          await mend()
          play('credit')
          await sandbox.flushed()
          await sandbox.close()
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('files that somebody else removes, replaces or cuts off', () => {
  test.each<[string, (disk: MemoryDisk) => void]>([
    ['removed', (disk) => disk.files.delete('state.json.journal.1')],
    ['replaced', (disk) => disk.put('state.json.journal.1', disk.text('state.json.journal.1'))],
    ['cut off', (disk) => disk.apply({ is: 'cut', inode: inodeOf(disk), size: 10 })],
  ])('end all writing until a restart: a journal that is %s', async (_how, harm) => {
    const { call, disk, sandbox, warnings, mend } = await openFragile()
    await call('POST', PAYOUT, payout(1))
    harm(disk)
    const left = snapshotOf(disk)
    expect((await call('POST', PAYOUT, payout(2))).status).toBe(503)
    await mend()
    expect((await call('POST', PAYOUT, payout(2))).body.message).toMatch(
      /^the change was not made: state\.json cannot be written \(.*was removed, replaced or written by somebody else/,
    )
    expect((await call('GET', '/_sandbox/payouts')).status).toBe(200)
    await sandbox.close()
    expect(warnings).toHaveLength(2)
    expect(snapshotOf(disk)).toEqual(left)
  })

  test('do no harm if only the snapshot is gone: a close writes it again', async () => {
    const { call, disk, file, sandbox } = await openFragile()
    await call('POST', PAYOUT, payout(1))
    disk.files.delete('state.json')
    const state = stateOf(sandbox.main)
    await sandbox.close()
    const again = await openPersistent(file, disk)
    expect(stateOf(again.sandbox.main)).toEqual(state)
  })
})

const inodeOf = (disk: MemoryDisk) => disk.files.get('state.json.journal.1')?.identity ?? ''

describe('a close', () => {
  /** A sandbox whose journal is empty. */
  const openFolded = async () => {
    const { file, disk, sandbox, journal } = await openFragile()
    await sandbox.close()
    return { ...(await openPersistent(file, disk)), file, disk, journal }
  }
  const failAt =
    (...operations: readonly string[]) =>
    (operation: string, name: string) => {
      if (name === 'state.json.journal' && operations.includes(operation)) noSpace()
    }

  test.each([
    ['', []],
    [', which cannot be cut off still', ['cut']],
  ])('keeps what was refused and could not be cut off out of all files%s', async (_, failing) => {
    const { call, disk, file, sandbox, journal } = await openFolded()
    disk.meanwhile = failAt('flush', 'cut')
    expect((await call('POST', PAYOUT, payout(1))).status).toBe(503)
    expect(journal()).toContain(ownId(1))
    disk.meanwhile = failAt(...failing)
    await sandbox.close()
    expect(journal()).not.toContain(ownId(1))
    expect(disk.text(file)).not.toContain(ownId(1))
  })

  test('reports it when neither is possible', async () => {
    const { call, disk, sandbox, warnings } = await openFolded()
    disk.meanwhile = failAt('flush', 'cut')
    expect((await call('POST', PAYOUT, payout(1))).status).toBe(503)
    disk.meanwhile = (operation) => {
      if (operation === 'cut' || operation === 'write') noSpace()
    }
    await sandbox.close()
    expect(warnings.at(-1)).toMatch(
      /could not be compacted: .*; nothing is lost, it stays, and so may what was answered with 503: it could not be cut off$/,
    )
  })

  test('waits for a trial whether the journal can be written again', async () => {
    const { call, disk, file, sandbox, timers } = await openFolded()
    disk.meanwhile = failAt('write')
    expect((await call('POST', PAYOUT, payout(1))).status).toBe(503)
    let release = () => {}
    const begun = new Promise<void>((resolve) => {
      disk.meanwhile = (operation, name) => {
        if (operation !== 'write' || name !== 'state.json.journal') return
        resolve()
        return new Promise<void>((go) => {
          release = go
        })
      }
    })
    timers.fire(1_000)
    await begun
    const closed = sandbox.close()
    // As many turns as a close could want that does not wait.
    for (let turn = 0; turn < 2_000 && disk.handles > 0; turn++) await new Promise(setImmediate)
    disk.meanwhile = () => {}
    release()
    await closed
    expect(disk.handles).toBe(0)
    const again = await openPersistent(file, disk)
    expect(again.warnings).toEqual([])
  })
})

describe('a start on a disk that cannot be written', () => {
  test('is refused', async () => {
    const disk = new MemoryDisk()
    disk.meanwhile = (operation) => {
      if (operation === 'write') noSpace()
    }
    const file = dataFile()
    await expect(openPersistent(file, disk)).rejects.toThrow(
      `${file} cannot be used: no room is left there. Expected the path of a file`,
    )
  })
})
