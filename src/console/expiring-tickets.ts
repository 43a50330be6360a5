import { randomBytes } from 'node:crypto'

const TICKET_BYTES = 32

/** Keeps values on the server; the browser gets a random ticket that ends. */
export class Tickets<T> {
  readonly #values = new Map<string, { readonly value: T; readonly endsAt: number }>()

  constructor(
    private readonly now: () => number,
    private readonly lifeSeconds: number,
    private readonly maxTickets = 1_000,
  ) {}

  /** Evicts ended tickets, then the oldest ones beyond the limit. */
  issue(value: T): string {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const now = this.now()
    this.#values.set(ticket, { value, endsAt: now + this.lifeSeconds * 1_000 })
    for (const [oldest, { endsAt }] of this.#values) {
      if (endsAt > now && this.#values.size <= this.maxTickets) break
      this.#values.delete(oldest)
    }
    return ticket
  }

  find(ticket: string | undefined): T | undefined {
    const found = ticket === undefined ? undefined : this.#values.get(ticket)
    return found && found.endsAt > this.now() ? found.value : undefined
  }

  delete(ticket: string): void {
    this.#values.delete(ticket)
  }
}
