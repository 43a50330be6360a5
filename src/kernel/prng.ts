import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const WARM_UP = 12
const WORDS = 8

/** Stateless random numbers: each derives from the seed, the entry and the draw. */
export class DeterministicRandom {
  readonly #seed: Uint32Array

  constructor(seed: string) {
    const hash = sha256(utf8ToBytes(seed))
    this.#seed = Uint32Array.from({ length: 4 }, (_, i) =>
      new DataView(hash.buffer).getUint32(i * 4),
    )
  }

  /** 32 bytes for one draw of one entry. */
  bytes(count: number, draw: number): Uint8Array {
    let a = (this.#seed[0] ?? 0) ^ count
    let b = (this.#seed[1] ?? 0) ^ Math.floor(count / 2 ** 32)
    let c = (this.#seed[2] ?? 0) ^ draw
    let d = this.#seed[3] ?? 0
    const bytes = new Uint8Array(WORDS * 4)
    for (let i = -WARM_UP; i < WORDS; i++) {
      const word = (a + b + d) | 0
      d = (d + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = ((c << 21) | (c >>> 11)) + word
      if (i < 0) continue
      bytes[i * 4] = word
      bytes[i * 4 + 1] = word >>> 8
      bytes[i * 4 + 2] = word >>> 16
      bytes[i * 4 + 3] = word >>> 24
    }
    return bytes
  }
}

const HEX = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0))
const DASH = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)

const uuidCodes = Array.from({ length: 36 }, () => DASH)
/** Places of the two digits of each byte. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** A UUID in the layout of version 4 (RFC 9562, section 5.4). */
export const formatUuid = (bytes: Uint8Array, offset = 0): string => {
  for (let i = 0; i < 16; i++) {
    let byte = bytes[offset + i] ?? 0
    if (i === 6) byte = (byte & 0x0f) | 0x40
    if (i === 8) byte = (byte & 0x3f) | 0x80
    const place = PLACES[i] ?? 0
    uuidCodes[place] = HEX[byte >>> 4] ?? 0
    uuidCodes[place + 1] = HEX[byte & 0x0f] ?? 0
  }
  return String.fromCharCode(...uuidCodes)
}

export const formatDigits = (bytes: Uint8Array, length: number): string => {
  const codes: number[] = []
  for (let i = 0; i < length; i++) codes.push(ZERO + ((bytes[i % bytes.length] ?? 0) % 10))
  return String.fromCharCode(...codes)
}
