import type { Schedule } from '../lib/machine-clock.js'
import { SseStream } from './sse.js'

/** Minimum time between two ticks. */
const MIN_INTERVAL_MS = 500

/** Reports progress without entries, for pages that reload themselves. */
export class TickStream extends SseStream {
  readonly #look: () => object
  readonly #schedule: Schedule
  #sent: string
  #isResting = false

  constructor(look: () => object, hello: object, schedule: Schedule, onClose: () => void) {
    super(`event: hello\ndata: ${JSON.stringify({ ...hello, ...look() })}\n`, onClose)
    this.#look = look
    this.#schedule = schedule
    this.#sent = JSON.stringify(look())
  }

  wake(): void {
    if (this.#isResting || !this.isReady) return
    const now = JSON.stringify(this.#look())
    if (now === this.#sent) return
    this.#sent = now
    this.send(`event: tick\ndata: ${now}\n\n`)
    this.#isResting = true
    this.#schedule(MIN_INTERVAL_MS, () => {
      this.#isResting = false
      this.wake()
    })
  }
}
