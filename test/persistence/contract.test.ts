import { describe, expect, onTestFinished, test } from 'vitest'
import type { Entry } from '../../src/kernel/entry.js'
import { openFileStore } from '../../src/worlds/file/store.js'
import type { Commit, WorldLog } from '../../src/worlds/port.js'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { createSnapshot } from '../../src/worlds/snapshots.js'
import { toStoredLayer, toStoredWorld } from '../../src/worlds/stored-world.js'
import { dataFile } from '../support/data-folder.js'
import { toPlainEntry } from '../support/inner-sandbox.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { MemoryLog } from '../support/memory-log.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import {
  appendNext,
  CAUSE,
  ID,
  loadBase,
  NO_SOURCE,
  openWorld,
  readWorld,
} from './committed-worlds.js'

const OTHER = 'cd'.repeat(16)

const openMemory = async () => {
  const log = new MemoryLog()
  return { log, reopen: async () => log }
}

const openFile = async () => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const open = async (fs: MemoryDisk, path: string): Promise<WorldLog> => {
    const log = await openFileStore(path, { schedule: () => () => {}, warn: () => {}, fs })
    onTestFinished(() => log.close())
    return log
  }
  return {
    log: await open(disk, file),
    /** Another process opens what a crash has left. */
    reopen: async () => {
      const elsewhere = dataFile()
      const log = await open(disk.copy(), elsewhere)
      const { origin } = log
      if (origin) await log.begin(origin, NO_SOURCE)
      return log
    },
  }
}

interface Opened {
  readonly log: WorldLog
  readonly reopen: () => Promise<WorldLog>
}

describe('a log in memory', () => describeLog(openMemory))

describe('a log in files', () => describeLog(openFile))

describe.skipIf(!hasPostgres)('a log in Postgres', () => {
  const postgres = usePostgres()
  describeLog(async () => {
    const url = await postgres().createPlace()
    const open = async (): Promise<WorldLog> => {
      const log = await openPostgresStore(url, { schedule: () => () => {}, warn: () => {} })
      onTestFinished(() => log.close())
      return log
    }
    return { log: await open(), reopen: open }
  })
})

