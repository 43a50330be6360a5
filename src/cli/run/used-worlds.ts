import type { Cause } from '../../kernel/entry.js'
import type { Sandbox as Core } from '../../runtime/sandbox.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { resetsIn } from './refused-rules.js'

/** Worlds that a command used, the default world first, then by age. */
export const usedWorlds = ({ worlds }: Core): WorldHandle[] => {
  const used = worlds.list().filter(isUsed)
  if (used.length === 0) return [worlds.main]
  return used.sort((a, b) => Number(a !== worlds.main) - Number(b !== worlds.main) || byAge(a, b))
}

const byAge = (a: WorldHandle, b: WorldHandle): number => a.created_at - b.created_at

const FROM_OUTSIDE: readonly Cause['kind'][] = ['request', 'read', 'control']

/**
 * A reset clears the request log but not the journal. In the default world, control calls alone do not count:
 * a test that uses worlds by key may move the clock without a key.
 */
const isUsed = ({ live, key }: WorldHandle): boolean => {
  if (live.requests.count > 0) return true
  const entries = live.journal.all()
  return key
    ? entries.some(({ cause }) => FROM_OUTSIDE.includes(cause.kind))
    : resetsIn(entries) > 0
}

/** `the default world`, `the world of the key …0001` */
export const worldName = ({ key }: WorldHandle): string =>
  key ? `the world of the key …${key.last_four}` : 'the default world'
