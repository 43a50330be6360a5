import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { BEGINNING } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { live, recordsOf } from './all-mutations.js'

interface Snapshot {
  readonly name: string
  readonly now: string
  readonly entry: number
}

const snapshots = '/_sandbox/snapshots'
const payout = '/payment/api/v1/payout'
const restore = (name: string) => `${snapshots}/${name}/restore`
const names = async (api: Client) =>
  (await api.read<{ items: Snapshot[] }>(snapshots)).items.map(({ name }) => name)

let api: Client

beforeEach(async () => {
  api = await openOwnSandbox({ seed: 'snapshots', machineClock: () => 0 })
})

test('is listed, the newest first', async () => {
  const first = await api.post<Snapshot>(snapshots, { name: 'first' })
  expect(first).toMatchObject({ status: 201, body: { name: 'first', now: BEGINNING } })
  expect(first.body.entry).toBe(api.sandbox.entries().at(-1)?.seq)
  await api.make('/_sandbox/clock/advance', { by: '1m' })
  await api.make(snapshots, { name: 'second' })
  const list = await api.read<{ items: Snapshot[] }>(snapshots)
  expect(list.items.map(({ name }) => name)).toEqual(['second', 'first'])
  expect(list.items[0]?.now).toBe('2026-06-15T09:01:00.000Z')
})

test('a clock that runs goes on from the time of the snapshot', async () => {
  let machine = Date.parse('2026-06-15T10:00:00.000Z')
  const api = await openOwnSandbox({ clock: 'real', machineClock: () => machine })
  await api.make(snapshots, { name: 'then' })
  machine += 60_000
  await api.make(restore('then'))
  expect(api.sandbox.now).toBe('2026-06-15T10:00:00.000Z')
  machine += 1_500
  expect(api.sandbox.now).toBe('2026-06-15T10:00:01.500Z')
})

test('outlives a reset, and a restore can be undone', async () => {
  await live(api)
  const lived = recordsOf(api)
  await api.make(snapshots, { name: 'lived' })
  await api.make('/_sandbox/reset')
  const beginning = recordsOf(api)
  const restored = await api.make(restore('lived'))
  expect(restored).toEqual({ now: api.sandbox.now, seed: 'snapshots' })
  expect(recordsOf(api)).toBe(lived)
  await api.make('/_sandbox/undo')
  expect(recordsOf(api)).toBe(beginning)
})

test('leaves entries that name their calls and what they did', async () => {
  const answers = [
    await api.post(snapshots, { name: 'named' }),
    await api.post(restore('named')),
    await api.call('DELETE', `${snapshots}/named`),
  ]
  const operations = ['takeSnapshot', 'restoreSnapshot', 'deleteSnapshot']
  const facts = ['snapshot.taken', 'snapshot.restored', 'snapshot.dropped']
  const entries = api.sandbox.entries().slice(-4)
  const [before] = entries.splice(1, 1)
  expect(before?.events).toEqual([{ type: 'snapshot.taken', id: 'before-restore' }])
  expect(entries).toMatchObject(
    answers.map(({ headers }, n) => ({
      cause: { kind: 'control', request: headers.get('x-request-id'), operation: operations[n] },
      events: expect.arrayContaining([{ type: facts[n], id: 'named' }]),
    })),
  )
})

test('a snapshot replaces the one of the same name', async () => {
  await api.make(snapshots, { name: 'again' })
  await api.make(payout, payoutRequest())
  const second = await api.post<Snapshot>(snapshots, { name: 'again' })
  expect(second.status).toBe(200)
  const records = recordsOf(api)
  await api.make('/_sandbox/reset')
  await api.make(restore('again'))
  expect(recordsOf(api)).toBe(records)
  expect(await names(api)).toEqual(['before-restore', 'before-reset', 'again'])
})

test('is deleted, and then it is unknown', async () => {
  const taken = await api.make(snapshots, { name: 'gone' })
  await api.make(payout, payoutRequest())
  const deleted = await api.call('DELETE', `${snapshots}/gone`)
  expect(deleted).toMatchObject({ status: 200, body: taken })
  expectRefusal(await api.call('DELETE', `${snapshots}/gone`), 404, '4040', 'This world has none.')
  expectRefusal(await api.post(restore('gone')), 404, '4040', 'no snapshot has the name gone')
})

test('a reset and a restore keep one snapshot each, which is restored by name', async () => {
  await api.make('/_sandbox/reset')
  await api.make(payout, payoutRequest())
  const paid = recordsOf(api)
  await api.make('/_sandbox/reset')
  const beginning = recordsOf(api)
  expect(await names(api)).toEqual(['before-reset'])
  await api.make(restore('before-reset'))
  expect(recordsOf(api)).toBe(paid)
  for (const records of [beginning, paid]) {
    await api.make(restore('before-restore'))
    expect(recordsOf(api)).toBe(records)
  }
  expect(await names(api)).toEqual(['before-restore', 'before-reset'])
})

describe('refused', () => {
  test.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['capitals', { name: 'Before' }],
    ['65 characters', { name: 'a'.repeat(65) }],
    ['a path', { name: '../../etc/passwd' }],
    ['a number', { name: 7 }],
  ])('%s', async (_, body) => {
    const api = await openSandbox()
    expectRefusal(await api.post(snapshots, body), 400, '4000', 'name', '1 to 64 characters')
  })

  test('an unknown name, with those that are there', async () => {
    await api.make(snapshots, { name: 'before' })
    expectRefusal(await api.post(restore('befor')), 404, '4040', 'This world has before.')
    expectRefusal(await api.post(restore('__proto__')), 400, '4000', 'name')
  })

  test('a name that only a reset or restore takes', async () => {
    for (const name of ['before-reset', 'before-payout']) {
      const refused = await api.post(snapshots, { name })
      expectRefusal(refused, 400, '4000', 'Expected a name that does not begin with before-.')
    }
    expect(await names(api)).toEqual([])
  })

  test('one more than 100, not counting those of resets and restores', async () => {
    await api.make('/_sandbox/reset')
    for (let n = 0; n < 100; n++) await api.make(snapshots, { name: `n${n}` })
    expectRefusal(await api.post(snapshots, { name: 'n100' }), 400, '4000', '100 snapshots')
    expect((await api.post(snapshots, { name: 'n7' })).status).toBe(200)
  })
})
