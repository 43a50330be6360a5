import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, createBase58check } from '@scure/base'

/** Tron addresses: base58check over 0x41 and 20 bytes, with a double SHA-256 checksum. */
const tron = createBase58check(sha256)
const TRON_PREFIX = 0x41

/** Mixed case, which carries the checksum (ERC-55). */
const checksummed = (hex: string): string => {
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)))
  let address = '0x'
  for (let i = 0; i < hex.length; i++) {
    const digit = hex[i] ?? ''
    address += Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit
  }
  return address
}

export const deriveAddress = (family: ChainFamily, bytes: Uint8Array): string => {
  if (family === 'evm') return checksummed(bytesToHex(bytes.slice(0, 20)))
  if (family === 'solana') return base58.encode(bytes)
  return tron.encode(Uint8Array.of(TRON_PREFIX, ...bytes.slice(0, 20)))
}

/** Checks length, alphabet and, if there is one, the checksum. */
export const isAddress = (family: ChainFamily, text: string): boolean => {
  try {
    if (family === 'solana') return base58.decode(text).length === 32
    if (family === 'tron') {
      const bytes = tron.decode(text)
      return bytes.length === 21 && bytes[0] === TRON_PREFIX
    }
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false
    const hex = text.slice(2).toLowerCase()
    const plain = text.slice(2) === hex || text.slice(2) === hex.toUpperCase()
    return plain || checksummed(hex) === text
  } catch {
    return false
  }
}

/** Hex addresses are the same in any case, base58 addresses are not. */
export const addressKey = (address: string): string =>
  /^0x/i.test(address) ? address.toLowerCase() : address

/** `0x1234****abcd`: still recognisable, and masked like account numbers. */
export const maskAddress = (address: string): string =>
  `${address.slice(0, 6)}****${address.slice(-4)}`

export const CHAIN_FAMILIES = ['evm', 'solana', 'tron'] as const

export type ChainFamily = (typeof CHAIN_FAMILIES)[number]
