import { expect, test } from 'vitest'
import type { DatabaseProxy } from '../support/database-proxy.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { Counts } from './counts.js'
import { ModelledWorld } from './modelled-world.js'
import { Replica } from './replica.js'
import { ATTACKS, Tenant } from './tenant.js'
import { pause, TorturedWorld } from './world.js'

const SECONDS = Number(process.env.TORTURE_SECONDS ?? 60)
/** The only fault; all of them by default. */
const FAULT = process.env.TORTURE_FAULT
const CLOCKS_MS = [0, 5_000, -5_000]
const WORLDS = 6
const CLIENTS = 3
const MODELLED = 2
const NAMES = ['acme', 'bmart', 'corner']
const ATTACKS_AT_ONCE = 2
const LIFE_MS = 4_000
/** A replica's patience is 5 s, and its last try takes 2 s. */
const LONG_MS = 7_000

const server = usePostgres()

const between = (least_ms: number, most_ms: number) =>
  pause(least_ms + (most_ms - least_ms) * Math.random())

type Fault = (replica: Replica, postgres: ReturnType<typeof server>) => Promise<void>

/** The statement whose loss is worst: all others come before it, and would fail first. */
const APPEND = 'append'

const cut = async (proxy: DatabaseProxy, what: 'requests' | 'answers'): Promise<void> => {
  Object.assign(proxy, { only: APPEND, [what]: 'cut' })
  await between(50, 1_000)
  Object.assign(proxy, { only: '', [what]: 'pass' })
}

/** Loses answers, and closes the connections that wait for them at last. */
const loseAnswers = async ({ proxy }: Replica, ms: number, only: string): Promise<void> => {
  Object.assign(proxy, { only, answers: 'lost' })
  await pause(ms)
  proxy.cut()
  Object.assign(proxy, { only: '', answers: 'pass' })
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'cut requests': ({ proxy }) => cut(proxy, 'requests'),
  'cut answers': ({ proxy }) => cut(proxy, 'answers'),
  'lost answers': (replica) => loseAnswers(replica, 1_000, ''),
  'answers lost for long': (replica) => loseAnswers(replica, LONG_MS, APPEND),
  'kill -9': async (replica) => {
    await replica.stop('SIGKILL')
    await between(300, 1_500)
    await replica.run()
  },
  SIGTERM: async (replica) => {
    await replica.stop('SIGTERM')
    await replica.run()
  },
  SIGSTOP: async (replica) => {
    replica.signal('SIGSTOP')
    await between(1_000, LONG_MS)
    replica.signal('SIGCONT')
  },
  partition: async ({ proxy }) => {
    proxy.isReachable = false
    proxy.cut()
    await between(1_000, 4_000)
    proxy.isReachable = true
  },
  'terminated backends': async (_, postgres) => {
    const others = `pid <> pg_backend_pid() AND backend_type = 'client backend'`
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`
    await postgres.query(postgres.url, sql)
  },
  'crash of Postgres': (_, postgres) => postgres.crash(),
}

test.skipIf(!hasPostgres)(
  `three replicas on one Postgres lose nothing and do nothing twice, whatever fails and a tenant tries for ${SECONDS} s`,
  async () => {
    const postgres = server()
    const counts = new Counts()
    const url = await postgres.createPlace()
    const tenants = await Promise.all(NAMES.map((name) => Tenant.add(url, name)))
    const attacker = await Tenant.add(url, 'attacker')
    const draw = <T>(all: readonly T[]) => all[Math.floor(Math.random() * all.length)] as T
    const replicas = await Promise.all(CLOCKS_MS.map((ms) => Replica.start(url, ms, counts)))
    const any = () => draw(replicas)
    const end = Date.now() + SECONDS * 1_000
    const isOver = () => Date.now() > end || counts.findings.length > 0
    const worlds: TorturedWorld[] = []
    const live = async () => {
      while (!isOver()) {
        const world = new TorturedWorld(replicas, draw(tenants), counts)
        worlds.push(world)
        const until = Math.min(end, Date.now() + LIFE_MS)
        await Promise.all(Array.from({ length: CLIENTS }, () => world.use(until)))
        await world.check([any()])
      }
    }
    const model = async () => {
      const world = new ModelledWorld(replicas, draw(tenants), counts)
      while (!isOver()) await world.step()
    }
    const attack = async () => {
      let world = attacker.openWorld()
      while (!isOver()) {
        if (Math.random() < 0.05) world = attacker.openWorld()
        const [method, path, body] = draw(ATTACKS)
        const reply = await any().call(method, path, world, body)
        counts.add(`attacks with ${reply?.status ?? 'no answer'}`)
      }
    }
    const fail = async () => {
      while (!isOver()) {
        for (const [name, fault] of Object.entries(FAULTS)) {
          if (isOver()) return
          if (FAULT && FAULT !== name) continue
          await fault(any(), postgres)
          counts.add(name)
          await between(0, 500)
        }
      }
    }
    const users = [
      ...Array.from({ length: WORLDS }, live),
      ...Array.from({ length: MODELLED }, model),
      ...Array.from({ length: ATTACKS_AT_ONCE }, attack),
    ]
    await Promise.all([...users, fail()])
    for (const world of worlds) {
      if (counts.findings.length > 0) break
      const entries = await world.check(replicas)
      counts.add('worlds')
      counts.add('entries', entries.length)
      counts.add('timers', entries.filter(({ cause }) => cause.timer !== undefined).length)
    }
    await Promise.all(replicas.map((replica) => replica.stop('SIGTERM')))
    console.log(`${counts}`)
    expect(counts.findings.length, counts.findings.slice(0, 20).join('\n')).toBe(0)
  },
)
