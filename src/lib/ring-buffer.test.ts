import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Ring } from './ring-buffer.js'

const filled = (capacity: number, count: number) => {
  const ring = new Ring<number>(capacity)
  for (let i = 0; i < count; i++) ring.add(i)
  return ring
}

describe('a ring', () => {
  test('holds the newest, oldest first', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(30), (capacity, count) => {
        const all = Array.from({ length: count }, (_, i) => i).slice(-capacity || count)
        const due = capacity === 0 ? [] : all
        const ring = filled(capacity, count)
        expect(ring.all()).toEqual(due)
        expect(ring.size).toBe(due.length)
        expect(ring.newest).toBe(due.at(-1))
        expect(due.map((_, place) => ring.at(place))).toEqual(due)
      }),
    )
  })

  test('gives a part of them', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(8), fc.nat(8), (count, start, length) => {
        const ring = filled(6, count)
        const part = ring.all().slice(start, start + length)
        expect(ring.slice(start, part.length)).toEqual(part)
      }),
    )
  })

  test('gives the newest back, and goes on as before', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(8), (count, drops) => {
        const ring = filled(6, count)
        const left = ring.all()
        for (let i = 0; i < drops; i++) {
          ring.drop()
          left.pop()
        }
        expect([ring.all(), ring.newest]).toEqual([left, left.at(-1)])
        ring.add(-1)
        expect(ring.all()).toEqual([...left, -1].slice(-6))
      }),
    )
  })
})
