import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** 32 bytes that depend on nothing but the seed and the place of the draw. */
export const roll = (seed: string, count: number, draw: number): Uint8Array =>
  sha256(utf8ToBytes(`${seed}\n${count}\n${draw}`))

/** A UUID in the layout of version 4 (RFC 9562, section 5.4) out of 16 or more bytes. */
export const uuidOf = (bytes: Uint8Array): string => {
  const b = bytes.slice(0, 16)
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80
  const hex = bytesToHex(b)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** `length` decimal digits. */
export const digitsOf = (bytes: Uint8Array, length: number): string => {
  let digits = ''
  for (let i = 0; i < length; i++) digits += (bytes[i % bytes.length] ?? 0) % 10
  return digits
}