function describeLog(open: () => Promise<Opened>): void {
  const begin = async () => {
    const base = await loadBase()
    const opened = await open()
    await opened.log.begin({ seed: 's', isDrawn: true, base }, NO_SOURCE)
    const append = async (...commits: Commit[]) => opened.log.append(commits)
    const head = (commit: Commit) => appendNext(opened.log, commit)
    return { ...opened, base, append, head }
  }

  test('has the origin that it began with', async () => {
    const { reopen } = await begin()
    expect((await reopen()).origin).toMatchObject({ seed: 's', isDrawn: true })
  })

  test('returns no world that was never appended', async () => {
    const { log } = await begin()
    expect(await readWorld(log, ID)).toBeUndefined()
    expect(log.list()).toEqual([])
  })

  test('returns a world as it was appended', async () => {
    const { base, head, reopen } = await begin()
    const live = openWorld(base)
    const created_at = '2026-01-01T00:00:00.000Z'
    const first = await head({ ...live.commit(undefined), created_at })
    live.credit('5')
    live.world.run('snapshot.take', { name: 'kept' }, CAUSE)
    await head(live.commit(first))
    const log = await reopen()
    expect(log.list()).toEqual(log.isShared ? [] : [ID])
    const found = await readWorld(log, ID)
    expect(found?.world).toMatchObject({
      seed: 'tests',
      seq: live.world.seq,
      count: live.world.count,
    })
    expect(found?.world.tables.ledger.all()).toEqual(live.world.tables.ledger.all())
    expect([...(found?.world.snapshots.keys() ?? [])]).toEqual(['kept'])
    expect(found?.entries.map(({ command }) => command)).toEqual([
      'world.begin',
      'balance.credit',
      'snapshot.take',
    ])
    expect(found).toMatchObject({ created_at, head: { seq: live.world.seq } })
  })

  test('refuses a commit whose head is not the newest, and appends those beside it', async () => {
    const { base, append, head, reopen } = await begin()
    const live = openWorld(base)
    const first = await head(live.commit(undefined))
    live.credit('1')
    const second = live.commit(first)
    await head(second)
    const stale = {
      ...second,
      entries: second.entries.map((it) => ({ ...toPlainEntry(it), seq: it.seq + 1 })),
    }
    const results = await append(
      stale,
      openWorld(base).commit(undefined, OTHER),
      openWorld(base).commit(undefined),
    )
    expect(results.map(({ is }) => is)).toEqual(['behind', 'appended', 'behind'])
    expect((await readWorld(await reopen(), ID))?.entries).toHaveLength(2)
  })

  test('continues a world from the head that catching up returned', async () => {
    const { base, append, head, reopen } = await begin()
    const live = openWorld(base)
    await head(live.commit(undefined))
    const log = await reopen()
    const found = await readWorld(log, ID)
    live.credit('1')
    expect(await log.append([live.commit(found?.head)])).toMatchObject([{ is: 'appended' }])
    expect(await append()).toEqual([])
  })

  test('refuses to begin a world that exists', async () => {
    const { base, log, head, reopen } = await begin()
    const live = openWorld(base)
    const first = await head(live.commit(undefined))
    await log.compact(ID, first, toStoredWorld(live.world, []))
    for (const it of [log, await reopen()]) {
      expect(await it.append([openWorld(base).commit(undefined)])).toEqual([{ is: 'behind' }])
    }
  })

  test('forgets a deleted world, and lets another one of its id begin', async () => {
    const { base, append, head, reopen } = await begin()
    const first = await head(openWorld(base).commit(undefined))
    const ends = { id: ID, head: first, entries: [], ends: true } as const
    const again = openWorld(base, 'again')
    again.credit('1')
    const results = await append(ends, again.commit(undefined))
    expect(results.map(({ is }) => is)).toEqual(['appended', 'appended'])
    const found = await readWorld(await reopen(), ID)
    expect(found?.world).toMatchObject({ seed: 'again', seq: again.world.seq })
  })

  test('forgets a deleted world that was stored as a whole', async () => {
    const { base, log, append, head, reopen } = await begin()
    const live = openWorld(base)
    const first = await head(live.commit(undefined))
    await log.compact(ID, first, toStoredWorld(live.world, []))
    await append({ id: ID, head: first, entries: [], ends: true })
    expect(await readWorld(log, ID)).toBeUndefined()
    expect(await readWorld(await reopen(), ID)).toBeUndefined()
  })

  test('returns a world that was stored as a whole, with its snapshots and what came after', async () => {
    const { base, log, head, reopen } = await begin()
    const live = openWorld(base)
    live.world.run('snapshot.take', { name: 'kept' }, CAUSE)
    const first = await head(live.commit(undefined))
    const snapshot = createSnapshot('kept', live.world)
    await log.compact(ID, first, toStoredWorld(live.world, [snapshot]))
    expect((await readWorld(log, ID))?.world).toMatchObject({ seq: first.seq, seed: 'tests' })
    live.credit('7')
    await head(live.commit((await readWorld(log, ID))?.head))
    const found = await readWorld(await reopen(), ID)
    expect(found?.world.seq).toBe(live.world.seq)
    expect(found?.world.tables.ledger.size).toBe(live.world.tables.ledger.size)
    expect([...(found?.world.snapshots.keys() ?? [])]).toEqual(['kept'])
  })

  test('returns a fork whose source was deleted', async () => {
    const { base, append, head, reopen } = await begin()
    const source = openWorld(base)
    source.credit('3')
    const origin = toStoredLayer(createSnapshot('kept', source.world).world)
    const first = await head(source.commit(undefined))
    const { count, now, seed } = source.world
    const fork: Entry = {
      seq: base.seq + 1,
      at: new Date(now).toISOString(),
      cause: CAUSE,
      command: 'world.fork',
      input: { name: 'kept', from: ID, count },
      events: [],
      changes: [],
    }
    await append({ id: OTHER, head: undefined, entries: [fork], origin })
    await append({ id: ID, head: first, entries: [], ends: true })
    const found = await readWorld(await reopen(), OTHER)
    expect(found?.world).toMatchObject({ seed, seq: base.seq + 1 })
    expect(found?.world.tables.ledger.all()).toEqual(source.world.tables.ledger.all())
  })

  test('is writable, and says so', async () => {
    const { log } = await begin()
    expect([log.isWritable, log.health.status, log.health.error]).toEqual([true, 'ok', null])
  })
}
