import { hexToBytes } from '@noble/hashes/utils.js'
import { formatUuid } from '../kernel/prng.js'
import type { Instant } from '../kernel/time.js'
import { createApiKey, dropApiKeys } from './api-keys.js'
import { setClock } from './clock.js'
import type { Tx } from './schema.js'

export interface WorldBeginning {
  /** What all dice of the world depend on. */
  readonly seed: string
  /** Without the API keys of the fixtures, which open the default world and no other. */
  readonly keyless?: true
  /** A world that was there before and was forgotten, since others needed its room. */
  readonly again?: true
}

/** Opens a world's history: what follows in its journal starts from the fixtures and this seed. */
export const beginWorld = (tx: Tx, { seed, keyless, again }: WorldBeginning): void => {
  if (keyless) dropApiKeys(tx)
  tx.emit({ type: 'world.begun', id: seed, ...(again && { again }) })
}

/** States that the world was kept as it is now, under a name. */
export const takeSnapshot = (tx: Tx, { name }: { readonly name: string }): void => {
  tx.emit({ type: 'snapshot.taken', id: name })
}

/** States that a kept world was thrown away. */
export const dropSnapshot = (tx: Tx, { name }: { readonly name: string }): void => {
  tx.emit({ type: 'snapshot.dropped', id: name })
}

export interface Restoring {
  readonly name: string
  /** The entry that it goes on after: the one that took the snapshot. */
  readonly after: number
  /** How many entries the world consisted of when it was kept. */
  readonly count: number
  readonly machine_ms: Instant
}

/** Opens a world that was kept once more: time goes on from where it stood, dice fall as they would have then. */
export const restoreSnapshot = (tx: Tx, { name, count, machine_ms }: Restoring): void => {
  resumeClock(tx, machine_ms)
  tx.setEntryCount(count)
  tx.emit({ type: 'snapshot.restored', id: name })
}

export interface Forking extends Omit<Restoring, 'after'> {
  /** Id of the world that it was kept in. */
  readonly from: string
  readonly key: { readonly name: string; readonly hash: string; readonly last_four: string }
}

/** Opens a kept world as one of its own, which its own key opens and no other. */
export const forkWorld = (tx: Tx, { name, from, count, machine_ms, key }: Forking): void => {
  resumeClock(tx, machine_ms)
  dropApiKeys(tx)
  // Not by the dice: those that it would take are thrown again by what comes next.
  const id = formatUuid(hexToBytes(key.hash))
  createApiKey(tx, { ...key, permissions: 'full', expires_at: null }, id)
  tx.setEntryCount(count)
  tx.emit({ type: 'world.forked', id: name, from })
}

const resumeClock = (tx: Tx, machine_ms: Instant): void => {
  const clock = tx.tables.clock.get('clock')
  if (clock) setClock(tx, { mode: clock.mode, speed: clock.speed, machine_ms })
}
