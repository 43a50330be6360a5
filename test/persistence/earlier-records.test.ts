import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Deposit } from '../support/control.js'
import { dataFile } from '../support/data-folder.js'
import { ownId, users } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { worldId } from '../support/worlds.js'

/**
 * The same worlds as a killed 0.1.0 left them in files and in Postgres, while it had 83 assumptions: they chose readings,
 * and hold fields, that later versions do not have. Compressed, because their checksums forbid any formatting.
 */
const folder = new URL('./stored-by-0.1/', import.meta.url)

const unpack = (name: string): string =>
  gunzipSync(readFileSync(new URL(`${name}.gz`, folder))).toString()

type ById<V> = Readonly<Record<string, V>>
type Part = 'users' | 'transfers' | 'offramps' | 'payouts' | 'deposits' | 'balances' | 'wallets'

/** Statuses by id, and money: fiat by user and currency, crypto of all wallets by asset. */
type Summary = Readonly<Record<Part, ById<string | number>>>

interface Expected {
  /** By kind of store, then by name of the world. */
  readonly keys: ById<ById<string>>
  /** `undone` is before the last move. */
  readonly worlds: ById<{ snapshots: readonly string[]; now: Summary; undone?: Summary }>
}

const expected: Expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'))
const { worlds } = expected
const names = Object.keys(worlds)

// biome-ignore lint/suspicious/noExplicitAny: what comes back is looked at field by field
type Call = (method: string, path: string, body?: object) => Promise<any>

const start = async (data: string, keys: ById<string>) => {
  const sandbox = await createInner({ data, clock: 'manual' })
  onTestFinished(() => sandbox.close())
  const as =
    (key: string): Call =>
    async (method, path, body) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const response = await sandbox.fetch(path, { method, headers, body: JSON.stringify(body) })
      const text = await response.text()
      expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300)
      return JSON.parse(text)
    }
  return { sandbox, as, of: (name: string) => as(keys[name] ?? '') }
}

type Item = { readonly id: string; readonly status: string }

const byId = (items: readonly Item[]): ById<string> =>
  Object.fromEntries(items.map(({ id, status }) => [id, status]))

/** The ledger is in order. */
const summarize = async (call: Call): Promise<Summary> => {
  const { assets, violations } = await call('GET', '/_sandbox/audit')
  expect(violations).toEqual([])
  const people: Item[] = await call('GET', '/onboarding/api/v1/users/all')
  const list = async (path: string) => (await call('GET', `/_sandbox/${path}?size=100`)).items
  const audited = async (path: string): Promise<Item[]> => {
    const ofUser = ({ id }: Item) => call('GET', `/payment/api/v1/${path}/${id}?size=100`)
    return (await Promise.all(people.map(ofUser))).flatMap(({ transactions }) => transactions)
  }
  const balances: Record<string, number> = {}
  for (const { id } of people) {
    for (const { currency, amount } of await list(`users/${id}/balances`))
      balances[`${id} ${currency}`] = amount
  }
  const held: Record<string, string> = {}
  for (const { asset, accounts } of assets) held[asset] = accounts.wallet ?? '0'
  const deposits = (await list('deposits')).map(({ id, matched }: Deposit) => [id, matched])
  return {
    users: byId(people),
    transfers: byId(await audited('fx-audit')),
    offramps: byId(await audited('offramp-audit')),
    payouts: byId(await list('payouts')),
    deposits: Object.fromEntries(deposits),
    balances,
    wallets: held,
  }
}

const euros = `${users.ada} EUR`
const credit = (call: Call) =>
  call('POST', `/_sandbox/users/${users.ada}/balances`, { currency: 'EUR', amount: '1.50' })

