import { nextTick } from './machine-clock.js'

/** Long work yields to the event loop after this time. */
const SLICE_MS = 50

/**
 * Runs a generator in slices and yields to the event loop between them. The next slice waits for the promise of
 * `between`; its rejection is thrown into the generator.
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
