import { describe, expect, it } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { users } from '../support/fixture-ids.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { payoutRequest } from '../support/requests.js'
import { look, openStored, type StoredSandbox, stateOf } from '../support/stored-sandbox.js'

const PAYOUT = '/payment/api/v1/payout'
const MINUTE = 60_000
const keyOf = (name: string) => `SandboxWorld${name.padStart(20, '0')}`

/** A machine clock that tests move. */
const clock = () => {
  const at = { ms: 0 }
  return { at, machineClock: () => at.ms }
}

const lineOf = ({ sandbox }: StoredSandbox, key: string) => {
  const line = sandbox.findKey(key)?.opened.line
  if (!line) throw new Error(`${key} opens nothing`)
  return line
}

/** Lets the store write what it has in hand. */
const settle = async ({ sandbox }: StoredSandbox): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) {
    await sandbox.flushed()
    await new Promise(setImmediate)
  }
}

/** Leaves the files as a crash does. */
const crash = async ({ sandbox }: StoredSandbox, disk: MemoryDisk): Promise<void> => {
  const left = disk.copy()
  await sandbox.close()
  disk.become(left)
}

type At = ReturnType<typeof clock>['at']

/** Somebody uses a world, long after the one before. */
const visit = async (api: StoredSandbox, at: At, name: string): Promise<void> => {
  at.ms += 2 * MINUTE
  await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf(name))
  await settle(api)
}

