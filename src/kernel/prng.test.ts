import { describe, expect, test } from 'vitest'
import { DeterministicRandom, formatDigits, formatUuid } from './prng.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('DeterministicRandom', () => {
  test('returns the same bytes for the same seed, count and draw, in any order', () => {
    const [one, other] = [new DeterministicRandom('seed'), new DeterministicRandom('seed')]
    const places = [
      [0, 0],
      [7, 3],
      [1, 0],
      [7, 3],
    ] as const
    const forward = places.map(([count, draw]) => hex(one.bytes(count, draw)))
    const backward = places.toReversed().map(([count, draw]) => hex(other.bytes(count, draw)))
    expect(backward.reverse()).toEqual(forward)
    expect(forward[1]).toBe(forward[3])
  })

  test('returns the same bytes in every version, for worlds on disk', () => {
    expect(hex(new DeterministicRandom('seed').bytes(1, 2))).toBe(
      'f87c1715f9f62c539d65f29be0ab879a648593dfec1219dce468d488483a3e7b',
    )
  })

  test('returns other bytes for another seed, count or draw', () => {
    const rolls = new Set<string>()
    for (const seed of ['', 'a', 'b', 'ab', 'ä']) {
      const random = new DeterministicRandom(seed)
      for (let count = 0; count < 64; count++) {
        for (let draw = 0; draw < 64; draw++) rolls.add(hex(random.bytes(count, draw)).slice(0, 32))
      }
    }
    expect(rolls.size).toBe(5 * 64 * 64)
  })

  test('does not repeat for counts beyond 32 bits', () => {
    const random = new DeterministicRandom('seed')
    const rolls = [5, 5 + 2 ** 32, 5 + 2 ** 33, 5 + 2 ** 52].map((count) =>
      hex(random.bytes(count, 0)),
    )
    expect(new Set(rolls).size).toBe(4)
  })
})

describe('formatUuid', () => {
  test('has the layout of version 4 and keeps the other bits', () => {
    expect(formatUuid(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
    expect(formatUuid(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    // The example of RFC 9562, appendix A.3.
    const random = Buffer.from('919108f752d133205bacf847db4148a8', 'hex')
    expect(formatUuid(random)).toBe('919108f7-52d1-4320-9bac-f847db4148a8')
  })

  test('accepts an offset', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => i)
    expect(formatUuid(bytes, 16)).toBe('10111213-1415-4617-9819-1a1b1c1d1e1f')
  })
})

describe('formatDigits', () => {
  test('returns the requested number of digits, also above the number of bytes', () => {
    const bytes = Uint8Array.from([0, 9, 10, 255])
    expect(formatDigits(bytes, 3)).toBe('090')
    expect(formatDigits(bytes, 6)).toBe('090509')
    expect(formatDigits(bytes, 0)).toBe('')
  })
})
