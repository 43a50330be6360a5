/** Reconnect delay of a browser. */
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = ': still here\n\n'

/** Sends what is new if the client is ready. */
export type Wake = (stream: SseStream) => void

/** A stream of server-sent events for one client. */
export class SseStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #wake: Wake
  readonly #onClose: (stream: SseStream) => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  /** The greeting is sent at once, so that the client knows that it is connected. */
  constructor(greeting: string, wake: Wake, onClose: (stream: SseStream) => void) {
    this.#wake = wake
    this.#onClose = onClose
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          this.send(`retry: ${RETRY_MS}\n${greeting}\n`)
        },
        pull: () => this.wake(),
        cancel: () => {
          this.#controller = undefined
          onClose(this)
        },
      },
      { highWaterMark: 1 },
    )
  }

  wake(): void {
    this.#wake(this)
  }

  /** Whether the client has read everything so far. */
  get isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  send(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
  }

  beat(): void {
    if (this.isReady) this.send(HEARTBEAT)
  }

  /** Closes the stream with a last event that has the reason. */
  end(event: string, data: object): void {
    const controller = this.#controller
    this.#controller = undefined
    controller?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    controller?.close()
    this.#onClose(this)
  }
}
