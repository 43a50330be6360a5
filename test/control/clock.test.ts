import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { type Clock, startTransfer } from '../support/control.js'
import { BEGINNING } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const path = '/_sandbox/clock'

describe('getClock', () => {
  test('starts at the time of the fixtures, without pending timers', async () => {
    const expected = { now: BEGINNING, mode: 'manual', speed: 0, pending: 0, next: [] }
    expect(await api.read<Clock>(path)).toEqual(expected)
  })

  test('shows the timers that fire next, soonest first', async () => {
    const first = await startTransfer(api)
    api.sandbox.advance('1s')
    const second = await startTransfer(api)
    const { pending, next } = await api.read<Clock>(path)
    expect(pending).toBe(2)
    expect(next).toMatchObject([
      { due: '2026-06-15T09:00:02.000Z', subject: first.id, command: 'transfer.move' },
      { due: '2026-06-15T09:00:03.000Z', subject: second.id, command: 'transfer.move' },
    ])
    expect(next[0]).toMatchObject({
      input: { id: first.id, to: 'FUNDS_RECEIVED' },
      scenario: 'happy-path',
      rule: 1,
      source: expect.stringMatching(/^happy-path\.yaml:\d+$/),
    })
  })

  test('shows at most twenty timers, and counts them all', async () => {
    for (let n = 0; n < 25; n++) await startTransfer(api)
    const { pending, next } = await api.read<Clock>(path)
    expect(pending).toBe(25)
    expect(next).toHaveLength(20)
  })
})

describe('setClock', () => {
  test.each([
    [{ mode: 'manual' }, 'manual', 0],
    [{ mode: 'real' }, 'real', 1],
    [{ mode: '60x' }, 'speed', 60],
    [{ mode: '0.5x' }, 'speed', 0.5],
    [{ speed: 60 }, 'speed', 60],
    [{ speed: 1_000_000 }, 'speed', 1_000_000],
    [{ mode: 'speed', speed: 0.25 }, 'speed', 0.25],
    [{ speed: 1 }, 'real', 1],
    [{ speed: 0 }, 'manual', 0],
    // As reading the clock shows them.
    [{ mode: 'manual', speed: 0 }, 'manual', 0],
    [{ mode: 'real', speed: 1 }, 'real', 1],
    [{ mode: '60x', speed: 60 }, 'speed', 60],
  ])('%j', async (body, mode, speed) => {
    const { body: clock } = await api.call<Clock>('PUT', path, { body })
    expect(clock).toMatchObject({ mode, speed })
  })

  test.each([
    ['manual', 0],
    ['real', 1],
    ['60x', 60],
  ])('another speed does not go with mode %s', async (mode, own) => {
    const answer = await api.call('PUT', path, { body: { mode, speed: 5 } })
    const words = `Invalid speed: got 5 with mode "${mode}". Expected ${own}, or speed alone`
    expectRefusal(answer, 400, '4000', words)
  })

  test('a later now fires what is due by then, each at its own time', async () => {
    const { id } = await startTransfer(api)
    const body = { now: '2026-06-15T11:00:05+02:00' }
    const { body: clock } = await api.call<Clock>('PUT', path, { body })
    expect(clock).toMatchObject({ now: '2026-06-15T09:00:05.000Z', mode: 'manual', pending: 1 })
    const transfer = await api.read<object>(`/_sandbox/transfers/${id}`)
    expect(transfer).toMatchObject({
      status: 'CONVERSION_PROCESSED',
      funds_received_at: '2026-06-15T09:00:02.000Z',
      conversion_processed_at: '2026-06-15T09:00:04.000Z',
    })
  })

  test('time never goes back, and the mode stays when now is refused', async () => {
    const body = { now: '2026-06-15T08:59:59.999Z', mode: 'real' }
    const words = `an instant from the world’s now, ${BEGINNING}, up to`
    expectRefusal(await api.call('PUT', path, { body }), 400, '4000', words)
    expect(await api.read<Clock>(path)).toMatchObject({ now: BEGINNING, mode: 'manual' })
  })
})
