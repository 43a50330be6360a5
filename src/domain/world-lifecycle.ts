import { hexToBytes } from '@noble/hashes/utils.js'
import { formatUuid } from '../kernel/prng.js'
import { createApiKey, dropApiKeys } from './api-keys.js'
import { type MachineStart, setClock } from './clock.js'
import type { Tx } from './schema.js'

interface WorldBeginning {
  /** Source of all random numbers of the world. */
  readonly seed: string
  /** Without the keys of the fixtures, which open only the default world. */
  readonly keyless?: true
  /** The world existed before and was evicted. */
  readonly again?: true
}

/** Starts a journal: later entries build on the fixtures and this seed. */
export const beginWorld = (tx: Tx, { seed, keyless, again }: WorldBeginning): void => {
  if (keyless) dropApiKeys(tx)
  tx.emit({ type: 'world.begun', id: seed, ...(again && { again }) })
}

/** Records that a snapshot of the world was taken. */
export const takeSnapshot = (tx: Tx, { name }: { readonly name: string }): void => {
  tx.emit({ type: 'snapshot.taken', id: name })
}

/** Records that a snapshot was deleted. */
export const dropSnapshot = (tx: Tx, { name }: { readonly name: string }): void => {
  tx.emit({ type: 'snapshot.dropped', id: name })
}

interface Restoring extends MachineStart {
  readonly name: string
  readonly after: number
  /** Entries of the world at the snapshot. */
  readonly count: number
}

/** Time and random numbers continue as they would have after the snapshot. */
export const restoreSnapshot = (tx: Tx, { name, count, ...start }: Restoring): void => {
  resumeClock(tx, start)
  tx.setEntryCount(count)
  tx.emit({ type: 'snapshot.restored', id: name })
}

interface Forking extends Omit<Restoring, 'after'> {
  /** Id of the world that took the snapshot. */
  readonly from: string
  readonly key: { readonly name: string; readonly hash: string; readonly last_four: string }
}

/** Opens a snapshot as a new world with a key of its own. */
export const forkWorld = (tx: Tx, { name, from, count, key, ...start }: Forking): void => {
  resumeClock(tx, { ...start, since: 0 })
  dropApiKeys(tx)
  // Not from the PRNG: the next command has to draw the same numbers as after the snapshot.
  const id = formatUuid(hexToBytes(key.hash))
  createApiKey(tx, { ...key, permissions: 'full', expires_at: null }, id)
  tx.setEntryCount(count)
  tx.emit({ type: 'world.forked', id: name, from })
}

const resumeClock = (tx: Tx, start: MachineStart & { readonly since?: number }): void => {
  const clock = tx.tables.clock.get('clock')
  if (clock) setClock(tx, { mode: clock.mode, speed: clock.speed, ...start })
}
