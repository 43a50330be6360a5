import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { hasPostgres, PASSWORD, usePostgres } from '../support/postgres.js'
import { worldId } from '../support/worlds.js'
import { runHere } from './run-in-process.js'

const USERS = '/onboarding/api/v1/users/all'
const NAME = 'one of a-z, 0-9 and -, at most 64 characters'
const URL = 'postgres://127.0.0.1:1/nowhere'

test.each<[args: string[], words: string]>([
  [[], 'Invalid argument: got "". Expected add, list, remove.'],
  [['toString'], 'Invalid argument: got "toString". Expected add, list, remove.'],
  [['add'], `Invalid name: got "". Expected ${NAME}.`],
  [['add', 'Acme'], `Invalid name: got "Acme". Expected ${NAME}.`],
  [['add', 'a'.repeat(65)], `Expected ${NAME}.`],
  [['add', 'acme', 'globex'], `Invalid name: got "acme globex". Expected ${NAME}.`],
  [['list', 'acme'], 'Invalid name: got "acme". Expected none.'],
  [['add', 'acme'], 'Missing --data. Expected the URL of a Postgres database.'],
  [['list', '--data', 'state.json'], 'Invalid --data: got "state.json". Expected the URL of'],
  [['add', 'acme', '--data', URL, '--rate', '5'], 'Invalid --rate: got "5". Expected a number'],
  [['add', 'acme', '--data', URL, '--worlds', '0'], 'Invalid --worlds: got "0". Expected a whole'],
  [['add', 'acme', '--data', URL], 'cannot be used: nothing listens there'],
])('sandramp tenant %j returns 2 and names the problem', async (args, words) => {
  const ran = await runHere(['tenant', ...args])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(words)
})

test.each([[], ['--data', 'state.json']])(
  'sandramp start --tenants %j returns 2: tenants need a database',
  async (...data) => {
    const ran = await runHere(['start', '--tenants', ...data])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('Invalid --tenants: tenants need a database.')
  },
)

describe.skipIf(!hasPostgres)('sandramp tenant', () => {
  const postgres = usePostgres()

  const openPlace = async () => {
    const url = await postgres().createPlace()
    const run = (...args: string[]) => runHere(['tenant', ...args, '--data', url])
    const add = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('add', ...args)
      expect([code, stderr]).toEqual([0, ''])
      const [, prefix = '', token = ''] =
        /^world keys {5}(SandboxWorld\w{10}) and 10 of A-Z, a-z and 0-9\ncontrol token {2}(\w{32})\n$/.exec(
          stdout,
        ) ?? []
      return { prefix, token }
    }
    let now = Date.now()
    const start = async () => {
      const sandbox = await createSandbox({
        data: url,
        tenants: true,
        seed: 's',
        machineClock: () => now,
      })
      onTestFinished(() => sandbox.close())
      return async (key: string) =>
        (await sandbox.fetch(USERS, { headers: { 'x-api-key': key } })).status
    }
    const query = (text: string) => postgres().query(url, text)
    const wait = (ms: number) => {
      now += ms
    }
    return { run, add, start, query, wait }
  }

  test('list prints nothing about an empty database', async () => {
    const { run } = await openPlace()
    expect(await run('list')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('add prints the secrets of a tenant, which the database does not have', async () => {
    const { run, add, query } = await openPlace()
    const { prefix, token } = await add('acme', '--worlds', '3', '--rate', '100/1s')
    const other = await add('globex')
    expect(new Set([prefix, token, other.prefix, other.token]).size).toBe(4)
    const stored = JSON.stringify(await query('SELECT * FROM tenants'))
    for (const secret of [prefix, token]) expect(stored).not.toContain(secret.slice(-10))
    const { stdout } = await run('list')
    expect(stdout.replace(/\d{4}-[\d-]+T[\d:.]+Z/g, '…')).toBe(
      'acme  worlds 0/3  rate 100/1s  created …\nglobex  worlds 0/∞  rate ∞  created …\n',
    )
  })

  test('add refuses a name that a tenant has or had', async () => {
    const { run, add } = await openPlace()
    await add('acme')
    const words = 'Invalid name: got "acme". Expected a name that no tenant has or had.'
    for (const before of ['list', 'remove']) {
      await run(before, ...(before === 'remove' ? ['acme'] : []))
      const { code, stderr } = await run('add', 'acme')
      expect([code, stderr.includes(words)]).toEqual([2, true])
      expect(stderr).not.toContain(PASSWORD)
    }
  })

  test('remove closes the worlds and keys of a tenant at all replicas, and no others', async () => {
    const { run, add, start, query, wait } = await openPlace()
    const [acme, globex] = [await add('acme'), await add('globex')]
    const replicas = [await start(), await start()]
    const keys = [`${acme.prefix}0000000001`, `${globex.prefix}0000000001`]
    for (const status of replicas) expect(await Promise.all(keys.map(status))).toEqual([200, 200])
    const tenants = await query(
      'SELECT id, tenant FROM worlds WHERE tenant IS NOT NULL ORDER BY tenant',
    )
    expect(tenants).toEqual([
      { id: worldId(keys[0] ?? ''), tenant: 'acme' },
      { id: worldId(keys[1] ?? ''), tenant: 'globex' },
    ])
    expect(await run('remove', 'acme')).toMatchObject({
      code: 0,
      stdout: 'acme and its worlds are removed\n',
    })
    expect(await query('SELECT tenant FROM worlds WHERE tenant IS NOT NULL')).toEqual([
      { tenant: 'globex' },
    ])
    wait(6_000)
    for (const status of replicas) expect(await Promise.all(keys.map(status))).toEqual([401, 200])
    expect((await run('list')).stdout).toMatch(/^globex {2}worlds 1\/∞ /)
  })

  test('remove ends what a replica began meanwhile when it is repeated', async () => {
    const { run, add, start, query } = await openPlace()
    const { prefix } = await add('acme')
    const status = await start()
    expect(await status(`${prefix}0000000001`)).toBe(200)
    await run('remove', 'acme')
    expect(await status(`${prefix}0000000002`)).toBe(200)
    expect(await run('remove', 'acme')).toMatchObject({ code: 0 })
    expect(await query('SELECT id FROM worlds WHERE tenant IS NOT NULL')).toEqual([])
  })

  test('remove refuses a name that no tenant had', async () => {
    const { code, stderr } = await (await openPlace()).run('remove', 'nobody')
    expect([code, stderr]).toEqual([
      2,
      'sandramp: Invalid name: got "nobody". Expected a name of sandramp tenant list.\n' +
        'sandramp tenant --help lists what is accepted\n',
    ])
  })
})
