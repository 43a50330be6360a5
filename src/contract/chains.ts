import type { Reader } from './doubts.js'

/** A chain as answers spell it (chain.spelling). */
export const chainShown = (chain: string, read: Reader): string =>
  read('chain.spelling') === 'upper' ? chain.toUpperCase() : chain
