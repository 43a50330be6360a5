import { nextTick } from './machine-clock.js'

/** Long work yields to requests of other worlds after this time, about the duration of a request. */
const SLICE_MS = 1
/** Long work waits for its changes to be stored after this time. */
const STORE_AFTER_MS = 50

/**
 * Runs a generator in slices and yields to the event loop between them. After some slices the work waits for the
 * promise of `stored`; its rejection is thrown into the generator.
 */
export const inSlices = async <V>(
  work: Generator<void, V>,
  stored?: () => Promise<void> | undefined,
): Promise<V> => {
  let storeAt = performance.now() + STORE_AFTER_MS
  for (;;) {
    const end = performance.now() + SLICE_MS
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < end)
    await new Promise<void>((resolve) => nextTick(resolve))
    if (performance.now() < storeAt) continue
    try {
      await stored?.()
    } catch (error) {
      work.throw(error)
    }
    storeAt = performance.now() + STORE_AFTER_MS
  }
}
