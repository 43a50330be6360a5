import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { World } from '../../src/domain/world.js'
import { createSandbox } from '../../src/index.js'
import type { Entry } from '../../src/kernel/entry.js'
import { DEFAULT_WORLD } from '../../src/lib/secrets.js'
import type { CaughtUp, Commit, Head, WorldLog } from '../../src/worlds/port.js'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { toStoredWorld } from '../../src/worlds/stored-world.js'
import { runHere } from '../cli/run-in-process.js'
import { DatabaseProxy } from '../support/database-proxy.js'
import { hasPostgres, PASSWORD, usePostgres } from '../support/postgres.js'
import { Timers } from '../support/timers.js'
import { appendNext, CAUSE, ID, loadBase, NO_SOURCE, openWorld } from './committed-worlds.js'

const OTHER = 'cd'.repeat(16)
const HOUR_MS = 3_600_000
const PATIENCE_MS = 1_500
const CLOSE_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()'

/** Resolves at the next fault of a proxy, which then can be reached no more. */
const untilCut = (proxy: DatabaseProxy) =>
  new Promise<void>((resolve) => {
    proxy.onFault = () => {
      proxy.isReachable = false
      resolve()
    }
  })

describe.skipIf(!hasPostgres)('a Postgres store', () => {
  const postgres = usePostgres()

  const query = (url: string, text: string) => postgres().query(url, text)

  const numbersOf = async (url: string, id = ID) =>
    (await query(url, `SELECT n FROM commits WHERE world = '${id}' ORDER BY n`)).map(({ n }) => n)

  const open = async (url: string, patience_ms?: number) => {
    const timers = new Timers()
    const warnings: string[] = []
    const warn = (sentence: string) => void warnings.push(sentence)
    const options = { schedule: timers.later, warn, patience_ms }
    const log: WorldLog = await openPostgresStore(url, options)
    onTestFinished(() => log.close())
    return { log, timers, warnings }
  }

  /** Two stores on one database. The first one reaches it through a proxy. */
  const begin = async (patience_ms?: number) => {
    const url = await postgres().createPlace()
    const through = await DatabaseProxy.start(url)
    const first = await open(through.url, patience_ms)
    const second = await open(url)
    const base = await loadBase()
    const origin = { seed: 's', isDrawn: false, base }
    await first.log.begin(origin, NO_SOURCE)
    await second.log.begin(origin, NO_SOURCE)
    return { url, proxy: through.proxy, base, ...first, other: second.log }
  }

  /** A world whose first commit is stored. */
  const beginWorld = async (log: WorldLog, base: World, id = ID) => {
    const live = openWorld(base)
    return { ...live, head: await appendNext(log, live.commit(undefined, id)) }
  }

  const creditOnce = (
    live: Pick<ReturnType<typeof openWorld>, 'credit' | 'commit'>,
    head: Head,
  ) => {
    live.credit('1')
    return live.commit(head)
  }

  const toLarge = (commit: Commit, length: number) =>
    ({ ...commit, origin: { seed: 'x'.repeat(length) } }) as Commit

  const append = async (log: WorldLog, commit: Commit) => (await log.append([commit]))[0]?.is

  const ending = (head: Head | undefined): Commit => ({ id: ID, head, entries: [], ends: true })

  /** Returns the values of the statements of a name that are sent from now on. */
  const spyOnStatements = (name: string) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => spy.mockRestore())
    return (): unknown[][] =>
      spy.mock.calls.flatMap(([query]) =>
        Object(query).name === name ? [Object(query).values] : [],
      )
  }

  /** The seeds of the worlds that begin in what was read. */
  const seedsOf = (found: CaughtUp | undefined) =>
    found?.world &&
    found.commits
      .flatMap(({ entries }) => entries)
      .filter(({ command }) => command === 'world.begin')
      .map(({ input }) => Object(input).seed)

  test('gives all replicas that start at once the origin of the first one', async () => {
    const url = await postgres().createPlace()
    const base = await loadBase()
    const origins = await Promise.all(
      ['a', 'b', 'c'].map(async (seed) => {
        const { log } = await open(url)
        return log.begin({ seed, isDrawn: true, base }, NO_SOURCE)
      }),
    )
    expect(new Set(origins.map(({ seed }) => seed)).size).toBe(1)
    expect(await query(url, 'SELECT seed FROM origin')).toEqual([{ seed: origins[0]?.seed }])
  })

  test('gives a number to one of two replicas that append at once, without a deadlock', async () => {
    const { url, base, log, other } = await begin()
    const ids = ['a', 'b', 'c', 'd', 'e']
    const sent = spyOnStatements('append')
    const blocking = new pg.Client({ connectionString: url })
    await blocking.connect()
    await blocking.query(
      `BEGIN; INSERT INTO commits (world, n, tag, ends) VALUES ('c', 1, gen_random_uuid(), false)`,
    )
    const appending = Promise.all([
      log.append(ids.map((id) => openWorld(base).commit(undefined, id))),
      other.append(ids.toReversed().map((id) => openWorld(base).commit(undefined, id))),
    ])
    const waiting = 'SELECT FROM pg_locks WHERE NOT granted'
    await expect.poll(() => query(url, waiting)).toHaveLength(2)
    // Ends its transaction too.
    await blocking.end()
    const [mine, theirs] = await appending
    const pairs = theirs.toReversed().map(({ is }, i) => [is, mine[i]?.is].sort())
    expect(pairs).toEqual(ids.map(() => ['appended', 'behind']))
    expect(sent()).toHaveLength(2)
  })

  test('returns what other replicas appended after the known head', async () => {
    const { base, log, other } = await begin()
    const live = await beginWorld(log, base)
    await appendNext(other, creditOnce(live, live.head))
    const found = await log.catchUp(ID, live.head)
    expect(found?.world).toBeUndefined()
    expect(found?.commits.flatMap(({ entries }) => entries.map(({ command }) => command))).toEqual([
      'balance.credit',
    ])
    expect(found?.head.seq).toBe(live.world.seq)
    expect(await log.catchUp(ID, found?.head)).toMatchObject({ head: found?.head, commits: [] })
  })

  test('asks for all worlds of a turn in one statement, and has one on its way at a time', async () => {
    const { base, log } = await begin()
    const { head } = await beginWorld(log, base)
    await log.catchUp(ID)
    const [news, worlds] = [spyOnStatements('readNews'), spyOnStatements('readWorlds')]
    const first = [
      log.catchUp(ID, head),
      log.catchUp(OTHER),
      log.catchUp('third'),
      log.catchUp(OTHER),
    ]
    await vi.waitUntil(() => worlds().length === 1)
    const later = [log.catchUp(OTHER), log.catchUp(ID, head)]
    await Promise.all([...first, ...later])
    expect(news().map(([ids]) => ids)).toEqual([[ID], [ID]])
    expect(worlds().map(([ids]) => ids)).toEqual([[OTHER, 'third'], [OTHER]])
  })

  test('appends a commit once when the answer is lost', async () => {
    const { url, proxy, base, log } = await begin()
    const live = await beginWorld(log, base)
    proxy.answers = 'cut'
    proxy.onFault = () => {
      proxy.answers = 'pass'
    }
    const head = await appendNext(log, creditOnce(live, live.head))
    expect(await numbersOf(url)).toEqual([1, 2])
    expect(await append(log, creditOnce(live, head))).toBe('appended')
  })

  test('finds a commit whose answer was lost after others have gone on from it', async () => {
    const { url, proxy, base, log, other } = await begin()
    const live = await beginWorld(log, base)
    proxy.answers = 'cut'
    const cut = untilCut(proxy)
    const appending = append(log, creditOnce(live, live.head))
    await cut
    const found = await other.catchUp(ID)
    expect(await append(other, creditOnce(live, found?.head as Head))).toBe('appended')
    proxy.answers = 'pass'
    proxy.isReachable = true
    expect(await appending).toBe('appended')
    expect(await numbersOf(url)).toEqual([1, 2, 3])
  })

  test('is behind when another replica took the number of a commit that was lost on its way', async () => {
    const { url, proxy, base, log, other } = await begin()
    const live = await beginWorld(log, base)
    const commit = creditOnce(live, live.head)
    proxy.requests = 'cut'
    const cut = untilCut(proxy)
    const appending = append(log, commit)
    await cut
    await appendNext(other, commit)
    proxy.requests = 'pass'
    proxy.isReachable = true
    expect(await appending).toBe('behind')
    expect(await numbersOf(url)).toEqual([1, 2])
  })

  test('appends a commit once when its first try arrives late', async () => {
    const { url, proxy, base, log } = await begin(PATIENCE_MS)
    const live = await beginWorld(log, base)
    proxy.requests = 'held'
    proxy.onFault = () => {
      proxy.requests = 'pass'
    }
    expect(await append(log, creditOnce(live, live.head))).toBe('appended')
    await proxy.release()
    expect(await numbersOf(url)).toEqual([1, 2])
  })

  test.each([
    ['that never was', []],
    ['that has ended', [1, 2]],
  ])('begins a world %s once when the first try arrives after its end', async (_, before) => {
    const { url, proxy, base, log, other } = await begin(PATIENCE_MS)
    if (before.length > 0) await append(other, ending((await beginWorld(other, base)).head))
    await log.catchUp(ID)
    proxy.requests = 'held'
    proxy.onFault = () => {
      proxy.requests = 'pass'
    }
    const { head } = await beginWorld(log, base)
    await append(other, ending(head))
    await proxy.release()
    expect(await numbersOf(url)).toEqual([...before, before.length + 1, before.length + 2])
  })

  test('keeps the keys of worlds, and deletes those of ended ones a day later', async () => {
    const { url, base, log, other, timers } = await begin()
    const heads = await Promise.all(
      [ID, OTHER].map((id) => {
        const { world, commit } = openWorld(base)
        const key = { name: id, hash: `hash of ${id}`, last_four: '0000' }
        world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, CAUSE)
        return appendNext(log, commit(undefined, id))
      }),
    )
    await append(log, ending(heads[0]))
    const findBoth = () =>
      Promise.all([ID, OTHER].map((id) => other.index?.worldOfKey(`hash of ${id}`)))
    timers.fire(HOUR_MS)
    await expect.poll(() => timers.waits).toEqual([HOUR_MS])
    expect(await findBoth()).toEqual([ID, OTHER])
    await query(url, `UPDATE keys SET at = now() - interval '2 days'`)
    timers.fire(HOUR_MS)
    await expect.poll(findBoth).toEqual([undefined, OTHER])
  })

  test('does not know the outcome of a commit when answers stay lost', async () => {
    const { proxy, base, log } = await begin(PATIENCE_MS)
    const live = await beginWorld(log, base)
    proxy.answers = 'lost'
    expect(await append(log, creditOnce(live, live.head))).toBe('unknown')
    expect(log.health.status).toBe('failing')
    proxy.answers = 'pass'
    expect((await log.catchUp(ID, live.head))?.commits).toHaveLength(1)
    expect(log.health.status).toBe('ok')
  })

  test('appends nothing while the database cannot be reached, and works again afterwards', async () => {
    const { url, proxy, base, log } = await begin(PATIENCE_MS)
    const live = await beginWorld(log, base)
    proxy.isReachable = false
    await query(url, CLOSE_CONNECTIONS)
    const commit = creditOnce(live, live.head)
    await expect(log.catchUp(ID, live.head)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringMatching(new URL(url).hostname),
    })
    expect(await append(log, commit)).toBe('failed')
    proxy.isReachable = true
    expect(await append(log, commit)).toBe('appended')
  })

  test('survives a database that closes all connections', async () => {
    const { url, base, log } = await begin()
    const live = await beginWorld(log, base)
    await query(url, CLOSE_CONNECTIONS)
    expect(await append(log, creditOnce(live, live.head))).toBe('appended')
  })

  test('appends nothing when the disk of the database is full', async () => {
    const { url, base, log } = await begin()
    const live = await beginWorld(log, base)
    await query(
      url,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON worlds EXECUTE FUNCTION full_disk()`,
    )
    const commits = [creditOnce(live, live.head), openWorld(base).commit(undefined, OTHER)]
    expect(await log.append(commits)).toEqual([{ is: 'failed' }, { is: 'failed' }])
    expect(log.health).toMatchObject({ status: 'failing', error: 'could not extend file' })
    expect([await numbersOf(url), await numbersOf(url, OTHER)]).toEqual([[1], []])
    await query(url, 'DROP TRIGGER full_disk ON worlds')
    expect(await log.append(commits)).toMatchObject([{ is: 'appended' }, { is: 'appended' }])
    expect(log.health).toMatchObject({ status: 'ok', error: null })
  })

  test('appends a large commit in a statement of its own', async () => {
    const { base, log } = await begin()
    const lives = await Promise.all([ID, OTHER].map((id) => beginWorld(log, base, id)))
    const sent = spyOnStatements('append')
    const [one, two] = lives.map((live) => creditOnce(live, live.head))
    const large = toLarge(two as Commit, 300_000)
    const [small, apart] = await log.append([one as Commit, { ...large, id: OTHER }])
    expect(small).toMatchObject({ is: 'appended' })
    expect(apart?.is === 'apart' && (await apart.result)).toMatchObject({ is: 'appended' })
    expect(sent().map(([ids]) => ids)).toEqual([[OTHER], [ID]])
  })

  test('reads large commits in pages of their own, beside the worlds that all wait for', async () => {
    const { base, log, other } = await begin()
    const live = await beginWorld(log, base)
    const small = await beginWorld(log, base, OTHER)
    await other.catchUp(ID)
    let head = live.head
    for (let i = 0; i < 4; i++) head = await appendNext(log, toLarge(creditOnce(live, head), 2e6))
    const shared = spyOnStatements('readWorlds')
    const pages = spyOnStatements('readPage')
    const [found, beside] = await Promise.all([other.catchUp(ID), other.catchUp(OTHER)])
    expect(found?.commits.flatMap(({ entries }) => entries)).toHaveLength(live.world.seq - base.seq)
    expect(beside?.head.seq).toBe(small.head.seq)
    expect(shared()).toEqual([
      [
        [ID, OTHER],
        [false, false],
      ],
    ])
    expect(pages().map(([, from]) => from)).toEqual([2, 5])
    const news = await other.catchUp(ID, live.head)
    expect(news?.head).toMatchObject({ seq: head.seq })
    expect(news?.world).toBeUndefined()
  })

  test('keeps the entries from a base on, and reads a world from there', async () => {
    const { url, base, log, other } = await begin()
    const live = await beginWorld(log, base)
    let head = live.head
    const grow = async (entries: number) => {
      for (let i = 0; i < entries; i++) live.credit('1')
      head = await appendNext(log, live.commit(head))
    }
    const compact = async (neededFrom?: number) =>
      log.compact(ID, head, toStoredWorld(live.world, []), neededFrom)
    const early = head
    await grow(1)
    await grow(1)
    await compact(head.seq)
    await grow(10_000)
    await grow(1)
    await compact(head.seq - 10_002)
    expect(await numbersOf(url)).toEqual([1, 2, 3, 4, 5])
    expect((await other.catchUp(ID, undefined, 'whole'))?.world?.seq).toBe(base.seq)
    await compact(head.seq - 10_000)
    expect(await numbersOf(url)).toEqual([3, 4, 5])
    const whole = await other.catchUp(ID, undefined, 'whole')
    expect(whole?.world?.seq).toBe(early.seq + 2)
    expect(whole?.commits.flatMap(({ entries }) => entries)).toHaveLength(10_001)
    // Its next commit is gone, so it is read again.
    expect((await other.catchUp(ID, early))?.world?.seq).toBe(head.seq)
  })

  test('refuses values that it cannot store for their own world alone', async () => {
    const { base, log } = await begin()
    const [one, two] = [openWorld(base), openWorld(base)]
    const key = { name: 'a\0b', hash: OTHER.repeat(2), last_four: '0000' }
    two.world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, CAUSE)
    const commits = [one.commit(undefined), two.commit(undefined, OTHER)]
    expect(await log.append(commits)).toMatchObject([{ is: 'appended' }, { is: 'failed' }])
    expect(log.health).toMatchObject({ status: 'ok', error: null })
  })

  test('drops the copy of a world that ended or began again elsewhere', async () => {
    const { base, log, other } = await begin()
    const { head, world } = await beginWorld(log, base)
    await log.compact(ID, head, toStoredWorld(world, []))
    await append(other, ending(head))
    expect(await log.catchUp(ID, head)).toBeUndefined()
    expect(await log.catchUp(ID)).toBeUndefined()
    await appendNext(other, openWorld(base, 'again').commit(undefined))
    expect(seedsOf(await log.catchUp(ID, head))).toEqual(['again'])
    expect(await append(log, creditOnce(openWorld(base), head))).toBe('behind')
  })

  test('drops the copy of a world whose known commit was deleted', async () => {
    const { url, base, log, other, timers } = await begin()
    const { head } = await beginWorld(log, base)
    await append(other, ending(head))
    await appendNext(other, openWorld(base, 'again').commit(undefined))
    await query(url, `UPDATE commits SET at = now() - interval '2 days'`)
    timers.fire(HOUR_MS)
    await expect.poll(() => numbersOf(url)).toEqual([2, 3])
    expect(seedsOf(await log.catchUp(ID, head))).toEqual(['again'])
  })

  test('drops the copy of a world whose newest commit a failover has lost', async () => {
    const { url, base, log, other } = await begin()
    const live = await beginWorld(log, base)
    const commit = creditOnce(live, live.head)
    const lost = await appendNext(log, commit)
    await query(url, 'DELETE FROM commits WHERE n = 2')
    const { tag } = (await appendNext(other, commit)) as Head & { readonly tag: string }
    await log.compact(ID, lost, toStoredWorld(live.world, []))
    expect(await log.catchUp(ID, lost)).toMatchObject({ world: {}, head: { tag } })
    expect(await append(log, creditOnce(live, lost))).toBe('behind')
    expect(await query(url, 'SELECT * FROM checkpoints')).toEqual([])
  })

  test('reads a world from its newest checkpoint, or from its beginning', async () => {
    const { base, log, other } = await begin()
    const live = await beginWorld(log, base)
    const known = live.head
    const second = await appendNext(log, creditOnce(live, known))
    await other.compact(ID, second, toStoredWorld(live.world, []))
    expect((await log.catchUp(ID, known))?.commits).toHaveLength(1)
    await appendNext(log, creditOnce(live, second))
    const found = await other.catchUp(ID)
    expect([found?.world?.seq, found?.commits.length]).toEqual([second.seq, 1])
    const whole = await other.catchUp(ID, known, 'whole')
    expect([whole?.world?.seq, whole?.commits.length]).toEqual([base.seq, 3])
  })

  test('asks for a checkpoint once the commits since the last one weigh more than it', async () => {
    const { base, log } = await begin()
    const live = await beginWorld(log, base)
    const isLong = async (head: Head, kib: number) => {
      const input = 'x'.repeat(kib * 1024)
      const [entry] = creditOnce(live, head).entries
      const long: Entry = { ...JSON.parse(JSON.stringify(entry)), input }
      const [result] = await log.append([{ id: ID, head, entries: [long] }])
      if (result?.is !== 'appended') throw new Error(result?.is)
      return [result.isLong, result.head as Head] as const
    }
    const [first, head] = await isLong(live.head, 50)
    const [second, next] = await isLong(head, 50)
    await log.compact(ID, next, { ...toStoredWorld(live.world, []), seed: 'y'.repeat(120 * 1024) })
    const [third, last] = await isLong(next, 100)
    const [fourth] = await isLong(last, 50)
    expect([first, second, third, fourth]).toEqual([false, true, false, true])
    // A replica that reads the world now knows how much follows the checkpoint.
    const found = await log.catchUp(ID)
    expect((await isLong(found?.head as Head, 1))[0]).toBe(true)
  })

  test('ends worlds that nobody used for 30 days', async () => {
    const { url, base, log, other, timers } = await begin()
    await beginWorld(log, base)
    await beginWorld(log, base, OTHER)
    await beginWorld(log, base, DEFAULT_WORLD)
    await query(url, `UPDATE worlds SET used_at = now() - interval '31 days'`)
    await other.catchUp(ID)
    other.index?.noteUse(OTHER)
    const unused = `SELECT id FROM worlds WHERE used_at < now() - interval '1 day'`
    await expect.poll(() => query(url, unused)).toHaveLength(2)
    timers.fire(HOUR_MS)
    await expect
      .poll(() => query(url, 'SELECT id FROM worlds ORDER BY id'))
      .toEqual([{ id: OTHER }, { id: DEFAULT_WORLD }])
    expect(await other.catchUp(ID)).toBeUndefined()
    expect(await log.catchUp(OTHER)).toBeDefined()
    expect(await append(other, openWorld(base).commit(undefined))).toBe('appended')
    await expect.poll(() => timers.waits).toEqual([HOUR_MS])
  })

  test('knows how far the clock of this machine is off', async () => {
    const url = await postgres().createPlace()
    const { log: right } = await open(url)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { log: slow } = await open(url)
    const minutes = ({ clockOffset = 0 }: WorldLog) => Math.round(clockOffset / 60_000) + 0
    expect([minutes(right), minutes(slow)]).toEqual([0, 60])
  })

  describe('at its start', () => {
    const run = async (url: string, env: Record<string, string> = {}) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      onTestFinished(() => void vi.unstubAllEnvs())
      return runHere(['start', '--port', '0', '--log', 'silent'], undefined, { SANDRAMP_DATA: url })
    }

    const tablesOf = async (url: string) =>
      query(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()')

    const change = (
      url: string,
      parts: Partial<Record<'password' | 'pathname' | 'port', string>>,
    ) => Object.assign(new URL(url), parts).href

    test.each<[string, (url: string) => string, string]>([
      ['another password', (url) => change(url, { password: 'wr0ng' }), 'password authentication'],
      ['no password', (url) => change(url, { password: '' }), 'it asks for a password'],
      ['another database', (url) => change(url, { pathname: '/none' }), '"none" does not exist'],
      ['no port', (url) => url.replace(/:\d+\//, ':99999999/'), 'is not valid'],
    ])('refuses a URL with %s in one sentence, and writes nothing', async (_, toWrong, words) => {
      const url = await postgres().createPlace()
      const { code, stderr } = await run(toWrong(url))
      expect(code).toBe(2)
      expect(stderr).toContain(words)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).not.toMatch(new RegExp(`${PASSWORD}|wr0ng`))
      expect(await tablesOf(url)).toEqual([])
    })

    test('refuses a URL where no database is, once it has tried for a while', async () => {
      const url = change(await postgres().createPlace(), { port: '1' })
      await expect(open(url, PATIENCE_MS)).rejects.toThrow(
        'database postgres at 127.0.0.1:1 cannot be used: nothing listens there.',
      )
    })

    test('takes the password of PGPASSWORD', async () => {
      const url = await postgres().createPlace()
      vi.stubEnv('PGPASSWORD', PASSWORD)
      onTestFinished(() => void vi.unstubAllEnvs())
      const { log } = await open(change(url, { password: '' }))
      expect(log.health.status).toBe('ok')
    })

    test('refuses a user without the right to create tables, or to write to them', async () => {
      const url = await postgres().createPlace()
      const schema = new URL(url).searchParams.get('options')?.split('=')[1]
      await query(
        url,
        `CREATE ROLE ${schema}_reader LOGIN PASSWORD '${PASSWORD}'; GRANT USAGE ON SCHEMA ${schema} TO ${schema}_reader`,
      )
      const weak = Object.assign(new URL(url), { username: `${schema}_reader` }).href
      const base = await loadBase()
      const origin = { seed: 's', isDrawn: false, base }
      const { log: early } = await open(weak)
      await expect(early.begin(origin, NO_SOURCE)).rejects.toThrow('permission denied for schema')
      expect(await tablesOf(url)).toEqual([])
      await (await open(url)).log.begin(origin, NO_SOURCE)
      await query(url, `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${schema}_reader`)
      const { log: late } = await open(weak)
      await expect(late.begin(origin, NO_SOURCE)).rejects.toThrow('permission denied for table')
      await query(url, 'DROP TABLE session_keys, weights, bases, problems')
      const { log: older } = await open(weak)
      await expect(older.begin(origin, NO_SOURCE)).rejects.toThrow(
        'Upgrade it with sandramp tenant list --data',
      )
    })

    test('upgrades the tables of an earlier version while its replicas run', async () => {
      const { url, base, log } = await begin()
      const live = await beginWorld(log, base)
      await query(url, 'DROP TABLE session_keys, weights, bases, problems')
      const { log: next } = await open(url)
      await next.begin({ seed: 's', isDrawn: false, base }, NO_SOURCE)
      expect(await query(url, 'SELECT * FROM session_keys')).toEqual([])
      expect(await append(log, creditOnce(live, live.head))).toBe('appended')
    })

    test('refuses Postgres 13', async () => {
      const url = await postgres().createPlace()
      await query(
        url,
        `CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '130004' $$`,
      )
      const { code, stderr } = await run(`${url}%2Cpg_catalog`)
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('it runs Postgres 13, Sandramp needs 14 or newer'),
      ])
      expect(await tablesOf(url)).toEqual([])
    })

    test('refuses tables of another format, and another seed', async () => {
      const { url } = await begin()
      await expect(createSandbox({ data: url, seed: 'other' })).rejects.toThrow('"s", with which')
      await query(url, 'UPDATE origin SET format = 2')
      const { code, stderr } = await run(url)
      expect([code, stderr]).toEqual([2, expect.stringContaining('its format is 2')])
    })
  })
})
