/** Enough that one of them was quick, although the process or the network was held up. */
const MAX_TRIPS = 16

/** The server's time less this machine's, by the quickest of the last round trips. */
export class ServerClock {
  offset = 0
  #trips: readonly { readonly ms: number; readonly offset: number }[] = []

  /** `now` is the server's time about half way through the trip. */
  learn(now: number, sent: number, received: number): void {
    const trip = { ms: received - sent, offset: Math.round(now - (sent + received) / 2) }
    this.#trips = [...this.#trips.slice(1 - MAX_TRIPS), trip]
    this.offset = this.#trips.reduce((best, it) => (it.ms <= best.ms ? it : best)).offset
  }
}
