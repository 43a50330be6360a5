/** Reconnect delay of a browser. */
const RETRY_MS = 1_000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': still here\n\n')

export interface SseStreamOptions {
  /** Sent at once, so that the client knows that it is connected. */
  readonly greeting: () => string
  readonly pull: () => void
  /** The client left or was disconnected. */
  readonly onClose: () => void
}

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

  /** Whether the client has read everything so far. */
  get isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  send(piece: string | Uint8Array): void {
    this.#controller?.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
  }

  /** Sends a heartbeat. */
  beat(): void {
    if (this.isReady) this.send(HEARTBEAT)
  }

  /** Closes the stream with a last event that has the reason. */
  end(event: string, data: object, id?: number): void {
    const line = id === undefined ? '' : `id: ${id}\n`
    const controller = this.#controller
    this.#controller = undefined
    controller?.enqueue(encoder.encode(`${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    controller?.close()
    this.#left()
  }
}

/** A stream of one client. */
export interface Subscriber {
  readonly body: ReadableStream<Uint8Array>
  /** New entries may exist. */
  wake(): void
  /** Sends a heartbeat. */
  beat(): void
  /** Closes the stream with a last event that has the reason. */
  end(event: string, data: object): void
}
