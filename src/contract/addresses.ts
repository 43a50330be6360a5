import type { ReadingLookup } from '../assumptions/ids.js'

/** An address as answers write it. Only those of EVM chains are the same in any case (address.case). */
export const formatAddress = (address: string, read: ReadingLookup): string => {
  if (!address.startsWith('0x')) return address
  const lower = address.toLowerCase()
  return lower === address || read('address.case') === 'lower' ? lower : address
}
