import { describe, expect, test } from 'vitest'
import { invalid } from '../../test/support/invalid.js'
import type { Entry } from '../kernel/entry.js'
import { Refusal } from '../kernel/refusal.js'
import { INSTANT_HELP } from '../kernel/time.js'
import { findKeyProblem, KEY_TRANSITIONS, type PlannedKeyChange } from './api-keys.js'
import { type ApiKey, KEY_STATUSES } from './schema.js'
import { createWorld } from './world.js'

const NOW = Date.parse('2026-06-15T09:00:00.000Z')

const given = {
  name: 'mine',
  hash: 'ab'.repeat(32),
  last_four: '0001',
  permissions: 'full',
  expires_at: null,
} as const

const open = (record: (entry: Entry) => void = () => {}) =>
  createWorld({ seed: '', now: NOW, evaluateRules: () => undefined, record })

describe('createApiKey', () => {
  test('refuses a known secret and names its key', () => {
    const world = open()
    world.run('api_key.create', given, { kind: 'library' })
    const again = () =>
      world.run('api_key.create', { ...given, name: 'other' }, { kind: 'library' })
    expect(again).toThrow(Refusal)
    expect(again).toThrow(/^Invalid api_key: it is already there, as mine\.$/)
  })
})

describe('the expiry of an API key', () => {
  const create = (expires_at: string) =>
    open().run('api_key.create', { ...given, expires_at }, { kind: 'library' })

  test.each([
    ['2026-06-15T09:00:00.001Z', '2026-06-15T09:00:00.001Z'],
    ['2026-06-15T09:00:01Z', '2026-06-15T09:00:01.000Z'],
    ['2026-06-15T08:00:00-02:00', '2026-06-15T10:00:00.000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
  ])('expires_at %s is stored as %s', (came, kept) => expect(create(came).expires_at).toBe(kept))

  test.each(['2026-06-15T09:00:00.000Z', '2026-06-15T10:30:00+02:00', '2020-01-01T00:00:00Z'])(
    'refuses %s, which is not to come',
    (came) => {
      const form = 'an instant after the world’s now, 2026-06-15T09:00:00.000Z'
      expect(() => create(came)).toThrow(invalid('expires_at', came, form))
    },
  )

  test.each(['soon', '2026-07-01T00:00:00'])(
    'createApiKey refuses %s, which is not an instant',
    (came) => expect(() => create(came)).toThrow(invalid('expires_at', came, INSTANT_HELP)),
  )
})

describe('setApiKey', () => {
  const by = { kind: 'library' } as const
  const opened = () => {
    const world = open()
    const { id } = world.run('api_key.create', given, by)
    const set = (change: Omit<PlannedKeyChange, 'id'>) =>
      world.run('api_key.set', { id, ...change }, by)
    return { id, set }
  }

  test('reactivates a suspended key, never a deactivated one', () => {
    expect(KEY_TRANSITIONS).toEqual({
      active: ['suspended', 'deactivated'],
      suspended: ['active', 'deactivated'],
      deactivated: [],
    })
  })

  test.each(KEY_STATUSES.flatMap((from) => KEY_STATUSES.map((to) => [from, to] as const)))(
    'from %s to %s',
    (from, to) => {
      const { id, set } = opened()
      set({ status: from })
      const act = () => set({ status: to })
      if (from === to || KEY_TRANSITIONS[from].includes(to)) expect(act().status).toBe(to)
      else {
        expect(act).toThrow(
          `API key ${id} is deactivated and cannot become ${to}; deactivated is final`,
        )
      }
    },
  )

  test.each<[string, Omit<PlannedKeyChange, 'id'>, string | null]>([
    ['an instant', { expires_at: '2026-06-15T12:00:00+02:00' }, '2026-06-15T10:00:00.000Z'],
    ['an instant that is past', { expires_at: '2020-01-01T00:00:00Z' }, '2020-01-01T00:00:00.000Z'],
    ['a while from now', { expires_in_ms: 1_000 }, '2026-06-15T09:00:01.000Z'],
    ['a very long while', { expires_in_ms: 253_000_000_000_000 }, '9999-12-31T23:59:59.999Z'],
    [
      'at the first instant',
      { expires_at: '0000-01-01T00:00:00+12:00' },
      '1970-01-01T00:00:00.000Z',
    ],
    ['never', { expires_at: null }, null],
    ['when it did before', { status: 'suspended' }, '2026-07-01T00:00:00.000Z'],
  ])('sets the expiry: %s', (_, change, expires_at) => {
    const { set } = opened()
    set({ expires_at: '2026-07-01T00:00:00.000Z' })
    expect(set(change).expires_at).toBe(expires_at)
  })
})

test('API keys emit events when they are created and changed', () => {
  const entries: Entry[] = []
  const world = open((entry) => entries.push(entry))
  const { id } = world.run('api_key.create', given, { kind: 'library' })
  world.run('api_key.set', { id, status: 'suspended' }, { kind: 'library' })
  expect(entries.map(({ events }) => events)).toEqual([
    [{ type: 'api_key.created', id }],
    [{ type: 'api_key.set', id }],
  ])
})

describe('findKeyProblem', () => {
  const key: ApiKey = { ...given, id: 'k', n: 1, status: 'active', created_at: '' }
  const expires = (expires_at: string) => ({ ...key, expires_at })

  test.each([
    ['an active key without an end', key, undefined],
    ['a key that ends in a moment', expires('2026-06-15T09:00:00.001Z'), undefined],
    ['a key that ends now', expires('2026-06-15T09:00:00.000Z'), 'expired'],
    ['a key that ended long ago', expires('2020-01-01T00:00:00.000Z'), 'expired'],
    ['a suspended key', { ...key, status: 'suspended' }, 'inactive'],
    ['a deactivated key', { ...key, status: 'deactivated' }, 'inactive'],
    [
      'a suspended key that has ended',
      { ...expires('2020-01-01T00:00:00.000Z'), status: 'suspended' },
      'expired',
    ],
  ] as const)('%s', (_, given, why) => expect(findKeyProblem(given, NOW)).toBe(why))
})
