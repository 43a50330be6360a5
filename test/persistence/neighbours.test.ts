import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sessionKey } from '../../src/lib/session-keys.js'
import { openPostgresStore } from '../../src/worlds/postgres/store.js'
import { ownId } from '../support/fixture-ids.js'
import { hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { openOn } from '../support/shared-sandbox.js'
import { Partner } from '../support/tenants.js'
import { Timers } from '../support/timers.js'

const KIB = 1024

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const call = (method: string, path: string, body?: unknown): Call => ({ method, path, body })

const scenario = (kib: number) =>
  call('POST', '/_sandbox/scenarios', {
    name: 'large',
    title: 't',
    rules: [{ when: 'request', then: [{ respond: { status: 503, body: 'x'.repeat(kib * KIB) } }] }],
  })

/** Calls that a tenant with a token may try, in small. */
const attack = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map(scenario),
  fc.constantFrom(
    call('POST', '/_sandbox/snapshots', { name: 'a' }),
    call('POST', '/_sandbox/snapshots/a/fork'),
    call('POST', '/_sandbox/reset'),
    call('POST', '/_sandbox/undo'),
    call('POST', '/_sandbox/worlds', { name: 'a\0b' }),
    call('POST', '/_sandbox/api-keys', { name: 'a\0b' }),
    call('GET', '/_sandbox/worlds?size=1000'),
    call('GET', '/_sandbox/worlds?name=%00'),
    call('GET', '/_sandbox/journal?world=a%00b'),
    call('GET', '/_sandbox/journal'),
    call('GET', '/_sandbox/requests?world=all'),
    call('GET', '/_sandbox/assumptions/report?world=all'),
    call('POST', '/_sandbox/clock/advance', { by: '3650d' }),
    call('GET', '/console/requests?text=((((((((((a%2B)%2B)%2B)%2B)%2B)%2B)'),
  ),
)

describe.skipIf(!hasPostgres)('tenants of one Postgres', () => {
  const postgres = usePostgres()

  test('get their answers whatever another tenant tries, which gets no error of the server', async () => {
    const url = await postgres().createPlace()
    const schedule = new Timers().later
    const log = await openPostgresStore(url, { schedule, warn: () => {} })
    onTestFinished(() => log.close())
    const [a, b] = [new Partner('a'), new Partner('b')]
    const sizes = { worldBytes: 600 * KIB, tenantBytes: 2_000 * KIB }
    const { fetch } = await openOn(log, {}, { tenantsClock: () => Date.now(), ...sizes })
    for (const { tenant, token } of [a, b]) {
      const { name, prefix_hash, token_hash } = tenant
      const limits = [undefined, undefined]
      await log.index.addTenant(name, prefix_hash, token_hash, ...limits, sessionKey(token))
    }
    const send = async (by: Partner, world: number, { method, path, body }: Call) => {
      const headers = {
        ...(!path.includes('world=all') && { 'x-api-key': by.key(world) }),
        authorization: `Bearer ${by.token}`,
        'content-type': 'application/json',
      }
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      return (await fetch(path, init)).status
    }
    let paid = 0
    const pay = () =>
      send(b, 0, {
        ...call('POST', '/payment/api/v1/payout'),
        body: { ...payoutRequest(), customer_payout_id: ownId(++paid), amount: '0.01' },
      })
    expect(await pay()).toBe(200)
    const attacks = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), attack), { minLength: 4 })
    const property = fc.asyncProperty(attacks, async (tried) => {
      const attacking = Promise.all(tried.map(([world, it]) => send(a, world, it)))
      expect(await Promise.all([pay(), pay(), pay()])).toEqual([200, 200, 200])
      const statuses = await attacking
      expect(statuses.filter((it) => it >= 500 && it !== 507)).toEqual([])
      expect(await pay()).toBe(200)
    })
    await fc.assert(property, { numRuns: 8 })
  })
})
