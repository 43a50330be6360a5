import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Whether a response is unsent or still being sent. */
export const isAnswering = (outgoing: ServerResponse | undefined): outgoing is ServerResponse =>
  outgoing !== undefined && !outgoing.writableFinished && !outgoing.destroyed

/** With this many waiting requests, the server stops reading from a connection. */
const MAX_WAITING = 32

/** The open connections of a server. Requests of one connection are answered one after another. */
export class Connections {
  /** The newest response of each connection. */
  readonly #last = new Map<Socket, ServerResponse | undefined>()
  /** The earlier response of the same connection that each response waits for. */
  readonly #ahead = new WeakMap<ServerResponse, ServerResponse>()
  /** The number of waiting requests of a connection. */
  readonly #waiting = new WeakMap<Socket, number>()

  add(socket: Socket): void {
    this.#last.set(socket, undefined)
    socket.once('close', () => this.#last.delete(socket))
    // The client may leave during a response: a stream would notice only with its next event.
    socket.once('end', () => this.#last.get(socket)?.headersSent && socket.end())
  }

  /** Forgets a connection that carries another one, such as TCP under TLS. */
  forget(socket: Socket): void {
    this.#last.delete(socket)
  }

  /** The newest response of a connection. */
  last(socket: Socket): ServerResponse | undefined {
    return this.#last.get(socket)
  }

  /** Registers a new request, and returns the previous response of its connection. */
  register(outgoing: ServerResponse): ServerResponse | undefined {
    const { socket } = outgoing.req
    const before = this.#last.get(socket)
    this.#last.set(socket, outgoing)
    // Without a listener Node destroys the connection, even before the response was sent.
    outgoing.on('timeout', () => outgoing.headersSent && socket.destroy())
    return before
  }

  /**
   * Makes requests wait for the previous response: a later request must see the effects of the earlier
   * one.
   */
  inTurn(answer: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const before = this.register(outgoing)
      if (!isAnswering(before)) {
        answer(incoming, outgoing)
        return
      }
      this.#ahead.set(outgoing, before)
      this.#wait(incoming.socket, 1)
      before.once('finish', () => {
        this.#ahead.delete(outgoing)
        this.#wait(incoming.socket, -1)
        // The connection may have closed, or this response may have been sent during a shutdown.
        const isAnswered = outgoing.headersSent || outgoing.destroyed
        if (incoming.socket.writable && !isAnswered) answer(incoming, outgoing)
      })
    }
  }

  /** Pauses a connection with too many waiting requests. The requests of one packet all arrive at once. */
  #wait(socket: Socket, change: 1 | -1): void {
    const waiting = this.#waitingOn(socket) + change
    this.#waiting.set(socket, waiting)
    if (waiting <= MAX_WAITING) {
      if (socket.isPaused()) socket.resume()
      return
    }
    // Node itself resumes the socket after each request that it reads and each response.
    process.nextTick(() => this.#waitingOn(socket) > MAX_WAITING && socket.pause())
  }

  #waitingOn(socket: Socket): number {
    return this.#waiting.get(socket) ?? 0
  }

  /** All responses that are unsent or still being sent. */
  *busy(): Generator<ServerResponse> {
    for (const last of this.#last.values())
      for (let it = last; it; it = this.#ahead.get(it)) if (isAnswering(it)) yield it
  }

  /** Closes idle connections at once, and others after their last response. */
  end(): void {
    for (const [socket, outgoing] of this.#last) {
      if (isAnswering(outgoing)) {
        // A connection that closes without a response looks like a failed request.
        outgoing.shouldKeepAlive = false
        outgoing.once('finish', () => socket.destroySoon())
      } else socket.destroy()
    }
  }
}
