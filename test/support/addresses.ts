import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

/** Checks of addresses, written from the chains' own rules and apart from the code under test. */

/** ERC-55: a letter is upper case where the hash of the lower case address has a digit of 8 or more. */
const isEvm = (address: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const hash = keccak_256(new TextEncoder().encode(address.slice(2).toLowerCase()))
  return [...address.slice(2)].every((digit, i) => {
    const byte = hash[i >> 1] ?? 0
    const raised = (i % 2 === 0 ? byte >> 4 : byte & 15) >= 8
    return digit === (raised ? digit.toUpperCase() : digit.toLowerCase())
  })
}

/** Base58check: a payload of 0x41 and 20 bytes, then four bytes of its double SHA-256. */
const isTron = (address: string): boolean => {
  const bytes = base58.decode(address)
  const checksum = sha256(sha256(bytes.slice(0, 21))).slice(0, 4)
  return bytes.length === 25 && bytes[0] === 0x41 && String(bytes.slice(21)) === String(checksum)
}

const isSolana = (address: string): boolean => base58.decode(address).length === 32

/** Whether a wallet on the chain would take the address. */
export const isValidAddress = (chain: string, address: string): boolean => {
  if (chain === 'solana') return isSolana(address)
  if (chain === 'tron') return isTron(address)
  return isEvm(address)
}
