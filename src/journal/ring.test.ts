import { describe, expect, it } from 'vitest'
import { Ring } from './ring.js'

const ringOf = (capacity: number, count: number): Ring<number> => {
  const ring = new Ring<number>(capacity)
  for (let i = 1; i <= count; i++) ring.add(i)
  return ring
}

describe('a ring', () => {
  it.each([
    [0, 0, []],
    [0, 5, []],
    [1, 5, [5]],
    [3, 0, []],
    [3, 2, [1, 2]],
    [3, 3, [1, 2, 3]],
    [3, 4, [2, 3, 4]],
    [3, 6, [4, 5, 6]],
    [3, 8, [6, 7, 8]],
  ])('of %d keeps the newest of %d', (capacity, count, kept) => {
    expect(ringOf(capacity, count).all()).toEqual(kept)
    expect(ringOf(capacity, count).size).toBe(kept.length)
  })

  it('tells which one makes room for the next', () => {
    expect([0, 2, 3, 4, 5, 6].map((count) => ringOf(3, count).leaving)).toEqual([
      undefined,
      undefined,
      1,
      2,
      3,
      4,
    ])
    expect(ringOf(0, 1).leaving).toBeUndefined()
  })

  it('begins anew when it is cleared', () => {
    const ring = ringOf(3, 5)
    ring.clear()
    expect(ring.all()).toEqual([])
    for (const item of [6, 7, 8, 9]) ring.add(item)
    expect(ring.all()).toEqual([7, 8, 9])
  })
})
