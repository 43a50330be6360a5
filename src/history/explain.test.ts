import { describe, expect, test } from 'vitest'
import type { Cause, Entry } from '../kernel/entry.js'
import { RecordHistories } from './explain.js'
import { buildLineage } from './lineage.js'

const request: Cause = { kind: 'request', request: 'r1', operation: 'createUser' }
const byTimer = (timer: string): Cause => ({
  kind: 'timer',
  timer,
  scenario: 'happy-path',
  rule: 1,
  step: 0,
  source: 'happy-path.yaml:9',
})

let seq = 0
const entry = (command: string, cause: Cause, more: Partial<Entry> = {}): Entry => ({
  seq: ++seq,
  at: `2026-06-15T09:00:${String(seq % 60).padStart(2, '0')}.000Z`,
  cause,
  command,
  input: {},
  events: [],
  changes: [],
  ...more,
})

const record = { id: 'u', n: 1 }
const timer = (id: string, subject = 'u') => ({
  table: 'timers',
  id,
  record: { id, n: 1, plan: { subject } },
})
const change = { table: 'users', id: 'u', record }
const begin = () => entry('world.begin', { kind: 'boot' })
const made = () =>
  entry('user.create', request, {
    events: [{ type: 'user.created', id: 'u' }],
    changes: [change, timer('1.0')],
  })
const moved = (by: string) =>
  entry('user.move', byTimer(by), {
    events: [{ type: 'user.moved', id: 'u', from: 'under_review', to: 'active' }],
    changes: [change, timer('2.0')],
  })

const ask = (entries: readonly Entry[], beginning: readonly Entry[] = []) =>
  new RecordHistories(buildLineage(entries)).explain(
    beginning,
    'users',
    'u',
    Date.UTC(2026, 5, 15, 10),
  )

describe('why', () => {
  test('contains neither other records nor entries before the last reset', () => {
    const other = () =>
      entry('user.move', request, {
        events: [{ type: 'user.moved', id: 'v' }],
        changes: [{ ...change, id: 'v' }],
      })
    const entries = [begin(), made(), moved('1.0'), begin(), other()]
    expect(ask(entries)).toMatchObject({ complete: true, entries: [] })
    expect(ask(entries).begins_at).toBe(entries[3]?.at)
  })

  describe('when the journal has evicted its oldest entries', () => {
    const some = () => entry('clock.set', { kind: 'library' })

    test('is complete for newer records', () => {
      expect(ask([some(), made(), moved('1.0')]).complete).toBe(true)
    })

    test.each([
      ['another record of its kind', [{ ...change, id: 'v' }]],
      ['a record of another kind', [{ ...change, table: 'accounts' }]],
    ])('is incomplete for records older than %s', (_, changes) => {
      const events = [
        { type: 'user.created', id: 'v' },
        { type: 'user.moved', id: 'u' },
      ]
      expect(ask([some(), entry('user.create', request, { events, changes })])).toMatchObject({
        complete: false,
        entries: [{ entry: { command: 'user.create' } }],
      })
    })

    test('is incomplete if the entry that set a timer was evicted', () => {
      expect(ask([some(), made(), moved('1.0'), moved('9.9')]).complete).toBe(false)
    })

    test('returns the time of the oldest entry', () => {
      const entries = [some(), moved('1.0')]
      expect(ask(entries)).toMatchObject({ complete: false, begins_at: entries[0]?.at })
      expect(ask(entries).entries.map(({ because }) => because)).toEqual([null])
    })

    test('begins now without entries, as after a restart', () => {
      expect(ask([])).toEqual({
        complete: false,
        begins_at: '2026-06-15T10:00:00.000Z',
        entries: [],
      })
    })

    test('is incomplete for records of the fixtures', () => {
      const fixtures = entry('fixtures.load', { kind: 'fixtures' }, { changes: [change] })
      const entries = [some(), moved('1.0')]
      const explanation = ask(entries, [fixtures])
      expect(explanation).toMatchObject({ complete: false, begins_at: entries[0]?.at })
      expect(explanation.entries).toHaveLength(2)
    })
  })
})
