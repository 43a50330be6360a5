import { BlockList, isIP } from 'node:net'

/** Node's isIPv6 compiles a large pattern at its first use: 7 ms of a start. */
const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Accepts `10.0.0.0/8`, or an address alone. */
export const isNetwork = (value: unknown): boolean => {
  const [, address = '', bits = 0] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(value)) ?? []
  return isIP(address) !== 0 && Number(bits) <= (familyOf(address) === 'ipv6' ? 128 : 32)
}

/** Returns a test for addresses of these networks. An IPv4 address may have its form in IPv6. */
export const matchNetworks = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => list.check(address, familyOf(address))
}

export const isLoopbackAddress = matchNetworks(['127.0.0.0/8', '::1'])
