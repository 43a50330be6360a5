import type { Later } from '../clock.js'

/** What a feed wakes as its journal grows. */
export interface Listener {
  readonly body: ReadableStream<Uint8Array>
  /** Something may have come. */
  wake(): void
  /** A sign of life is due. */
  beat(): void
  /** Closes it with a last event that tells why. */
  end(event: string, data: object): void
}

/** After how long a browser that lost its connection comes back. */
const RETRY_MS = 1_000
/** The time between two ticks: however much happens, whoever follows is told so rarely. */
export const REST_MS = 500

const encoder = new TextEncoder()

/** Tells how far things have come, not what happened: a page that draws itself anew needs no more. */
export class Ticker implements Listener {
  readonly body: ReadableStream<Uint8Array>
  readonly #look: () => object
  readonly #later: Later
  readonly #left: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #told: string
  #isResting = false

  constructor(look: () => object, hello: object, host: { later: Later; left: () => void }) {
    this.#look = look
    this.#later = host.later
    this.#left = host.left
    this.#told = JSON.stringify(look())
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          const first = JSON.stringify({ ...hello, ...look() })
          this.#send(`retry: ${RETRY_MS}\nevent: hello\ndata: ${first}\n\n`)
        },
        pull: () => this.wake(),
        cancel: () => {
          this.#controller = undefined
          host.left()
        },
      },
      { highWaterMark: 1 },
    )
  }

  wake(): void {
    if (this.#isResting || !this.#isReady()) return
    const now = JSON.stringify(this.#look())
    if (now === this.#told) return
    this.#told = now
    this.#send(`event: tick\ndata: ${now}\n\n`)
    this.#isResting = true
    this.#later(REST_MS, () => {
      this.#isResting = false
      this.wake()
    })
  }

  beat(): void {
    if (this.#isReady()) this.#send(': still here\n\n')
  }

  end(event: string, data: object): void {
    this.#send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    const controller = this.#controller
    this.#controller = undefined
    controller?.close()
    this.#left()
  }

  #isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  #send(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
  }
}
