import type { ReadingLookup } from '../assumptions/ids.js'

/** A chain as answers spell it (chain.spelling). */
export const formatChain = (chain: string, read: ReadingLookup): string =>
  read('chain.spelling') === 'upper' ? chain.toUpperCase() : chain
