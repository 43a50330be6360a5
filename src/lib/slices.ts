import { nextTick } from './machine-clock.js'

/** Long work yields to requests of other worlds after this time, about the duration of a request. */
const SLICE_MS = 1
/** Long work waits for its changes to be stored after this time. */
const STORE_AFTER_MS = 50

/** Resolves once the requests that arrived meanwhile had their turn. */
const letOthersRun = (): Promise<void> => new Promise((resolve) => nextTick(resolve))

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
    await letOthersRun()
    if (performance.now() < storeAt) continue
    try {
      await stored?.()
    } catch (error) {
      work.throw(error)
    }
    storeAt = performance.now() + STORE_AFTER_MS
  }
}

/** Characters per chunk of a stream. */
const CHUNK = 64 * 1024

/** A stream of texts that are formatted while the client reads them. Other requests run meanwhile. */
export const streamInSlices = (texts: Iterator<string>): ReadableStream => {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      await letOthersRun()
      const chunk = await inSlices(nextChunk(texts))
      if (chunk === '') controller.close()
      else controller.enqueue(encoder.encode(chunk))
    },
  })
}

function* nextChunk(texts: Iterator<string>): Generator<void, string> {
  let chunk = ''
  while (chunk.length < CHUNK) {
    const { done, value } = texts.next()
    if (done) break
    chunk += value
    yield
  }
  return chunk
}