/** Files and Postgres must give the same. */
const testWorlds = (keys: ById<string>, createPlace: () => Promise<string>) => {
  test('has all worlds, with their records and snapshots', async () => {
    const { of } = await start(await createPlace(), keys)
    const { items } = await of('payouts')('GET', '/_sandbox/worlds')
    const ids = items.map(({ id }: Item) => id)
    expect(ids.sort()).toEqual([...Object.values(keys).map(worldId), 'default'].sort())
    for (const name of names) {
      const { items } = await of(name)('GET', '/_sandbox/snapshots')
      expect(items.map((it: { name: string }) => it.name)).toEqual(worlds[name]?.snapshots)
      expect(await summarize(of(name)), name).toEqual(worlds[name]?.now)
      await of(name)('GET', '/_sandbox/journal?size=100')
      await credit(of(name))
      await of(name)('POST', '/_sandbox/undo')
      expect(await summarize(of(name)), name).toEqual(worlds[name]?.now)
    }
  })

  test('restores and forks snapshots', async () => {
    const { sandbox, as, of } = await start(await createPlace(), keys)
    const restore = async (name: string, snapshot: string) => {
      await of(name)('POST', `/_sandbox/snapshots/${snapshot}/restore`)
      return summarize(of(name))
    }
    const { key } = await of('payouts')('POST', '/_sandbox/snapshots/fees-1/fork')
    await sandbox.flushed()
    expect(await summarize(as(key))).toEqual(worlds.fork?.now)
    expect(await restore('payouts', 'fees-1')).toEqual(worlds.fork?.now)
    expect(await restore('reset', 'before-reset')).toEqual(worlds.fork?.now)
    expect(await restore('transfers', 'ended')).toEqual(worlds.transfers?.undone)
    await of('transfers')('POST', '/_sandbox/undo')
    expect(await summarize(of('transfers'))).toEqual(worlds.transfers?.now)
  })

  test('has only readings that exist, and answers with them', async () => {
    const { of } = await start(await createPlace(), keys)
    for (const name of names) {
      const { items } = await of(name)('GET', '/_sandbox/assumptions?size=100')
      for (const { active, readings } of items)
        expect(readings.map((it: { name: string }) => it.name)).toContain(active)
    }
    const repeat = { ...payoutRequest(), customer_payout_id: ownId(204), amount: '1204.00' }
    const { id, status } = await of('payouts')('POST', '/payment/api/v1/payout', repeat)
    expect([status, worlds.payouts?.now.payouts[id]]).toEqual(['PAYOUT_INITIATED', 'PAYOUT_FAILED'])
  })

  test('goes on after one more start', async () => {
    const place = await createPlace()
    const first = await start(place, keys)
    for (const name of names) await credit(first.of(name))
    await first.sandbox.close()
    const { of } = await start(place, keys)
    for (const name of names) {
      const now = await summarize(of(name))
      const before = { ...now.balances, [euros]: Number(now.balances[euros]) - 1.5 }
      expect({ ...now, balances: before }, name).toEqual(worlds[name]?.now)
    }
  })
}

describe('a data file of an older version', () => {
  const { file: keys = {} } = expected.keys

  const createPlace = async (): Promise<string> => {
    const file = dataFile()
    writeFileSync(file, unpack('store'))
    writeFileSync(`${file}.journal.2`, unpack('store.journal.2'))
    return file
  }

  testWorlds(keys, createPlace)
})

describe.skipIf(!hasPostgres)('a database of an older version', () => {
  const postgres = usePostgres()
  const { database: keys = {} } = expected.keys

  const createPlace = async (): Promise<string> => {
    const url = await postgres().createPlace()
    await postgres().query(url, unpack('database.sql'))
    return url
  }

  testWorlds(keys, createPlace)

  test('has its undo history and its request log', async () => {
    const { of } = await start(await createPlace(), keys)
    for (const name of ['payouts', 'transfers']) {
      await of(name)('POST', '/_sandbox/undo')
      expect(await summarize(of(name))).toEqual(worlds[name]?.undone)
      await of(name)('POST', '/_sandbox/redo')
      expect(await summarize(of(name))).toEqual(worlds[name]?.now)
    }
    const { items } = await of('users')('GET', '/_sandbox/requests')
    expect(items.length).toBeGreaterThan(4)
    await of('users')('GET', '/_sandbox/assumptions/report')
  })
})