/** A world that was put aside, is in a snapshot no more, and is used again. */
const leftAndBack = async (api: StoredSandbox, at: At, name: string) => {
  const { id } = lineOf(api, keyOf(name))
  await visit(api, at, 'other')
  await visit(api, at, 'more')
  expect(await idsOf(api)).not.toContain(id)
  return lineOf(api, keyOf(name))
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

const idsOf = async (api: StoredSandbox): Promise<string[]> =>
  (await api.call('GET', '/_sandbox/worlds')).body.items.map(({ id }: { id: string }) => id)

describe('worlds by key', () => {
  it.each(['closed', 'crashed'] as const)('are there again after it was %s', async (how) => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const first = await openStored(file, disk, { seed: 'tests' })
    const made = await first.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    await first.call('POST', '/_sandbox/snapshots', { name: 'paid' }, keyOf('a'))
    const forked = await first.call('POST', '/_sandbox/snapshots/paid/fork', undefined, keyOf('a'))
    await first.call('POST', PAYOUT, payoutRequest(), keyOf('b'))
    await first.call('POST', '/_sandbox/reset', undefined, keyOf('b'))
    const secrets = [keyOf('a'), keyOf('b'), forked.body.key]
    const states = secrets.map((key) => stateOf(lineOf(first, key)))
    const ids = await idsOf(first)
    const left = disk.copy()
    await first.sandbox.close()
    if (how === 'crashed') disk.become(left)

    const again = await openStored(file, disk)
    expect((await idsOf(again)).sort()).toEqual(ids.sort())
    expect(secrets.map((key) => stateOf(lineOf(again, key)))).toEqual(states)
    const repeat = await again.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    expect(repeat.body).toEqual(made.body)
    expect(again.told).toEqual([])
    // A world that nobody has opened takes its seed from the one that is kept.
    expect(lineOf(again, keyOf('c')).world.seed).toMatch(/^tests\//)
  })

  it('that make room lie in files of their own, and come back as they were', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const api = await openStored(file, disk, { worldLimit: 1, machineClock })
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const before = stateOf(lineOf(api, keyOf('a')))
    const { id } = lineOf(api, keyOf('a'))
    at.ms += 2 * MINUTE
    await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf('b'))
    await settle(api)
    expect(await idsOf(api)).not.toContain(id)
    expect(disk.text(`${file}.worlds/${id}.json`)).toContain(payoutRequest().customer_payout_id)

    const back = await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    expect(back.status).toBe(200)
    expect(stateOf(lineOf(api, keyOf('a'))).records).toEqual(before.records)
    const worlds = await api.call('GET', '/_sandbox/worlds')
    expect(worlds.body.items).toContainEqual(expect.objectContaining({ id, started_anew: false }))
  })

  it('that were put aside come back after a crash, with what was done since', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const options = { worldLimit: 1, machineClock }
    const api = await openStored(file, disk, options)
    const credit = (amount: number) =>
      api.call(
        'POST',
        `/_sandbox/users/${users.ada}/balances`,
        { currency: 'JPY', amount },
        keyOf('a'),
      )
    const visit = async (name: string) => {
      at.ms += 2 * MINUTE
      await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf(name))
      await settle(api)
    }
    await credit(1)
    await visit('b')
    await credit(2)
    await visit('c')
    await credit(4)
    const state = stateOf(lineOf(api, keyOf('a')))
    await crash(api, disk)
    const again = await openStored(file, disk, options)
    expect(stateOf(lineOf(again, keyOf('a')))).toEqual(state)
  })

  it('that were put aside and deleted since do not stand in the way after a crash', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const options = { worldLimit: 1, machineClock }
    const api = await openStored(file, disk, options)
    const { id } = await leftAndBack(api, at, 'a')
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    await settle(api)
    const left = disk.copy()
    await api.sandbox.close()
    expect([...disk.files.keys()]).not.toContain(`${file}.worlds/${id}.json`)
    disk.become(left)
    // The second start finds what the first one has left.
    for (const _ of ['first', 'second']) {
      const again = await openStored(file, disk, options)
      expect(await idsOf(again)).not.toContain(id)
      const found = disk.copy()
      expect(lineOf(again, keyOf('a')).world.tables.payouts.size).toBe(3)
      await again.sandbox.close()
      disk.become(found)
    }
  })

  it.each(['put aside', 'deleted'])(
    'that were forked and then %s leave the fork as it was after a crash',
    async (what) => {
      const file = dataFile()
      const disk = new MemoryDisk()
      const { at, machineClock } = clock()
      const options = { worldLimit: 2, machineClock }
      const api = await openStored(file, disk, options)
      await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, keyOf('a'))
      const { id } = await leftAndBack(api, at, 'a')
      await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
      const fork = '/_sandbox/snapshots/kept/fork'
      const { key } = (await api.call('POST', fork, undefined, keyOf('a'))).body
      const state = stateOf(lineOf(api, key))
      if (what === 'deleted') await api.call('DELETE', `/_sandbox/worlds/${id}`)
      else {
        await api.call('POST', '/_sandbox/snapshots', { name: 'kept' }, keyOf('a'))
        for (const name of ['x', 'y', 'z']) {
          await api.call('GET', '/onboarding/api/v1/users/all', undefined, key)
          await visit(api, at, name)
        }
      }
      await settle(api)
      await crash(api, disk)
      const again = await openStored(file, disk, options)
      expect(stateOf(lineOf(again, key))).toEqual(state)
    },
  )

  it('that are deleted while a request is at them stand in nobody’s way after a crash', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const api = await openStored(file, disk)
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const line = lineOf(api, keyOf('a'))
    const credit = (amount: string) =>
      line.world.run(
        'balance.credit',
        { user_id: users.ada, currency: 'JPY', amount },
        { kind: 'library' },
      )
    await api.call('DELETE', `/_sandbox/worlds/${line.id}`)
    credit('1')
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    credit('2')
    await settle(api)
    const state = stateOf(lineOf(api, keyOf('a')))
    await crash(api, disk)
    const again = await openStored(file, disk)
    expect(stateOf(lineOf(again, keyOf('a')))).toEqual(state)
  })

  it('that are deleted on their way out stay away', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const api = await openStored(file, disk, { worldLimit: 1, machineClock })
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const { id } = lineOf(api, keyOf('a'))
    let rename = () => {}
    disk.meanwhile = (operation, name) =>
      operation === 'rename' && name === `${id}.json`
        ? new Promise<void>((resolve) => {
            rename = resolve
          })
        : undefined
    await visit(api, at, 'b')
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    rename()
    await settle(api)
    expect(lineOf(api, keyOf('a')).world.tables.payouts.size).toBe(3)
    await api.sandbox.close()
    expect([...disk.files.keys()]).not.toContain(`${file}.worlds/${id}.json`)
  })

  it('whose file is gone that the journal needs after a crash are told of', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const options = { worldLimit: 1, machineClock }
    const api = await openStored(file, disk, options)
    const { id } = await leftAndBack(api, at, 'a')
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    await crash(api, disk)
    disk.files.delete(`${file}.worlds/${id}.json`)
    await expect(openStored(file, disk, options)).rejects.toThrow(
      `it goes on from state.json.worlds/${id}.json, which is not there; bring that back, or`,
    )
  })

  it('are opened by keys that were made in them, put aside or not', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const api = await openStored(file, disk, { worldLimit: 1, machineClock })
    const body = { name: 'inner', permissions: 'full' }
    const { secret } = (await api.call('POST', '/_sandbox/api-keys', body, keyOf('a'))).body
    const { id } = lineOf(api, keyOf('a'))
    at.ms += 2 * MINUTE
    await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf('b'))
    await settle(api)
    expect(await idsOf(api)).not.toContain(id)
    const users = await api.call('GET', '/onboarding/api/v1/users/all', undefined, secret)
    expect(users.status).toBe(200)
    expect(await idsOf(api)).toContain(id)
  })

  it('that make room are in no file before the journal holds all that they are', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const options = { worldLimit: 1, machineClock }
    const api = await openStored(file, disk, options)
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const line = lineOf(api, keyOf('a'))
    at.ms += 2 * MINUTE
    // The entry that makes room is on its way, and so is one of the world that has to go.
    let flush = () => {}
    disk.meanwhile = (operation, name) =>
      operation === 'flush' && name === 'state.json.journal'
        ? new Promise<void>((resolve) => {
            flush = resolve
          })
        : undefined
    const newcomer = api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf('b'))
    await turns()
    const cause = { kind: 'library' } as const
    line.world.run('balance.credit', { user_id: users.ada, currency: 'JPY', amount: '1' }, cause)
    flush()
    await turns()
    // That may still fail: then it has never been.
    expect(disk.text(`${file}.worlds/${line.id}.json`)).not.toContain('"credit:')
    disk.meanwhile = () => {}
    flush()
    await newcomer
  })

  it('whose file was spoiled are told of, and begin anew when it is removed', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const { at, machineClock } = clock()
    const api = await openStored(file, disk, { worldLimit: 1, machineClock })
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const { id } = lineOf(api, keyOf('a'))
    at.ms += 2 * MINUTE
    await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf('b'))
    await settle(api)
    const path = `${file}.worlds/${id}.json`
    disk.put(path, disk.text(path).slice(0, 500))
    for (const [url, key] of [
      ['/onboarding/api/v1/users/all', keyOf('a')],
      ['/_sandbox/clock', keyOf('a')],
      [`/_sandbox/clock?world=${id}`, undefined],
    ] as const) {
      const answer = await api.call('GET', url, undefined, key)
      expect(answer).toMatchObject({ status: 503, body: { code: '5030' } })
      expect(answer.body.message).toMatch(
        new RegExp(
          `^state\\.json\\.worlds/${id}\\.json:\\d+: it is no JSON: .*; mend the file, or remove`,
        ),
      )
    }
    disk.files.delete(path)
    expect((await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))).status).toBe(200)
  })

  it('that lie beside no data file go with it, and nothing else does', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const [own, other] = [`${'a'.repeat(32)}.json`, 'notes.json'].map(
      (it) => `${file}.worlds/${it}`,
    )
    for (const path of [own, other]) if (path) disk.put(path, '{}')
    await openStored(file, disk)
    expect([...disk.files.keys()].filter((path) => path.includes('.worlds/'))).toEqual([other])
  })

  it('that were deleted stay away', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const api = await openStored(file, disk)
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const { id } = lineOf(api, keyOf('a'))
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
    await crash(api, disk)
    const again = await openStored(file, disk)
    expect(await idsOf(again)).toEqual(['default'])
    expect(lineOf(again, keyOf('a')).world.tables.payouts.size).toBe(3)
  })
})

