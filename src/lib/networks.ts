import { BlockList, isIP, isIPv6 } from 'node:net'

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Reads `10.0.0.0/8`, or an address alone; undefined for anything else. */
export const parseNetwork = (text: string) => {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const most = isIPv6(address) ? 128 : 32
  const bits = Number(prefix ?? most)
  return isIP(address) === 0 || bits > most ? undefined : { address, bits }
}

/** Returns a test for addresses of these networks. An IPv4 address may have its form in IPv6. */
export const matchNetworks = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const { address, bits } of networks.flatMap((it) => parseNetwork(it) ?? [])) {
    list.addSubnet(address, bits, familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}
