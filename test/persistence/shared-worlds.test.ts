import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CaughtUp } from '../../src/worlds/port.js'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { ownId } from '../support/fixture-ids.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { openOn, type SharedSandbox, UnreliableLog } from '../support/shared-sandbox.js'
import { Timers } from '../support/timers.js'
import { worldId, worldKey } from '../support/worlds.js'

const PAYOUTS = '/_sandbox/payouts'
const USERS = '/onboarding/api/v1/users/all'
const payout = () => ({ ...payoutRequest(), customer_payout_id: ownId(1), amount: '1.00' })

/** Sandboxes that share one log in memory. */
const openTwo = async () => {
  const log = new UnreliableLog({ isShared: true })
  return { log, one: await openOn(log), other: await openOn(log) }
}

const createKey = async (at: SharedSandbox, key?: string): Promise<string> => {
  const { body } = await at.call('POST', '/_sandbox/api-keys', { name: 'made' }, key)
  return body.secret
}

const listWorlds = async (at: SharedSandbox, query = '') =>
  (await at.call('GET', `/_sandbox/worlds${query}`)).body

/** To look at the list is a use of the default world. */
const withoutUse = ({ items }: { items: object[] }) =>
  items.map((it) => ({ ...it, last_used_at: null }))

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

describe('a key that was created at another sandbox', () => {
  test.each([
    ['the default world', undefined],
    ['a world by key', worldKey('a')],
  ])('opens %s in all APIs', async (_, key) => {
    const { one, other } = await openTwo()
    const secret = await createKey(one, key)
    await one.call('POST', '/payment/api/v1/payout', payout(), secret)
    expect((await other.call('GET', USERS, undefined, secret)).status).toBe(200)
    const late = await openOn(new UnreliableLog({ isShared: true }))
    expect((await late.call('GET', USERS, undefined, secret)).status).toBe(401)
    expect((await other.call('GET', PAYOUTS, undefined, secret)).text).toContain(ownId(1))
    const headers = { 'x-api-key': secret }
    expect((await other.fetch('/openapi.json', { headers })).status).toBe(200)
  })

  test('opens nothing once its creation is undone there', async () => {
    const { one, other } = await openTwo()
    const secret = await createKey(one, worldKey('a'))
    expect((await other.call('GET', USERS, undefined, secret)).status).toBe(200)
    await one.call('POST', '/_sandbox/undo', undefined, worldKey('a'))
    expect((await other.call('GET', USERS, undefined, secret)).body.code).toBe('4101')
    expect((await one.call('GET', USERS, undefined, secret)).body.code).toBe('4101')
  })

  test('opens the default world when it is the key of an option', async () => {
    const { log, other } = await openTwo()
    const apiKey = 'KeyOfOneReplicaAlone000000000001'
    await openOn(log, { apiKey })
    expect((await other.call('GET', USERS, undefined, apiKey)).status).toBe(200)
  })
})

describe('the list of worlds', () => {
  test('has all worlds at every sandbox, the one used last first', async () => {
    const { one, other } = await openTwo()
    for (const name of ['a', 'b', 'c']) {
      await one.call('GET', PAYOUTS, undefined, worldKey(name))
    }
    await other.call('POST', '/_sandbox/clock/advance', { by: '1h' }, worldKey('a'))
    const shown = await listWorlds(other)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => worldId(worldKey(name)))
    expect(idsOf(shown)).toEqual(['default', a, c, b])
    expect(withoutUse(await listWorlds(one))).toEqual(withoutUse(shown))
    const second = await listWorlds(one, '?page=1&size=3')
    expect([idsOf(second), second.pagination.total_elements]).toEqual([[b], 4])
    expect(idsOf(await listWorlds(one, '?page=2&size=3'))).toEqual([])
    await other.call('DELETE', `/_sandbox/worlds/${c}`)
    expect(idsOf(await listWorlds(one))).toEqual(['default', a, b])
  })

  test('has worlds beyond the limit of those in memory', async () => {
    const log = new UnreliableLog({ isShared: true })
    const one = await openOn(log, { worldLimit: 2 })
    const ids = ['a', 'b', 'c', 'd'].map((name) => worldId(worldKey(name)))
    for (const name of ['a', 'b', 'c', 'd']) {
      await one.call('GET', PAYOUTS, undefined, worldKey(name))
    }
    expect(idsOf(await listWorlds(one))).toEqual(['default', ...ids.toReversed()])
    await one.call('GET', PAYOUTS, undefined, worldKey('e'))
    expect((await one.call('GET', '/_sandbox/health')).body.worlds).toBe(3)
  })

  test('is on the page of the console and in its picker', async () => {
    const { one, other } = await openTwo()
    await one.call('GET', PAYOUTS, undefined, worldKey('a'))
    const id = worldId(worldKey('a'))
    expect(await (await other.fetch('/')).text()).toContain(`/?world=${id}`)
    const shows = async (path: string) => {
      const list = (await (await other.fetch(path)).text()).split('<tbody')[1] ?? ''
      return [id, 'Default world'].map((text) => list.includes(text))
    }
    expect(await shows('/worlds')).toEqual([true, true])
    expect(await shows(`/worlds?text=${worldKey('a').slice(-4)}`)).toEqual([true, false])
    expect(await shows('/worlds?text=Default')).toEqual([false, true])
  })
})

