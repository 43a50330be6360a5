import { expect, test } from 'vitest'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { Counts } from './counts.js'
import { Replica } from './replica.js'
import { ModelledWorld, pause, TorturedWorld } from './workload.js'

const SECONDS = Number(process.env.TORTURE_SECONDS ?? 60)
const WORLDS = 6
const CLIENTS = 3
const MODELLED = 2
const LIFE_MS = 4_000

type Fault = (
  replica: Replica,
  postgres: ReturnType<ReturnType<typeof usePostgres>>,
) => Promise<void>

const short = () => pause(300 + 1_200 * Math.random())

const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9': async (replica) => {
    await replica.stop('SIGKILL')
    await short()
    await replica.run()
  },
  SIGTERM: async (replica) => {
    await replica.stop('SIGTERM')
    await replica.run()
  },
  SIGSTOP: async (replica) => {
    replica.signal('SIGSTOP')
    await pause(1_000 + 5_000 * Math.random())
    replica.signal('SIGCONT')
  },
  partition: async ({ proxy }) => {
    proxy.isReachable = false
    proxy.cut()
    await pause(1_000 + 3_000 * Math.random())
    proxy.isReachable = true
  },
  'cut connections': async ({ proxy }) => proxy.cut(),
  'lost answers, short': async ({ proxy }) => {
    proxy.answers = 'lost'
    await short()
    proxy.cut()
    proxy.answers = 'pass'
  },
  'lost answers, 6 s': async ({ proxy }) => {
    proxy.answers = 'lost'
    await pause(6_000)
    proxy.cut()
    proxy.answers = 'pass'
  },
  'terminated backends': async (_replica, postgres) => {
    const others = 'pid <> pg_backend_pid() AND backend_type = $1'
    await postgres
      .query(
        postgres.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`,
        ['client backend'],
      )
      .catch(() => {})
  },
  'crash of Postgres': async (_replica, postgres) => postgres.crash(),
}

test.skipIf(!hasPostgres)(
  `three replicas on one Postgres lose nothing and do nothing twice, whatever fails for ${SECONDS} s`,
  async () => {
    const postgres = server()
    const counts = new Counts()
    const url = await postgres.createPlace()
    const replicas = await Promise.all([1, 2, 3].map(() => Replica.start(url)))
    const end = Date.now() + SECONDS * 1_000
    const worlds: TorturedWorld[] = []
    const live = async () => {
      while (Date.now() < end) {
        const world = new TorturedWorld(replicas, counts)
        worlds.push(world)
        counts.add('worlds')
        const until = Math.min(end, Date.now() + LIFE_MS)
        await Promise.all(Array.from({ length: CLIENTS }, () => useWorld(world, until)))
      }
    }
    const model = async () => {
      const world = new ModelledWorld(replicas, counts)
      while (Date.now() < end) await world.step()
    }
    const fail = async () => {
      const names = Object.keys(FAULTS)
      for (let i = 0; Date.now() < end; i++) {
        const name = names[i % names.length] ?? ''
        const replica = replicas[Math.floor(Math.random() * replicas.length)]
        if (replica) await FAULTS[name]?.(replica, postgres)
        counts.add(name)
        await pause(500 * Math.random())
      }
    }
    await Promise.all([
      ...Array.from({ length: WORLDS }, live),
      ...Array.from({ length: MODELLED }, model),
      fail(),
    ])
    for (const world of worlds) await world.check()
    await Promise.all(replicas.map((replica) => replica.stop('SIGTERM')))
    console.log(`${counts}`)
    expect(counts.findings.slice(0, 20)).toEqual([])
  },
)

const server = usePostgres()

/** Reads twice as often as it writes. */
const useWorld = async (world: TorturedWorld, until: number): Promise<void> => {
  while (Date.now() < until) {
    const die = Math.random()
    if (die < 0.25) await world.pay()
    else if (die < 0.45) await world.credit()
    else if (die < 0.5) await world.transfer()
    else await world.read()
  }
}
