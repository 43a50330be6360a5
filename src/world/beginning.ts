import type { Tx } from './world.js'

/** The seed that all dice of a world depend on. */
export interface Beginning {
  readonly seed: string
}

/** Opens a world's history: what follows in its journal starts from the fixtures and this seed. */
export const beginWorld = (tx: Tx, { seed }: Beginning): void => {
  tx.emit({ type: 'world.begun', id: seed })
}