test('a world is deleted though it leaves memory meanwhile', async () => {
  const log = new UnreliableLog({ isShared: true })
  const one = await openOn(log, { worldLimit: 1 })
  const [a, b] = [worldKey('a'), worldKey('b')]
  await one.call('GET', PAYOUTS, undefined, a)
  vi.spyOn(log, 'read').mockImplementationOnce(async (...asked) => {
    await one.call('GET', PAYOUTS, undefined, b)
    return log.read(...asked)
  })
  expect((await one.call('DELETE', `/_sandbox/worlds/${worldId(a)}`)).status).toBe(200)
  expect(idsOf(await listWorlds(one))).toEqual(['default', worldId(b)])
})

describe('a world whose commits cannot be applied', () => {
  test('answers 503 alone, is not listed, and is read again as a whole', async () => {
    const warnings: string[] = []
    const log = new UnreliableLog({ isShared: true })
    const warn = (sentence: string) => void warnings.push(sentence)
    const [one, other] = [await openOn(log), await openOn(log, {}, { warn })]
    const key = worldKey('a')
    const id = worldId(key)
    await other.call('GET', PAYOUTS, undefined, key)
    await one.call('POST', '/payment/api/v1/payout', payout(), key)
    const damage = vi.spyOn(log, 'catchUp').mockImplementation(async (...asked) => {
      const found = await UnreliableLog.prototype.catchUp.apply(log, asked)
      return asked[0] === id && found ? withDamage(found) : found
    })
    const answer = await other.call('GET', PAYOUTS, undefined, key)
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining(id)])
    expect(warnings[0]).toBe(`world ${id} cannot be read: no table is named nothing`)
    expect((await other.call('GET', PAYOUTS)).status).toBe(200)
    expect(idsOf(await listWorlds(other))).toEqual(['default'])
    damage.mockRestore()
    const journals = [one, other].map((it) => it.call('GET', '/_sandbox/journal', undefined, key))
    const [whole, again] = await Promise.all(journals)
    expect(again?.text).toBe(whole?.text)
  })
})

/** The last change of the newest commit is to a table that is not there. */
const withDamage = (found: CaughtUp): CaughtUp => {
  const commits = structuredClone(found.commits)
  const change = commits.at(-1)?.entries.at(-1)?.changes.at(-1)
  if (change) Object.assign(change, { table: 'nothing' })
  return { ...found, commits }
}

describe.skipIf(!hasPostgres)('two sandboxes on one Postgres', () => {
  const postgres = usePostgres()

  test('find each the keys and worlds of the other, and name no database to the public', async () => {
    const url = await postgres().createPlace()
    const open = async () => {
      const schedule = new Timers().later
      const log = await openPostgresStore(url, { schedule, warn: () => {} })
      onTestFinished(() => log.close())
      return openOn(log)
    }
    const [one, other] = [await open(), await open()]
    const key = worldKey('a')
    const secret = await createKey(one, key)
    expect((await other.call('GET', USERS, undefined, secret)).status).toBe(200)
    const shown = await listWorlds(other)
    expect(idsOf(shown)).toEqual([worldId(key), 'default'])
    expect(await listWorlds(one)).toEqual(shown)
    expect((await listWorlds(one, '?page=3')).pagination.total_elements).toBe(2)
    const searched = await (await one.fetch(`/worlds?text=${key.slice(-4)}`)).text()
    expect(searched).toContain(worldId(key))
    expect((await one.call('GET', '/_sandbox/health')).body.data).toEqual({
      kind: 'postgres',
      status: 'ok',
      error: null,
      counts: { attempts: 2, reruns: 0, unknown: 0, checkpoints: 0 },
    })
  })
})
