import { randomBytes } from 'node:crypto'

const TICKET_BYTES = 32
const MAX_TICKETS = 1_000

/** Stores values under random tickets, which expire. */
export class Tickets<T> {
  readonly #values = new Map<string, { readonly value: T; readonly expiresAt: number }>()

  constructor(
    private readonly now: () => number,
    private readonly lifetimeSeconds: number,
  ) {}

  /** Evicts expired tickets, then the oldest ones beyond the limit. */
  issue(value: T): string {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const now = this.now()
    this.#values.set(ticket, { value, expiresAt: now + this.lifetimeSeconds * 1_000 })
    for (const [oldest, { expiresAt }] of this.#values) {
      if (expiresAt > now && this.#values.size <= MAX_TICKETS) break
      this.#values.delete(oldest)
    }
    return ticket
  }

  find(ticket: string | undefined): T | undefined {
    const found = ticket === undefined ? undefined : this.#values.get(ticket)
    return found && found.expiresAt > this.now() ? found.value : undefined
  }

  delete(ticket: string): void {
    this.#values.delete(ticket)
  }
}