describe('while nothing can be kept', () => {
  it('no world is opened, forked or deleted, and those that are there can be read', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const api = await openStored(file, disk)
    await api.call('POST', '/_sandbox/snapshots', { name: 'before' }, keyOf('a'))
    const { id } = lineOf(api, keyOf('a'))
    disk.meanwhile = (operation) => void (operation === 'write' && noSpace())
    for (const key of [keyOf('b'), keyOf('c')]) {
      const users = await api.call('GET', '/onboarding/api/v1/users/all', undefined, key)
      expect(users).toMatchObject({ status: 503, body: { code: '5030' } })
    }
    const fork = '/_sandbox/snapshots/before/fork'
    expect((await api.call('POST', fork, undefined, keyOf('a'))).status).toBe(503)
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(503)
    expect((await idsOf(api)).sort()).toEqual([id, 'default'].sort())
    const read = await api.call('GET', '/onboarding/api/v1/users/all', undefined, keyOf('a'))
    expect(read.status).toBe(200)

    disk.meanwhile = () => {}
    await look(api)
    expect((await api.call('POST', fork, undefined, keyOf('a'))).status).toBe(201)
    const opened = await api.call('POST', PAYOUT, payoutRequest(), keyOf('b'))
    expect(opened.status).toBe(200)
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(200)
  })

  it('a world that could not be deleted is there again, with its key', async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const api = await openStored(file, disk)
    await api.call('POST', PAYOUT, payoutRequest(), keyOf('a'))
    const { id } = lineOf(api, keyOf('a'))
    const state = stateOf(lineOf(api, keyOf('a')))
    disk.meanwhile = (operation) => void (operation === 'write' && noSpace())
    expect((await api.call('DELETE', `/_sandbox/worlds/${id}`)).status).toBe(503)
    expect(stateOf(lineOf(api, keyOf('a')))).toEqual(state)
  })
})
