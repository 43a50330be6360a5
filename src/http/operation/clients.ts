import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress, matchNetworks } from '../../lib/networks.js'

/** The name of a client with limits of its own; undefined for one without. */
type Client = string | undefined

/** A connection is named like a request without headers: that of a proxy carries many clients. */
export type NameClient = (incoming: Pick<IncomingMessage, 'socket' | 'headers'>) => Client

/** Names clients by address. Behind a trusted proxy, `x-forwarded-for` has it. */
export const createNameClient = (trusted: readonly string[]): NameClient => {
  const isProxy = matchNetworks(trusted)
  return ({ socket: { remoteAddress = '' }, headers }) => {
    if (!isProxy(remoteAddress)) {
      return isLoopbackAddress(remoteAddress) ? undefined : toName(remoteAddress)
    }
    // Proxies append: a client may have written anything to the left of what the first proxy saw.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    const address = forwarded.map((it) => it.trim()).findLast((it) => !isProxy(it))
    return address ? toName(address) : undefined
  }
}

/** One client of IPv6 has all addresses of a network of 64 bits. */
const toName = (address: string): string => {
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)(?::\d+)?$/i.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/** Limits how much of something shared each client holds, and all together. */
export class ClientShares {
  readonly #held = new Map<Client, number>()
  #all = 0

  constructor(
    private readonly limit: number,
    private readonly limitOfAll = Number.POSITIVE_INFINITY,
  ) {}

  /** Returns false, and takes nothing, beyond a limit. A negative amount gives back. */
  take(client: Client, amount = 1): boolean {
    const held = (this.#held.get(client) ?? 0) + amount
    if (client !== undefined && held > this.limit) return false
    if (this.#all + amount > this.limitOfAll) return false
    this.#all += amount
    if (held > 0) this.#held.set(client, held)
    else this.#held.delete(client)
    return true
  }
}
