import type { Schedule } from '../lib/machine-clock.js'
import { SseStream, type Subscriber } from './sse.js'

/** Minimum time between two ticks. */
const MIN_INTERVAL_MS = 500

/** Reports progress without entries, for pages that reload themselves. */
export class TickStream implements Subscriber {
  readonly #stream: SseStream
  readonly #look: () => object
  readonly #later: Schedule
  #sent: string
  #isResting = false

  constructor(look: () => object, hello: object, host: { later: Schedule; left: () => void }) {
    this.#look = look
    this.#later = host.later
    this.#sent = JSON.stringify(look())
    this.#stream = new SseStream({
      greeting: () => `event: hello\ndata: ${JSON.stringify({ ...hello, ...look() })}\n`,
      pull: () => this.wake(),
      onClose: host.left,
    })
  }

  get body(): ReadableStream<Uint8Array> {
    return this.#stream.body
  }

  wake(): void {
    if (this.#isResting || !this.#stream.isReady) return
    const now = JSON.stringify(this.#look())
    if (now === this.#sent) return
    this.#sent = now
    this.#stream.send(`event: tick\ndata: ${now}\n\n`)
    this.#isResting = true
    this.#later(MIN_INTERVAL_MS, () => {
      this.#isResting = false
      this.wake()
    })
  }

  beat(): void {
    this.#stream.beat()
  }

  end(event: string, data: object): void {
    this.#stream.end(event, data)
  }
}
