import { nextTick } from '../lib/machine-clock.js'

/**
 * Gathers what comes within one turn of the event loop, and hands it over at the end of the turn, in the
 * order in which it came. Many small works of one kind in a row take a processor less time than the same
 * ones with other work in between, whose code and data push theirs out of its caches. What comes from the
 * same source as the last did comes alone, and does not wait.
 */
export const batchPerTick = <T>(
  work: (all: readonly T[]) => void,
): ((one: T, source: object) => void) => {
  let gathered: T[] = []
  let last: object | undefined
  const handOver = () => {
    const all = gathered
    gathered = []
    work(all)
  }
  return (one, source) => {
    if (gathered.length === 0 && source === last) {
      work([one])
      return
    }
    last = source
    if (gathered.push(one) === 1) nextTick(handOver)
  }
}
