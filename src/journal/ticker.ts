import type { Later } from '../clock.js'
import { EventStream } from './event-stream.js'
import type { Subscriber } from './subscriber.js'

/** The time between two ticks: however much happens, whoever follows is told so rarely. */
const REST_MS = 500

/** Tells how far things have come, not what happened: a page that draws itself anew needs no more. */
export class Ticker implements Subscriber {
  readonly #stream: EventStream
  readonly #look: () => object
  readonly #later: Later
  #told: string
  #isResting = false

  constructor(look: () => object, hello: object, host: { later: Later; left: () => void }) {
    this.#look = look
    this.#later = host.later
    this.#told = JSON.stringify(look())
    this.#stream = new EventStream({
      hello: () => `event: hello\ndata: ${JSON.stringify({ ...hello, ...look() })}\n`,
      pull: () => this.wake(),
      left: host.left,
    })
  }

  get body(): ReadableStream<Uint8Array> {
    return this.#stream.body
  }

  wake(): void {
    if (this.#isResting || !this.#stream.isReady) return
    const now = JSON.stringify(this.#look())
    if (now === this.#told) return
    this.#told = now
    this.#stream.send(`event: tick\ndata: ${now}\n\n`)
    this.#isResting = true
    this.#later(REST_MS, () => {
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
