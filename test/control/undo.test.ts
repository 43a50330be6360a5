import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { BEGINNING, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { live, recordsOf } from './all-mutations.js'

interface Undone {
  readonly now: string
  readonly seed: string
  readonly undone: { readonly kind: string; readonly operation: string }
  readonly entry: number
  readonly left: number
}

const undo = '/_sandbox/undo'
const payout = '/payment/api/v1/payout'
let api: Client

beforeEach(async () => {
  api = await openOwnSandbox({ seed: 'undo', machineClock: () => 0 })
})

test('a running clock is at the present again, and due timers fire again', async () => {
  let machine_ms = Date.parse(BEGINNING)
  const api = await openOwnSandbox({ clock: 'real', machineClock: () => machine_ms })
  const { id } = await startTransfer(api)
  await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: '1' })
  machine_ms += 9_000
  const { now, entry } = await api.make<Undone>(undo)
  expect(now).toBe(new Date(machine_ms).toISOString())
  expect(api.sandbox.entries().find(({ seq }) => seq === entry)?.command).toBe('world.undo')
  expect(await api.read(`/_sandbox/transfers/${id}`)).toMatchObject({ status: 'PAYMENT_PROCESSED' })
})

test('passes over what changed nothing: reads, and what was refused', async () => {
  const api = await openSandbox()
  await api.make(payout, payoutRequest())
  expectRefusal(await api.post(payout, { ...payoutRequest(), amount: '1.00' }), 400, '4000')
  await api.read('/onboarding/api/v1/users/all')
  const { undone } = await api.make<Undone>(undo)
  expect(undone.operation).toBe('createPayout')
})

describe('a reset or restore', () => {
  test('is undone, and nothing before it', async () => {
    const beginning = recordsOf(api)
    await live(api)
    const lived = recordsOf(api)
    await api.make('/_sandbox/reset')
    await api.make(payout, payoutRequest())
    await api.make(undo)
    expect(recordsOf(api)).toBe(beginning)
    expect(await api.make<Undone>(undo)).toMatchObject({ undone: { operation: 'reset' }, left: 0 })
    expect(recordsOf(api)).toBe(lived)
    expectRefusal(await api.post(undo), 409, '4090', 'since the last reset or restore.')
  })

  test('is undone with clock, timers and random numbers as without it', async () => {
    const other = await openOwnSandbox({ seed: 'undo', machineClock: () => 0 })
    for (const each of [api, other]) {
      await startTransfer(each)
      await each.make('/_sandbox/clock/advance', { by: '1s' })
      await each.make('/_sandbox/snapshots', { name: 'kept' })
      await each.make('/_sandbox/clock/advance', { by: '1s' })
    }
    for (const path of ['/_sandbox/reset', '/_sandbox/snapshots/kept/restore']) {
      await api.make(path)
      expect(api.sandbox.now).not.toBe(other.sandbox.now)
      await api.make(undo)
      expect(recordsOf(api)).toBe(recordsOf(other))
    }
    const again = async (each: typeof api) => [
      await each.make(payout, payoutRequest()),
      await each.make('/_sandbox/clock/advance', { until: 'idle' }),
      each.sandbox.audit(),
    ]
    const withoutNumbers = (text: unknown) =>
      JSON.stringify(text).replace(/"seq":\d+|"request":"[^"]+"/g, '')
    expect(withoutNumbers(await again(api))).toBe(withoutNumbers(await again(other)))
  })

  test('cannot be undone without its snapshot', async () => {
    await api.make('/_sandbox/reset')
    await api.call('DELETE', '/_sandbox/snapshots/before-reset')
    expectRefusal(await api.post(undo), 409, '4090', 'since the last reset or restore.')
  })
})

describe('with nothing to undo', () => {
  test('reaches back through the newest 1,000 commands and no further', async () => {
    const credit = { user_id: users.ada, currency: 'JPY', amount: '1' }
    for (let n = 0; n < 1_005; n++) api.sandbox.run('balance.credit', credit)
    for (let n = 0; n < 1_000; n++) await api.sandbox.fetch(undo, { method: 'POST' })
    expectRefusal(await api.post(undo), 409, '4090')
    const { items } = await api.read<{ items: { currency: string; amount: number }[] }>(
      `/_sandbox/users/${users.ada}/balances`,
    )
    expect(items.find(({ currency }) => currency === 'JPY')?.amount).toBe(5)
  })
})

test('one call that runs several commands is undone as one', async () => {
  const api = await openSandbox()
  const text =
    'name: mine\ntitle: Mine\nrules:\n  - when: payout.created\n    then: [{ stop: true }]\n'
  const before = recordsOf(api)
  await api.call('POST', '/_sandbox/scenarios?activate=true', {
    raw: text,
    headers: { 'content-type': 'application/yaml' },
  })
  expect(recordsOf(api)).not.toBe(before)
  await api.make(undo)
  expect(recordsOf(api)).toBe(before)
})

