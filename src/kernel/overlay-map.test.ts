import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OverlayMap } from './overlay-map.js'

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e', '0', '1', '__proto__', 'constructor')
const writes = fc.array(fc.record({ key: keys, value: fc.option(fc.nat(99)) }), { maxLength: 30 })

type Writes = readonly { readonly key: string; readonly value: number | null }[]

const writeAll = (writes: Writes, layer: OverlayMap<number>, model: Map<string, number>): void => {
  for (const { key, value } of writes) {
    if (value === null) {
      layer.delete(key)
      model.delete(key)
    } else {
      layer.set(key, value)
      model.set(key, value)
    }
  }
}

const ALL = ['a', 'b', 'c', 'd', 'e', '0', '1', '__proto__', 'constructor', 'never']

const check = (layer: OverlayMap<number>, model: Map<string, number>): void => {
  for (const key of ALL) expect(layer.get(key), key).toBe(model.get(key))
  expect(new Map(layer.entries())).toEqual(model)
  expect([...layer.entries()]).toHaveLength(model.size)
  expect([...layer.values()].sort()).toEqual([...model.values()].sort())
}

describe('OverlayMap', () => {
  test('behaves like a map, with and without a base, and never changes the base', () => {
    fc.assert(
      fc.property(writes, writes, writes, (below, first, second) => {
        const base = new OverlayMap<number>()
        const baseModel = new Map<string, number>()
        writeAll(below, base, baseModel)
        check(base, baseModel)
        const model = new Map(baseModel)
        const layer = new OverlayMap(base)
        check(layer, model)
        writeAll(first, layer, model)
        check(layer, model)
        writeAll(second, layer, model)
        check(layer, model)
        check(base, baseModel)
      }),
    )
  })

  test('owns the keys that it wrote and did not remove', () => {
    const base = new OverlayMap<number>()
    base.set('a', 1)
    base.set('b', 1)
    const layer = new OverlayMap(base)
    layer.set('b', 2)
    layer.set('c', 2)
    expect(['a', 'b', 'c', 'd'].map((key) => layer.owns(key))).toEqual([false, true, true, false])
    layer.delete('b')
    layer.delete('c')
    expect(['b', 'c'].map((key) => layer.owns(key))).toEqual([false, false])
    expect(base.owns('b')).toBe(true)
  })
})
