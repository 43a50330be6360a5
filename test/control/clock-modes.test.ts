import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { type Clock, startTransfer } from '../support/control.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import type { User } from '../support/wire.js'

const path = '/_sandbox/clock'

/** A machine whose time only the test moves. */
class Machine {
  now = Date.parse('2026-07-01T12:00:00.000Z')

  readonly read = () => this.now

  /** As the machine's time would print, so many milliseconds away from its now. */
  at(ms = 0): string {
    return new Date(this.now + ms).toISOString()
  }
}

const open = async (clock: string, start?: string): Promise<{ api: Client; machine: Machine }> => {
  const machine = new Machine()
  if (start) machine.now = Date.parse(start)
  return { api: await openOwnSandbox({ clock, machineClock: machine.read }), machine }
}

const nowOf = async (api: Client): Promise<string> => (await api.read<Clock>(path)).now

const set = async (api: Client, body: object): Promise<Clock> => {
  const answer = await api.call<Clock>('PUT', path, { body })
  expect(answer.status).toBe(200)
  return answer.body
}

test.each(['manual', '60x'])(
  'a %s clock begins at the machine’s now when asked to',
  async (clock) => {
    const machine = new Machine()
    const api = await openOwnSandbox({ clock, now: 'machine', machineClock: machine.read })
    expect(await nowOf(api)).toBe(machine.at())
    machine.now += 1_000
    await api.call('POST', '/_sandbox/reset')
    expect(await nowOf(api)).toBe(machine.at())
  },
)

describe('a real clock', () => {
  test('runs with the machine', async () => {
    const { api, machine } = await open('real')
    expect(await api.read<Clock>(path)).toMatchObject({ now: machine.at(), mode: 'real', speed: 1 })
    machine.now += 1_234
    expect(await nowOf(api)).toBe(machine.at())
    expect(api.sandbox.now).toBe(machine.at())
  })

  test('fires due timers before either API answers a request', async () => {
    const { api, machine } = await open('real')
    const { id } = await api.make<User>('/onboarding/api/v1/users', userRequest())
    const status = async () =>
      (await api.read<User[]>('/onboarding/api/v1/users/all')).find((it) => it.id === id)?.status
    machine.now += 1_999
    expect(await status()).toBe('under_review')
    machine.now += 1
    expect(await status()).toBe('active')
  })

  test('keeps what it was advanced by', async () => {
    const { api, machine } = await open('real')
    const first = await api.make<Clock>(`${path}/advance`, { by: '30m' })
    expect(first.now).toBe(machine.at(1_800_000))
    machine.now += 5_000
    expect(await nowOf(api)).toBe(machine.at(1_800_000))
    expect(api.sandbox.advance('1h').now).toBe(machine.at(5_400_000))
    expect(await nowOf(api)).toBe(machine.at(5_400_000))
  })

  test('an advance counts from the time that the machine has reached', async () => {
    const { api, machine } = await open('real')
    await startTransfer(api)
    machine.now += 2_000
    const { now, count } = await api.make<Clock & { count: number }>(`${path}/advance`, {
      by: '2s',
    })
    expect(now).toBe(machine.at(2_000))
    expect(count, 'timers that were due before are not part of the advance').toBe(1)
  })
})

describe('a clock at a speed', () => {
  test('fires timers at their own world time', async () => {
    const { api, machine } = await open('60x')
    const { id } = await startTransfer(api)
    machine.now += 100
    expect(await api.read(`/_sandbox/transfers/${id}`)).toMatchObject({
      status: 'PAYMENT_SUBMITTED',
      funds_received_at: '2026-06-15T09:00:02.000Z',
    })
    expect(await nowOf(api)).toBe('2026-06-15T09:00:06.000Z')
  })
})

describe('a clock that is set', () => {
  test('stops in manual mode, and continues from there', async () => {
    const { api, machine } = await open('real')
    const stopped = await set(api, { mode: 'manual' })
    machine.now += 3_600_000
    expect(await nowOf(api)).toBe(stopped.now)
    await api.make(`${path}/advance`, { by: '1s' })
    expect(await nowOf(api)).toBe(machine.at(-3_599_000))
    await set(api, { mode: 'real' })
    machine.now += 500
    expect(await nowOf(api)).toBe(machine.at(-3_599_000))
  })

  test('changes its speed from the present time on', async () => {
    const { api, machine } = await open('manual')
    await set(api, { mode: '60x' })
    machine.now += 1_000
    expect(await set(api, { speed: 2 })).toMatchObject({
      now: '2026-06-15T09:01:00.000Z',
      speed: 2,
    })
    machine.now += 1_000
    expect(await nowOf(api)).toBe('2026-06-15T09:01:02.000Z')
    await set(api, { mode: 'manual', now: '2026-06-16T00:00:00Z' })
    machine.now += 1_000
    expect(await nowOf(api)).toBe('2026-06-16T00:00:00.000Z')
  })

  test('a running clock stops at the last instant', async () => {
    const { api, machine } = await open('manual')
    await set(api, { now: '9999-12-31T23:59:59.000Z', mode: 'real' })
    machine.now += 10_000
    expect(await nowOf(api)).toBe('9999-12-31T23:59:59.999Z')
    expect((await api.get('/onboarding/api/v1/users/all')).status).toBe(200)
  })
})