describe('a redo', () => {
  interface Redone {
    readonly redone: { readonly operation: string }
    readonly entry: number
    readonly left: number
  }
  const redo = '/_sandbox/redo'

  test('takes back the newest undo, once, until the next command that changes the world', async () => {
    const states = [recordsOf(api)]
    for (const amount of ['1', '2', '3']) {
      await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount })
      states.push(recordsOf(api))
    }
    for (let n = 0; n < 3; n++) await api.make(undo)
    await api.read('/_sandbox/clock')
    await api.post(payout, { ...payoutRequest(), amount: '-1' })
    const first = await api.make<Redone>(redo)
    expect(first).toMatchObject({ redone: { operation: 'creditUser' }, left: 1 })
    expect(recordsOf(api)).toBe(states[1])
    const made = api.sandbox.entries().at(-1)
    expect(made).toMatchObject({ seq: first.entry, command: 'world.redo' })
    expectRefusal(await api.post(redo), 409, '4090', 'takes back the newest undo, once')
    await api.make(undo)
    expect(recordsOf(api)).toBe(states[0])
    await api.make(payout, payoutRequest())
    expectRefusal(await api.post(redo), 409, '4090', 'Nothing to redo')
  })

  test('takes back timers that fired since the undo, with a running clock', async () => {
    let machine_ms = Date.parse(BEGINNING)
    const api = await openOwnSandbox({ clock: 'real', machineClock: () => machine_ms })
    const { id } = await startTransfer(api)
    const status = async () =>
      (await api.read<{ status: string }>(`/_sandbox/transfers/${id}`)).status
    await api.make(`/_sandbox/transfers/${id}/advance`, { to: 'FAILED' })
    await api.make(undo)
    machine_ms += 9_000
    expect(await status()).toBe('PAYMENT_PROCESSED')
    expect(await api.make<Redone>(redo)).toMatchObject({ left: 2 })
    expect(await status()).toBe('FAILED')
    await api.make(undo)
    expect(await status()).toBe('PAYMENT_PROCESSED')
    const credit = `/_sandbox/users/${users.ada}/balances`
    await api.make(credit, { currency: 'JPY', amount: '1' })
    for (let n = 0; n < 2; n++) await api.make(undo)
    expectRefusal(await api.get(`/_sandbox/transfers/${id}`), 404, '4040')
    expect(api.sandbox.audit().ok).toBe(true)
  })

  test.each(['/_sandbox/reset', '/_sandbox/snapshots/kept/restore'])(
    'of %s returns to the snapshot before-undo, and can be undone again',
    async (path) => {
      await api.make('/_sandbox/snapshots', { name: 'kept' })
      const { id } = await api.make<{ id: string }>(payout, payoutRequest())
      const lived = recordsOf(api)
      await api.make(path)
      const beginning = recordsOf(api)
      await api.make(payout, { ...payoutRequest(), amount: '2.00' })
      for (let n = 0; n < 2; n++) await api.make(undo)
      expect(recordsOf(api)).toBe(lived)
      const { items } = await api.read<{ items: { name: string }[] }>('/_sandbox/snapshots')
      expect(items.map(({ name }) => name)).toContain('before-undo')
      await api.make(redo)
      expect(recordsOf(api)).toBe(beginning)
      await api.make(undo)
      expect(recordsOf(api)).toBe(lived)
      const { complete } = await api.read<{ complete: boolean }>(`/_sandbox/records/${id}/why`)
      expect(complete).toBe(true)
    },
  )

  test('needs the snapshot before-undo for a reset', async () => {
    await api.make('/_sandbox/reset')
    await api.make(undo)
    await api.call('DELETE', '/_sandbox/snapshots/before-undo')
    expectRefusal(await api.post(redo), 409, '4090', 'Nothing to redo')
  })
})

describe('an undo to an entry', () => {
  const credit = async () => {
    const body = { currency: 'JPY', amount: '1' }
    await api.make(`/_sandbox/users/${users.ada}/balances`, body)
    return api.sandbox.entries().at(-1)?.seq ?? 0
  }

  test('undoes all commands after it, and one redo brings them back', async () => {
    const to = await credit()
    const then = recordsOf(api)
    await live(api)
    const end = recordsOf(api)
    const { undone } = await api.make<Undone>(undo, { to })
    expect(undone.operation).toBe('createConsent')
    expect(recordsOf(api)).toBe(then)
    await api.make('/_sandbox/redo')
    expect(recordsOf(api)).toBe(end)
    const { left } = await api.make<Undone>(undo, { to })
    expect([recordsOf(api), left]).toEqual([then, 1])
  })

  test('is shown before, and changes nothing then', async () => {
    const commandsOf = async (query = '') => {
      const { entries } = await api.read<{ entries: { command: string }[] }>(undo + query)
      return entries.map(({ command }) => command)
    }
    expectRefusal(await api.get(undo), 409, '4090', 'Nothing to undo')
    const to = await credit()
    await credit()
    await startTransfer(api)
    await api.make('/_sandbox/clock/advance', { by: '2s' })
    const state = recordsOf(api)
    expect(await commandsOf()).toEqual(['transfer.move', 'clock.set'])
    const all = ['balance.credit', 'transfer.start', 'transfer.move', 'clock.set']
    expect(await commandsOf(`?to=${to}`)).toEqual(all)
    expectRefusal(await api.get(`${undo}?to=99`), 409, '4090', 'entry 99')
    expect(recordsOf(api)).toBe(state)
    await api.make('/_sandbox/reset')
    expect(await commandsOf()).toEqual(['world.begin'])
  })

  test('is refused for one that was undone, that no command follows, or before a reset', async () => {
    const gone = await credit()
    await api.make(undo)
    const answers = [
      await api.post(undo, { to: gone }),
      await api.post(undo, { to: await credit() }),
      await api.post(undo, { to: 99 }),
    ]
    const last = api.sandbox.entries().at(-1)?.seq
    await api.make('/_sandbox/reset')
    answers.push(await api.post(undo, { to: last }))
    for (const answer of answers) expectRefusal(answer, 409, '4090')
    const [undone] = answers
    if (undone) expectRefusal(undone, 409, '4090', `entry ${gone} is not part`)
  })
})
