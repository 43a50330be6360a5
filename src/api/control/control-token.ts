import { BlockList, isIP } from 'node:net'
import { nanoid } from 'nanoid'

const TOKEN_LENGTH = 24

/** Generates a control token for a port that other machines can reach. A loopback address needs none. */
export const generateControlToken = (host: string): string | undefined =>
  isLoopback(host) ? undefined : nanoid(TOKEN_LENGTH)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const isLoopback = (host: string): boolean => {
  const family = isIP(host)
  if (family === 0) return host === 'localhost'
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
