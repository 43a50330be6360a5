// Measures `--data postgres://…` against files. README.md says how to read the figures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { load, median, startSandramp, stopServer } from './processes.js'
import { answer, fund, get, post } from './requests.js'

const ROUNDS = 5
const SECONDS = 2
const COLD_WORLDS = 20
const PAYOUTS = 50

const keyOf = (n) => `SandboxWorld${String(n).padStart(20, '0')}`
const KEYS = Array.from({ length: 32 }, (_, n) => keyOf(n))
const COLD_KEYS = Array.from({ length: COLD_WORLDS }, (_, n) => keyOf(1_000 + n))

const withKey = (request, key) => ({
  ...request,
  headers: { ...request.headers, 'x-api-key': key },
})

/** A figure of ours as a share of theirs, in turns. */
const compare = async (ours, theirs, figure = 'per_second') => {
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const b = await load({ seconds: SECONDS, ...theirs })
    const a = await load({ seconds: SECONDS, ...ours })
    ratios.push(a[figure] / b[figure])
  }
  return median(ratios)
}

const url = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'sandramp-bench-'))
const file = await startSandramp('--data', join(folder, 'worlds.json'))
const [one, other] = [await startSandramp('--data', url), await startSandramp('--data', url)]
for (const { url } of [file, one]) for (const key of [...KEYS, ...COLD_KEYS]) await fund(url, key)

const met = []
const print = (name, value, sign, goal) => {
  met.push(sign === '>=' ? value >= goal : value <= goal)
  console.log(
    `${met.at(-1) ? 'ok  ' : 'MISS'} ${name.padEnd(60)} ${value.toFixed(2)} goal ${sign} ${goal}`,
  )
}

const many = { connections: 32, keys: KEYS }
const both = { ports: [one.port, other.port] }
for (const [request, least] of [
  [get, 0.6],
  [post, 0.45],
]) {
  const options = { ...request, ...many }
  const share = await compare({ ...options, port: one.port }, { ...options, port: file.port })
  print(`${request.method}, 32 worlds: share of files`, share, '>=', least)
}
for (const [name, keys, least] of [
  ['32 worlds', KEYS, 0.5],
  ['one world', KEYS.slice(0, 1), 0.4],
]) {
  const options = { ...post, ...many, keys }
  const share = await compare({ ...options, ...both }, { ...options, port: one.port })
  print(`POST, ${name}, two replicas in turn: share of one`, share, '>=', least)
}
for (const [request, most] of [
  [get, 5],
  [post, 2.5],
]) {
  const options = { ...request, connections: 1, keys: KEYS }
  const theirs = { ...options, port: file.port }
  const multiple = await compare({ ...options, port: one.port }, theirs, 'p50_ms')
  print(`${request.method}, one client, p50: multiple of files`, multiple, '<=', most)
}

const timed = async (key) => {
  const began = performance.now()
  await answer(other.url, withKey(get, key))
  return performance.now() - began
}
const multiples = []
for (const key of COLD_KEYS) {
  for (let n = 0; n < PAYOUTS; n++) await answer(one.url, withKey(post, key))
  await timed(KEYS[0])
  const cold = await timed(key)
  multiples.push(cold / (await timed(key)))
}
print(`GET in a world of ${PAYOUTS} payouts that is not in memory`, median(multiples), '<=', 2.5)

const database = new pg.Client({ connectionString: url })
await database.connect()
const readNumber = async (sql) => Number((await database.query(sql)).rows[0].n)
const readWal = () => readNumber(`SELECT pg_current_wal_insert_lsn() - '0/0' AS n`)
// The first change of a page after a checkpoint stores the whole page.
await database.query('CHECKPOINT')
for (let n = 0; n < PAYOUTS; n++) await answer(one.url, withKey(post, KEYS[0]))
const before = await readWal()
for (let n = 0; n < PAYOUTS; n++) await answer(one.url, withKey(post, KEYS[0]))
print(
  'log of Postgres for a payout, in kB',
  ((await readWal()) - before) / PAYOUTS / 1_000,
  '<=',
  2.8,
)
const deadlocks = 'SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()'
print('deadlocks', await readNumber(deadlocks), '<=', 0)

await database.end()
await Promise.all([file, one, other].map((server) => stopServer(server)))
rmSync(folder, { recursive: true })
process.exit(met.every(Boolean) ? 0 : 1)
