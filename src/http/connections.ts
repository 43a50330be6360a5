import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Whether an answer is still to come, or on its way. */
export const isAnswering = (outgoing: ServerResponse | undefined): outgoing is ServerResponse =>
  outgoing !== undefined && !outgoing.writableFinished && !outgoing.destroyed

/** So many requests of a connection wait for the one before; then the server reads no more of it for now. */
const MAX_WAITING = 32

/** The open connections of a server. What comes over one of them is done and answered one after another. */
export class Connections {
  /** Where the answer to the last request of each goes. */
  readonly #last = new Map<Socket, ServerResponse | undefined>()
  /** What each answer waits for, whose request came behind another one on its connection. */
  readonly #ahead = new WeakMap<ServerResponse, ServerResponse>()
  /** How many requests of a connection wait. */
  readonly #waiting = new WeakMap<Socket, number>()

  opened(socket: Socket): void {
    this.#last.set(socket, undefined)
    socket.once('close', () => this.#last.delete(socket))
    // Whoever hangs up within an answer is gone: a stream would not hear of it until it has something to say.
    socket.once('end', () => this.#last.get(socket)?.headersSent && socket.end())
  }

  /** Forgets a connection that another one lies upon. */
  replaced(socket: Socket): void {
    this.#last.delete(socket)
  }

  /** Where the answer to the last request of a connection goes. */
  last(socket: Socket): ServerResponse | undefined {
    return this.#last.get(socket)
  }

  /** Notes that a request has come, and answers where the answer to the one before it goes. */
  came(outgoing: ServerResponse): ServerResponse | undefined {
    const { socket } = outgoing.req
    const before = this.#last.get(socket)
    this.#last.set(socket, outgoing)
    // Node destroys the connection itself where nothing listens: also that of an answer that is still to come.
    outgoing.on('timeout', () => outgoing.headersSent && socket.destroy())
    return before
  }

  /** Lets requests wait for the answer to the one before: what comes behind another finds what that has done. */
  inTurn(answer: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const before = this.came(outgoing)
      if (!isAnswering(before)) {
        answer(incoming, outgoing)
        return
      }
      this.#ahead.set(outgoing, before)
      this.#wait(incoming.socket, 1)
      before.once('finish', () => {
        this.#ahead.delete(outgoing)
        this.#wait(incoming.socket, -1)
        // The connection may have ended with that answer, or this one have come already, at the end of all.
        const isAnswered = outgoing.headersSent || outgoing.destroyed
        if (incoming.socket.writable && !isAnswered) answer(incoming, outgoing)
      })
    }
  }

  /** Pauses a connection on which too many requests wait. Those of one packet all come at once. */
  #wait(socket: Socket, change: 1 | -1): void {
    const waiting = this.#waitingOn(socket) + change
    this.#waiting.set(socket, waiting)
    if (waiting <= MAX_WAITING) {
      if (socket.isPaused()) socket.resume()
      return
    }
    // Node resumes it itself behind each request that it has read, and behind each that is answered.
    process.nextTick(() => this.#waitingOn(socket) > MAX_WAITING && socket.pause())
  }

  #waitingOn(socket: Socket): number {
    return this.#waiting.get(socket) ?? 0
  }

  /** All answers that are still to come, or on their way. */
  *busy(): Generator<ServerResponse> {
    for (const last of this.#last.values())
      for (let it = last; it; it = this.#ahead.get(it)) if (isAnswering(it)) yield it
  }

  /** Closes those that are idle at once, and the others behind their last answer. */
  end(): void {
    for (const [socket, outgoing] of this.#last) {
      if (isAnswering(outgoing)) {
        // Its client would take a connection that ends without a word for a request that failed.
        outgoing.shouldKeepAlive = false
        outgoing.once('finish', () => socket.destroySoon())
      } else socket.destroy()
    }
  }
}
