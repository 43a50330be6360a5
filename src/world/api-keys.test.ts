import { describe, expect, it } from 'vitest'
import { type ApiKey, whyClosed } from './api-keys.js'
import { Refusal } from './kernel/refusal.js'
import { createWorld } from './world.js'

const NOW = Date.parse('2026-06-15T09:00:00.000Z')

const given = {
  name: 'mine',
  hash: 'ab'.repeat(32),
  last_four: '0001',
  permissions: 'full',
  expires_at: null,
} as const

const open = () => createWorld({ seed: '', now: NOW, react: () => undefined, record: () => {} })

describe('creating an API key', () => {
  it('makes an active one', () => {
    const key = open().run('api_key.create', given, { kind: 'library' })
    expect(key).toMatchObject({
      ...given,
      status: 'active',
      created_at: '2026-06-15T09:00:00.000Z',
    })
  })

  it('has an id and a status of its own, whatever else the input holds', () => {
    const more = { ...given, id: 'mine', n: 7, status: 'suspended', created_at: '' }
    const key = open().run('api_key.create', more, { kind: 'library' })
    expect(key).toMatchObject({ n: 1, status: 'active', created_at: '2026-06-15T09:00:00.000Z' })
    expect(key.id).toMatch(/^[0-9a-f]{8}-/)
  })

  it('refuses a secret that is there already, and names its key', () => {
    const world = open()
    world.run('api_key.create', given, { kind: 'library' })
    const again = () =>
      world.run('api_key.create', { ...given, name: 'other' }, { kind: 'library' })
    expect(again).toThrow(Refusal)
    expect(again).toThrow('mine')
  })
})

describe('whyClosed', () => {
  const key: ApiKey = { ...given, id: 'k', n: 1, status: 'active', created_at: '' }
  const expires = (expires_at: string) => ({ ...key, expires_at })

  it.each([
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
  ] as const)('%s', (_, given, why) => expect(whyClosed(given, NOW)).toBe(why))
})
