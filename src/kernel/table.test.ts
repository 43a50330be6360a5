import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Start } from './overlay-map.js'
import type { Row } from './row.js'
import { layout, Table } from './table.js'

interface Ball extends Row {
  readonly colour: string
  /** Listed by weight only when it has one. */
  readonly weight: number | undefined
}

const balls = layout<Ball>()({
  all: () => '',
  colour: (ball) => ball.colour,
  weight: (ball) => (ball.weight === undefined ? undefined : String(ball.weight)),
})
type Balls = Table<Ball, 'all' | 'colour' | 'weight'>

/** Writes as a transaction does, and into a plain list in order of making. */
class Both {
  readonly table: Balls
  model: Ball[]

  constructor(from?: Both, start?: Start) {
    this.table = new Table(balls, from?.table, [], start)
    this.model = [...(from?.model ?? [])]
  }

  /** Loads its own records into a new table over the same base. */
  loaded(base: Both): Both {
    const { records, removed } = this.table.own()
    const both = new Both(base)
    both.table.load(records, removed)
    both.model = [...this.model]
    return both
  }

  put(id: string, colour: string, weight: number | undefined): void {
    const before = this.table.get(id)
    const ball: Ball = { id, n: before?.n ?? this.table.next, colour, weight }
    this.table.write(id, before, ball)
    if (before) this.model = this.model.map((it) => (it.id === id ? ball : it))
    else this.model.push(ball)
  }

  remove(id: string): void {
    const before = this.table.get(id)
    if (!before) return
    this.table.write(id, before, undefined)
    this.model = this.model.filter((it) => it.id !== id)
  }

  check(): void {
    const { table, model } = this
    expect(table.all()).toEqual(model)
    expect(new Set(table.values())).toEqual(new Set(model))
    expect(table.size).toBe(model.length)
    this.#checkList('all', '', model)
    for (const colour of [...COLOURS, 'never']) {
      this.#checkList(
        'colour',
        colour,
        model.filter((ball) => ball.colour === colour),
      )
    }
    for (const weight of [0, 1, 2]) {
      this.#checkList(
        'weight',
        `${weight}`,
        model.filter((ball) => ball.weight === weight),
      )
    }
  }

  #checkList(index: 'all' | 'colour' | 'weight', key: string, due: readonly Ball[]): void {
    const { table } = this
    expect(table.list(index, key)).toEqual(due)
    expect(table.count(index, key)).toBe(due.length)
    expect(table.first(index, key)).toBe(due[0])
    const back = due.toReversed()
    for (const page of [0, 1, 2]) {
      expect(table.page(index, key, page, 3)).toEqual(back.slice(page * 3, page * 3 + 3))
    }
  }
}

const COLOURS = ['red', 'green', 'blue']

/** A ball to write, or without a colour one to take away. */
interface Step {
  readonly id: string
  readonly colour: string | null
  readonly weight: number | undefined
}

const steps = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      id: fc.nat(12).map((n) => `ball-${n}`),
      colour: fc.option(fc.constantFrom(...COLOURS), { freq: 4 }),
      weight: fc.constantFrom(undefined, 0, 1, 2),
    }),
    { maxLength: most, size: 'max' },
  )

const play = (both: Both, given: readonly Step[]): void => {
  for (const { id, colour, weight } of given) {
    if (colour === null) both.remove(id)
    else both.put(id, colour, weight)
  }
}

describe('Table', () => {
  test('behaves like a plain list over a base and never changes the base', () => {
    fc.assert(
      fc.property(steps(20), steps(30), (below, given) => {
        const base = new Both()
        play(base, below)
        const both = new Both(base)
        both.check()
        play(both, given)
        both.check()
        base.check()
      }),
    )
  })

  test('separates a copy from its source, with and without a base', () => {
    fc.assert(
      fc.property(steps(20), steps(20), steps(20), steps(20), (below, given, one, other) => {
        const base = new Both()
        play(base, below)
        for (const both of [new Both(), new Both(base)]) {
          play(both, given)
          const copy = new Both(both, 'copy')
          play(copy, one)
          copy.check()
          both.check()
          play(both, other)
          copy.check()
          both.check()
        }
      }),
    )
  })

  test('is equal after its own records are loaded again', () => {
    fc.assert(
      fc.property(steps(20), steps(30), (below, given) => {
        const base = new Both()
        play(base, below)
        const both = new Both(base)
        // No id of a world comes back for another record.
        const gone = (id: string, i: number) =>
          given.slice(0, i).some((it) => it.id === id && it.colour === null)
        play(
          both,
          given.filter(({ id }, i) => !gone(id, i)),
        )
        both.loaded(base).check()
        base.check()
      }),
    )
  })

  test('gives the next record the same number after a load', () => {
    const base = new Both()
    for (const id of ['a', 'b', 'c']) base.put(id, 'red', undefined)
    const both = new Both(base)
    for (const id of ['c', 'b']) both.remove(id)
    expect(both.table.next).toBe(2)
    expect(both.loaded(base).table.next).toBe(2)
    // In any order of the removed ids.
    const again = new Both(base)
    again.table.load([], ['b', 'c'])
    expect(again.table.next).toBe(2)
  })

  test('keeps a long list in order in a copy', () => {
    const both = new Both()
    for (let i = 0; i < 1_200; i++) both.put(`ball-${i}`, 'red', undefined)
    const copy = new Both(both, 'copy')
    for (let i = 0; i < 700; i++) both.put(`ball-${i}`, 'green', undefined)
    for (const i of [3, 900, 1_199]) copy.put(`ball-${i}`, 'blue', undefined)
    copy.put('new', 'red', undefined)
    copy.put('ball-3', 'red', undefined)
    copy.check()
    both.check()
  })

  test('keeps long lists in order through removals and returns', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_999), { minLength: 1_500, maxLength: 1_500 }), (places) => {
        const both = new Both()
        for (let i = 0; i < 2_000; i++) both.put(`ball-${i}`, 'red', undefined)
        const base = new Both(both)
        for (const [i, place] of places.entries()) {
          if (i % 5 === 0) base.remove(`ball-${place}`)
          else if (base.table.get(`ball-${place}`)) {
            base.put(`ball-${place}`, i % 3 === 0 ? 'red' : 'green', i % 2)
          }
        }
        base.check()
        expect(base.table.page('all', '', 7, 100)).toEqual(base.model.toReversed().slice(700, 800))
      }),
      { numRuns: 5 },
    )
  })

  test('keeps a long list in order that grows from the middle', () => {
    const all = Array.from({ length: 2_000 }, (_, i) => i)
    const anyOrder = fc.shuffledSubarray(all, { minLength: all.length })
    fc.assert(
      fc.property(anyOrder, (places) => {
        const both = new Both()
        for (const i of all) both.put(`ball-${i}`, 'red', undefined)
        for (const i of places) both.put(`ball-${i}`, 'green', undefined)
        both.check()
        for (const i of places.slice(0, 1_500)) both.put(`ball-${i}`, 'blue', undefined)
        both.check()
      }),
      { numRuns: 3 },
    )
  })

  test('accepts ids such as constructor', () => {
    const both = new Both()
    for (const id of ['__proto__', 'constructor', 'toString']) both.put(id, '__proto__', 1)
    expect(both.table.list('colour', '__proto__')).toEqual(both.model)
    expect(both.table.get('hasOwnProperty')).toBeUndefined()
    expect(both.table.list('colour', 'constructor')).toEqual([])
  })
})
