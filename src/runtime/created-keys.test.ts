import { beforeEach, describe, expect, test } from 'vitest'
import type { Cause } from '../kernel/entry.js'
import { hashKey, hashSecret } from '../lib/secrets.js'
import { resolveDependencies } from './build-sandbox.js'
import type { LiveWorld } from './live-world.js'
import { Sandbox } from './sandbox.js'

/** A new one for each command: commands of one cause are undone together. */
const byHand = (): Cause => ({ kind: 'library' })

const SECRET = 'AKeyThatWasMadeInAWorldByKey0001'
const OWN = 'SandboxWorld0000000000000000000a'
const OTHER = 'SandboxWorld0000000000000000000b'

const input = (secret: string) =>
  ({
    name: secret,
    hash: hashSecret(secret),
    last_four: secret.slice(-4),
    permissions: 'full',
    expires_at: null,
  }) as const

let sandbox: Sandbox
let live: LiveWorld

const findLive = (secret: string) => sandbox.worlds.findByKey(secret)?.live
const make = (secret: string, there = live) =>
  there.world.run('api_key.create', input(secret), byHand())

beforeEach(async () => {
  sandbox = await Sandbox.start(await resolveDependencies({ clock: 'manual', seed: 'tests' }))
  live = sandbox.worlds.open(hashKey(OWN)).live
})

describe('a key that was made in a world by key', () => {
  test('opens nothing once it is undone', () => {
    make(SECRET)
    live.undo(byHand())
    expect(findLive(SECRET)).toBeUndefined()
    make(SECRET)
    expect(findLive(SECRET)).toBe(live)
  })

  test('opens nothing after a reset, and again once the reset is undone', () => {
    make(SECRET)
    live.reset(byHand())
    expect(findLive(SECRET)).toBeUndefined()
    live.undo(byHand())
    expect(findLive(SECRET)).toBe(live)
  })

  test('opens what a snapshot had, when that is restored', () => {
    make(SECRET)
    const snapshot = live.takeSnapshot('with', byHand())
    live.reset(byHand())
    make('AnotherKeyThatIsMadeInTheWorld01')
    live.restore(snapshot, byHand())
    expect(findLive(SECRET)).toBe(live)
    expect(findLive('AnotherKeyThatIsMadeInTheWorld01')).toBeUndefined()
  })

  test('opens the first world that had it, when another one comes to have it too', () => {
    make(SECRET)
    const other = sandbox.worlds.open(hashKey(OTHER)).live
    make(SECRET, other)
    expect(findLive(SECRET)).toBe(live)
  })
})

test('the key of a world opens it after every undo and reset', () => {
  make(SECRET)
  expect(findLive(OWN)).toBe(live)
  live.undo(byHand())
  expect(live.undo(byHand())).toBeUndefined()
  expect(findLive(OWN)).toBe(live)
  live.reset(byHand())
  expect(findLive(OWN)).toBe(live)
})
