import { dropApiKeys } from './api-keys.js'
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
