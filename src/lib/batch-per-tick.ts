import { nextTick } from './machine-clock.js'

/**
 * Gathers items within one turn of the event loop and hands them over in order at its end. Similar work in
 * a row keeps the processor's caches warm. An item from the same source as the last one is alone and does
 * not wait.
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
