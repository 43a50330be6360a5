import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { ownId } from '../support/fixture-ids.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { openOn, type SharedSandbox, UnreliableLog } from '../support/shared-sandbox.js'
import { Timers } from '../support/timers.js'
import { worldId, worldKey } from '../support/worlds.js'

const KEYS = ['a', 'b', 'c', 'd', 'e'].map(worldKey)
const [TWICE = '', RETRIED = ''] = KEYS
const ID = worldId(TWICE)

const pay = (at: SharedSandbox, key: string, n: number) =>
  at.call(
    'POST',
    '/payment/api/v1/payout',
    { ...payoutRequest(), customer_payout_id: ownId(n) },
    key,
  )

const payLost = async (at: SharedSandbox, key: string) => {
  await at.call('POST', '/_sandbox/next', { then: { drop: 'after' } }, key)
  await pay(at, key, 1).catch(() => {})
}

const list = async (at: SharedSandbox, query = '') =>
  (await at.call('GET', `/_sandbox/worlds?${query}`)).body

const countIn = async (at: SharedSandbox) => (await list(at, 'size=1')).with_problems

const describeLog = (open: () => Promise<() => Promise<SharedSandbox>>) => {
  const openMany = async () => {
    const openNext = await open()
    const [one, other] = [await openNext(), await openNext()]
    for (const key of KEYS) await payLost(one, key)
    await pay(one, TWICE, 2)
    await pay(one, RETRIED, 1)
    // Waits for the inserts of its requests.
    expect(await countIn(one)).toBe(1)
    return { one, other, openNext }
  }

  test('is counted and found at a sandbox that has not read it', async () => {
    const { one, other, openNext } = await openMany()
    expect(await countIn(other)).toBe(1)
    const found = await list(await openNext(), 'problems=true')
    expect(found).toMatchObject({
      items: [
        { id: ID, problems: [{ kind: 'bad', text: expect.stringMatching(/^paid twice: 1,/) }] },
      ],
      pagination: { total_elements: 1 },
      with_problems: 1,
      unfinished: null,
    })
    const page = await (await other.fetch('/worlds?status=problems')).text()
    expect(page).toContain('With a problem: 1.')
    expect(page.match(/aria-label="Choose /g)).toHaveLength(1)
    expect(page).toMatch(/>within \d+ m?s</)
    expect((await list(one)).pagination.total_elements).toBe(KEYS.length + 1)
  })

  test('is counted no more after an undo, and again after its redo', async () => {
    const { one, other, openNext } = await openMany()
    for (const [call, count] of [
      ['undo', 0],
      ['redo', 1],
      ['reset', 0],
      ['undo', 1],
      ['redo', 0],
      ['undo', 1],
    ] as const) {
      await one.call('POST', `/_sandbox/${call}`, undefined, TWICE)
      expect([await countIn(other), await countIn(await openNext())]).toEqual([count, count])
    }
  })

  test('is counted when the second payment goes to another sandbox', async () => {
    const { other, openNext } = await openMany()
    expect(await countIn(other)).toBe(1)
    await pay(other, KEYS[4] ?? '', 2)
    expect(await countIn(other)).toBe(2)
    expect((await list(await openNext(), 'problems=true')).with_problems).toBe(2)
  })
}

describe('a world with a bill that was paid twice, in a shared log', () => {
  describeLog(async () => {
    const log = new UnreliableLog({ isShared: true })
    return () => openOn(log)
  })
})

describe.skipIf(!hasPostgres)('a world with a bill that was paid twice, on Postgres', () => {
  const postgres = usePostgres()

  describeLog(async () => {
    const url = await postgres().createPlace()
    return async () => {
      const log = await openPostgresStore(url, { schedule: new Timers().later, warn: () => {} })
      const opened = await openOn(log)
      onTestFinished(() => opened.sandbox.close())
      return opened
    }
  })
})
