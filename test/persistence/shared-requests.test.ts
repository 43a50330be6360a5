import { describe, expect, onTestFinished, test } from 'vitest'
import type { LoggedExchange } from '../../src/index.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { ownId } from '../support/fixture-ids.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { openOn, type SharedSandbox } from '../support/shared-sandbox.js'
import { Timers } from '../support/timers.js'
import { worldId, worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
const LOG = '/_sandbox/requests'
const KEY = worldKey('a')

const pay = (at: SharedSandbox, n: number) =>
  at.call('POST', PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' }, KEY)

const get = (at: SharedSandbox, path: string) => at.call('GET', path, undefined, KEY)

describe.skipIf(!hasPostgres)('the request log of two sandboxes on one Postgres', () => {
  const postgres = usePostgres()

  const open = async (url: string, options?: SandboxOptions) => {
    const log = await openPostgresStore(url, { schedule: new Timers().later, warn: () => {} })
    const opened = await openOn(log, options)
    onTestFinished(() => opened.sandbox.close())
    return opened
  }

  const openTwo = async (options?: SandboxOptions) => {
    const url = await postgres().createPlace()
    return { url, one: await open(url, options), other: await open(url, options) }
  }

  /** A look at the one that answered waits for its inserts, so that the other one sees the same. */
  const look = async (at: SharedSandbox, ...others: SharedSandbox[]) => {
    const shown = (await get(at, LOG)).text
    for (const other of others) expect((await get(other, LOG)).text).toBe(shown)
    return JSON.parse(shown)
  }

  test('shows the requests of both alike, one by one, as HAR and in the console', async () => {
    const { one, other } = await openTwo()
    const ids: (string | null)[] = []
    for (const [n, at] of [one, other, one].entries()) {
      ids.unshift((await pay(at, n)).headers.get('x-request-id'))
      await look(at)
    }
    const { items } = await look(one, other)
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids)
    const statuses = items.map(({ shown }: LoggedExchange) => shown[0]?.[1])
    expect(statuses).toEqual(Array(3).fill('PAYOUT_PROCESSED'))
    for (const path of [`${LOG}/${ids[0]}`, `${LOG}.har`, `${LOG}?operation=createPayout&size=2`]) {
      expect((await get(other, path)).text).toBe((await get(one, path)).text)
    }
    const page = await one.fetch(`/?request=${ids[1]}&world=${worldId(KEY)}`)
    expect(await page.text()).toContain(ownId(1))
  })

  test('is the one that verify and the causes of a payout refer to', async () => {
    const { one, other } = await openTwo()
    const { body, headers } = await pay(one, 1)
    await look(one)
    const { entries } = (await get(other, `/_sandbox/records/${body.id}/why`)).body
    const { request } = entries.at(-1).cause
    expect(request).toBe(headers.get('x-request-id'))
    expect((await get(other, `${LOG}/${request}`)).status).toBe(200)
    const expectations = { expect: [{ requests: { operation: 'createPayout' }, count: 1 }] }
    const verified = await other.call('POST', '/_sandbox/verify', expectations, KEY)
    expect(verified.body).toMatchObject({ ok: true })
  })

  test('counts the assumptions of the listed requests of both, of all worlds too', async () => {
    const { one, other } = await openTwo({ requestLog: 3 })
    for (const [n, at] of [one, other, one, other].entries()) await pay(at, n)
    await look(other)
    await look(one, other)
    const id = 'payout.fee'
    for (const at of [one, other]) {
      const path = `/_sandbox/assumptions/${id}`
      expect((await get(at, path)).body).toMatchObject({ hits: 3 })
      const { items } = (await at.call('GET', '/_sandbox/assumptions?worlds=all&size=100')).body
      expect(items.find((it: { id: string }) => it.id === id)).toMatchObject({ hits: 3 })
      const report = (await at.call('GET', '/_sandbox/assumptions/report?worlds=all')).body
      expect(report).toMatchObject({ requests: 3 })
    }
  })

  test('is cleared for both, with its counts, and its numbers continue', async () => {
    const { url, one, other } = await openTwo()
    await pay(one, 1)
    const [first] = (await look(one, other)).items
    const cleared = await other.call('DELETE', LOG, undefined, KEY)
    expect(cleared.body).toEqual({ deleted: 1 })
    expect((await look(one, other)).items).toEqual([])
    expect((await get(one, '/_sandbox/assumptions/payout.fee')).body.hits).toBe(0)
    expect(await postgres().query(url, 'SELECT FROM requests')).toEqual([])
    await pay(one, 2)
    const { items } = await look(one, other)
    expect(items).toHaveLength(1)
    expect(items[0].n).toBeGreaterThan(first.n)
  })

  test('shows those before a reset apart, and among the others once it is undone', async () => {
    const { url, one, other } = await openTwo()
    await pay(one, 1)
    const [first] = (await look(one, other)).items
    await other.call('POST', '/_sandbox/reset', undefined, KEY)
    const before = `${LOG}?before_reset=true`
    expect((await get(one, before)).body.items).toEqual([first])
    await other.call('POST', '/_sandbox/undo', undefined, KEY)
    const late = await open(url)
    expect((await look(late, one, other)).items).toEqual([first])
    expect((await get(one, before)).body.items).toEqual([])
    await one.call('POST', '/_sandbox/redo', undefined, KEY)
    expect((await look(late, one, other)).items).toEqual([])
  })

  test.each([
    ['reset', 'POST', '/_sandbox/reset'],
    ['deleted', 'DELETE', `/_sandbox/worlds/${worldId(KEY)}`],
  ])('begins again when the world is %s', async (_, method, path) => {
    const { one, other } = await openTwo()
    await pay(one, 1)
    await look(one, other)
    await pay(other, 2)
    expect((await other.call(method, path, undefined, KEY)).status).toBe(200)
    const { headers } = await pay(one, 3)
    const { items } = await look(one, other)
    expect(items).toMatchObject([{ id: headers.get('x-request-id') }])
    expect((await get(other, '/_sandbox/assumptions/payout.fee')).body.hits).toBe(1)
  })

  test('forgets requests beyond its size, so that verify knows only that there were more', async () => {
    const { url, one, other } = await openTwo({ requestLog: 1 })
    for (let n = 0; n < 60; n++) {
      await pay(one, n)
      if (n % 30 === 29) await look(one)
    }
    expect((await look(other, one)).items).toHaveLength(1)
    const expectations = { expect: [{ requests: { operation: 'createPayout' }, count: 1 }] }
    const verified = await other.call('POST', '/_sandbox/verify', expectations, KEY)
    expect(verified.body).toMatchObject({ ok: false })
    const [stored] = await postgres().query(url, 'SELECT sum(size)::int AS requests FROM requests')
    expect(stored?.requests).toBeLessThan(60)
  })

  test('lists a request whose row became visible after those that follow it', async () => {
    const { url, one, other } = await openTwo()
    await pay(one, 1)
    await look(one)
    await pay(one, 2)
    const { items } = await look(one)
    const first = 'n = (SELECT min(n) FROM requests)'
    const [late] = await postgres().query(url, `DELETE FROM requests WHERE ${first} RETURNING *`)
    expect((await look(other)).items).toHaveLength(1)
    await postgres().query(
      url,
      'INSERT INTO requests (world, n, at, size, body) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5)',
      [late?.world, late?.n, late?.at, late?.size, late?.body],
    )
    expect((await look(other)).items).toEqual(items)
  })

  test('outlives a sandbox, and is empty after a crash of the database', async () => {
    const { url, one, other } = await openTwo()
    await pay(one, 1)
    await one.sandbox.close()
    expect((await look(other, await open(url))).items).toHaveLength(1)
    const isComplete = async (at: SharedSandbox) =>
      (await get(at, '/_sandbox/activity')).body.complete
    expect(await isComplete(other)).toBe(true)
    await postgres().crash()
    const restarted = await open(url)
    expect((await look(other, restarted)).items).toEqual([])
    for (const at of [other, restarted]) {
      expect(await isComplete(at)).toBe(false)
      const page = await (await at.fetch(`/?world=${worldId(KEY)}`)).text()
      expect(page).toContain('The log begins later than this world.')
    }
    const { headers } = await pay(other, 2)
    expect((await look(other)).items).toMatchObject([{ id: headers.get('x-request-id') }])
  })

  test('lacks a request whose insert failed, and goes on', async () => {
    const { url, one, other } = await openTwo()
    await pay(one, 1)
    await look(one)
    await postgres().query(url, 'ALTER TABLE requests RENAME TO away')
    await pay(one, 2)
    expect((await get(one, LOG)).status).toBe(503)
    await postgres().query(url, 'ALTER TABLE away RENAME TO requests')
    await pay(one, 3)
    expect((await look(one, other)).items).toHaveLength(2)
  })
})
