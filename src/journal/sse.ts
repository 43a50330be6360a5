/** After how long a browser that lost its connection comes back. */
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': still here\n\n')

export interface SseStreamOptions {
  /** Text to send at once, so that the other side knows that it is connected. */
  readonly greeting: () => string
  /** The other side is ready for more. */
  readonly pull: () => void
  /** Whoever read is gone, or was sent away. */
  readonly onClose: () => void
}

/** Server-sent events to one reader. */
export class SseStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #left: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor({ greeting, pull, onClose }: SseStreamOptions) {
    this.#left = onClose
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          this.send(`retry: ${RETRY_MS}\n${greeting()}\n`)
        },
        pull,
        cancel: () => {
          this.#controller = undefined
          onClose()
        },
      },
      { highWaterMark: 1 },
    )
  }

  /** Whether the other side has taken what was sent. */
  get isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  send(piece: string | Uint8Array): void {
    this.#controller?.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
  }

  /** A sign of life. */
  beat(): void {
    if (this.isReady) this.send(HEARTBEAT)
  }

  /** Closes it with a last event that tells why. */
  end(event: string, data: object, id?: number): void {
    const line = id === undefined ? '' : `id: ${id}\n`
    const controller = this.#controller
    this.#controller = undefined
    controller?.enqueue(encoder.encode(`${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    controller?.close()
    this.#left()
  }
}

/** What a feed wakes as its journal grows. */
export interface Subscriber {
  readonly body: ReadableStream<Uint8Array>
  /** Something may have come. */
  wake(): void
  /** A sign of life is due. */
  beat(): void
  /** Closes it with a last event that tells why. */
  end(event: string, data: object): void
}
