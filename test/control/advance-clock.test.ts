import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { type Advanced, type Clock, startRequest, startTransfer } from '../support/control.js'
import { BEGINNING, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { scenarioFile } from '../support/scenario-file.js'
import { worldKey } from '../support/worlds.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const path = '/_sandbox/clock/advance'
const ONE = 'Expected one of by, to and until, such as {"by":"30m"} or {"until":"idle"}'

const later = (ms: number) => new Date(Date.parse(BEGINNING) + ms).toISOString()

describe('advanceClock', () => {
  const FAR = 'a duration that ends by 9999-12-31T23:59:59.999Z'

  test.each([
    [{ by: '2920000d' }, FAR],
    [{ by: '253000000000000ms' }, FAR],
    [{ by: '1s', to: later(5_000) }, ONE],
    [{ by: '1s', until: 'idle' }, ONE],
    [{ to: later(5_000), until: 'idle' }, ONE],
  ])('%j is refused', async (body, words) => {
    expectRefusal(await api.post(path, body), 400, '4000', words)
    expect(api.sandbox.now).toBe(BEGINNING)
  })

  test('to an instant, fired entries in order and each at its own time', async () => {
    const { id: first } = await startTransfer(api)
    api.sandbox.advance('1s')
    const { id: second } = await startTransfer(api)
    const answer = await api.make<Advanced>(path, { to: later(5_000) })
    expect(answer.now).toBe(later(5_000))
    expect(answer.count).toBe(4)
    const moves = answer.fired.map(({ at, command, cause, input }) => [
      at,
      command,
      cause.kind,
      input.id,
      input.to,
    ])
    expect(moves).toEqual([
      [later(2_000), 'transfer.move', 'timer', first, 'FUNDS_RECEIVED'],
      [later(3_000), 'transfer.move', 'timer', second, 'FUNDS_RECEIVED'],
      [later(4_000), 'transfer.move', 'timer', first, 'CONVERSION_PROCESSED'],
      [later(5_000), 'transfer.move', 'timer', second, 'CONVERSION_PROCESSED'],
    ])
    const numbers = answer.fired.map(({ seq }) => seq)
    expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
  })

  test('to an earlier instant is refused, to now is not', async () => {
    const words = `an instant from the world’s now, ${BEGINNING}, up to`
    expectRefusal(await api.post(path, { to: later(-1) }), 400, '4000', words)
    expect(await api.make<Advanced>(path, { to: BEGINNING })).toHaveProperty('now', BEGINNING)
    const beyond = await api.post(path, { to: '9999-12-31T23:59:59.999-14:00' })
    expectRefusal(beyond, 400, '4000', 'up to 9999-12-31T23:59:59.999Z')
  })

  test('until idle stops at the last timer', async () => {
    await startTransfer(api)
    const answer = await api.make<Advanced>(path, { until: 'idle' })
    expect(answer).toMatchObject({ now: later(8_000), count: 4 })
    expect(await api.read<Clock>('/_sandbox/clock')).toMatchObject({ pending: 0, next: [] })
    const again = await api.make<Advanced>(path, { until: 'idle' })
    expect(again).toEqual({ now: later(8_000), count: 0, fired: [] })
  })

  test('of more than a thousand entries the newest are shown, and all are counted', async () => {
    for (let n = 0; n < 260; n++) {
      api.sandbox.run('transfer.start', startRequest())
    }
    const { count, fired } = await api.make<Advanced>(path, { until: 'idle' })
    expect(count).toBe(1_040)
    expect(fired).toHaveLength(1_000)
    expect(fired.at(-1)).toMatchObject({ at: later(8_000), input: { to: 'PAYMENT_PROCESSED' } })
    expect(fired[0]).toMatchObject({ at: later(2_000) })
  })

  test('rules that set each other off for ever are stopped, named, and undone by a reset', async () => {
    api = await openOwnSandbox({ scenarios: [endless()] })
    const answer = await api.post(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
    expectRefusal(answer, 409, '4090', ...BOTH, '10,000 firings at one instant')
    await api.make('/_sandbox/reset')
    expect(await api.make<Advanced>(path, { by: '1s' })).toHaveProperty('count', 0)
  })
})

test('a long advance lets other worlds have their turn, and requests of its own world wait for its end', async () => {
  api = await openOwnSandbox({ scenarios: [endless('1s')] })
  await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
  const order: string[] = []
  const note = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const it = await answer
    order.push(name)
    return it
  }
  const advanced = note('advance', api.make<Advanced>(path, { by: '2h' }))
  await note('health', api.get('/_sandbox/health'))
  const [advance, clock, again] = await Promise.all([
    advanced,
    note('same world', api.read<Clock>('/_sandbox/clock')),
    note('same world', api.make<Advanced>(path, { by: '1s' })),
    note('other world', api.get('/_sandbox/clock', { key: worldKey('other') })),
  ])
  expect(order.slice(0, 2)).toEqual(['health', 'other world'])
  expect(advance.now).toBe(later(2 * 3_600_000))
  expect(advance.count).toBe(2 * 3_600)
  expect(clock.now >= advance.now).toBe(true)
  expect(again.now).toBe(later(2 * 3_600_000 + 1_000))
  await api.make('/_sandbox/undo')
  await api.make('/_sandbox/undo')
  expect((await api.read<Clock>('/_sandbox/clock')).now).toBe(BEGINNING)
  expect(api.sandbox.audit().violations).toEqual([])
})

test('a long advance ends where a program resets its world meanwhile', async () => {
  api = await openOwnSandbox({ scenarios: [endless('1s')] })
  await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
  const advance = api.post(path, { by: '2h' })
  await api.get('/_sandbox/health')
  api.sandbox.reset()
  expect((await advance).status).toBe(200)
  expect((await api.read<Clock>('/_sandbox/clock')).now).toBe(BEGINNING)
  const numbers = api.sandbox.entries().map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
})

const BOTH = ['rule 0 of scenario endless (endless.yaml:4)', ' and ', '1 of scenario endless']

/** A scenario in which a user is paused and activated without end, in no time unless it takes its time. */
const endless = (after = '0s'): string => {
  const rule = (from: string, to: string) => `
  - when: user.moved
    if: { status: ${from} }
    then:
      - { after: ${after}, move: ${to} }`
  return scenarioFile('endless', rule('paused', 'active') + rule('active', 'paused'))
}
