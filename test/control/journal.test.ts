import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { type Entry, startTransfer } from '../support/control.js'
import { users } from '../support/fixture-ids.js'
import { expected, invalid } from '../support/invalid.js'
import { openCore, openOwnSandbox, openSandbox } from '../support/open-sandbox.js'

const path = '/_sandbox/journal'

interface Page {
  readonly items: readonly Entry[]
  readonly next: number
  readonly oldest: number
}

let api: Client

beforeEach(async () => {
  api = await openOwnSandbox()
})

const read = (api: Pick<Client, 'read'>, query = '') => api.read<Page>(path + query)
const seqs = ({ items }: Page) => items.map(({ seq }) => seq)

/** Makes so many entries. */
const fill = ({ sandbox }: Client, count: number): void => {
  for (let i = 0; i < count; i++) {
    sandbox.run('balance.credit', { user_id: users.ada, currency: 'USD', amount: '1.00' })
  }
}

describe('readJournal', () => {
  test('begins with the fixtures and how the world was opened', async () => {
    const { items, next, oldest } = await read(api)
    expect(items.map(({ command }) => command)).toEqual([
      'fixtures.load',
      'scenarios.activate',
      'world.begin',
      'clock.set',
    ])
    expect({ next, oldest }).toEqual({ next: 4, oldest: 1 })
  })

  test('shows each entry with its cause, its events and its changes', async () => {
    const { id } = await startTransfer(api)
    api.sandbox.advance('2s')
    const { items } = await read(api, '?after=4&size=2')
    expect(items).toMatchObject([
      {
        seq: 5,
        at: '2026-06-15T09:00:00.000Z',
        command: 'transfer.start',
        cause: { kind: 'control', operation: 'startTransfer' },
        input: { source_amount: '500.00' },
        events: [{ type: 'transfer.created', id }],
        changes: expect.arrayContaining([expect.objectContaining({ table: 'transfers', id })]),
      },
      { seq: 6, command: 'transfer.move', cause: { kind: 'timer', scenario: 'happy-path' } },
    ])
  })

  test('a cursor leads through it, oldest first', async () => {
    fill(api, 10)
    const first = await read(api, '?after=0&size=5')
    expect([seqs(first), first.next]).toEqual([[1, 2, 3, 4, 5], 5])
    const rest = await read(api, `?after=${first.next}`)
    expect([seqs(rest), rest.next]).toEqual([[6, 7, 8, 9, 10, 11, 12, 13, 14], 14])
    const none = await read(api, `?after=${rest.next}`)
    expect(none).toEqual({ items: [], next: 14, oldest: 1 })
  })

  test('goes on through a reset', async () => {
    await api.make('/_sandbox/reset')
    const page = await read(api, '?after=3')
    expect(seqs(page)).toEqual([4, 5, 6, 7])
    expect(page.items[2]).toMatchObject({
      command: 'world.begin',
      cause: { kind: 'control', operation: 'reset' },
    })
  })

  test('a cursor before what is kept is 410 and names the oldest', async () => {
    fill(api, 10_019)
    expectRefusal(
      await api.get(`${path}?after=22`),
      410,
      '4110',
      invalid('after', 22),
      'The oldest entry that is kept is 24.',
      expected('23 to 10023'),
    )
    expect(seqs(await read(api, '?after=23&size=2'))).toEqual([24, 25])
    expect((await read(api)).oldest).toBe(24)
  })

  test('so is a cursor that was never reached: of a sandbox that is no more', async () => {
    const words = [invalid('after', 5), 'The newest entry is 4.', 'restarted']
    expectRefusal(await api.get(`${path}?after=5`), 410, '4110', ...words)
    expect((await read(api, '?after=4')).items).toEqual([])
  })

  test.each([
    ['after=-1', 'after: '],
    ['after=x', invalid('after', 'x')],
    ['after=1.5', 'after: '],
    ['after=1&after=2', 'after was sent 2 times'],
    ['size=0', 'size: '],
    ['size=1001', 'a whole number from 1 to 1000'],
  ])('?%s is 400', async (query, words) => {
    expectRefusal(await (await openSandbox()).get(`${path}?${query}`), 400, '4000', words)
  })

  test('a page holds as many entries as fit, and the cursor goes on behind them', async () => {
    const api = await openCore()
    const newest = (await read(api)).next
    const text = 'x'.repeat(17_000_000)
    for (let n = 0; n < 2; n++) {
      const input = { id: 'long', text, scenario: { name: 'long' } }
      api.sandbox.main.world.run('scenario.post', input, { kind: 'library' })
    }
    const first = await read(api, `?after=${newest}&size=1000`)
    expect(first.items).toHaveLength(1)
    const all = seqs(first)
    for (let next = first.next; ; ) {
      const page = await read(api, `?after=${next}&size=1000`)
      if (page.items.length === 0) break
      all.push(...seqs(page))
      next = page.next
    }
    expect(all).toEqual([newest + 1, newest + 2])
  })
})
