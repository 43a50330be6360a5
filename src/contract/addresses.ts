import type { Reader } from './doubts.js'

/** An address as answers write it. Only those of EVM chains are the same in any case (address.case). */
export const addressShown = (address: string, read: Reader): string =>
  address.startsWith('0x') && read('address.case') === 'lower' ? address.toLowerCase() : address
