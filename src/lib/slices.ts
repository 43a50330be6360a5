import { nextTick } from './machine-clock.js'

/** So long work goes on before all else that waits has its turn. */
const SLICE_MS = 50

/**
 * Does work that pauses often. The event loop goes round after each slice of it. Where `between` returns a
 * promise, the next slice waits for it; the work throws what it rejects with.
 */
export const inSlices = async <V>(
  work: Generator<void, V>,
  between?: () => Promise<void> | undefined,
): Promise<V> => {
  for (;;) {
    const end = performance.now() + SLICE_MS
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      if (performance.now() >= end) break
    }
    await new Promise<void>((resolve) => nextTick(resolve))
    try {
      await between?.()
    } catch (error) {
      work.throw(error)
    }
  }
}
