import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toChanges } from './command-record.js'
import type { Change } from './entry.js'
import { DeterministicRandom } from './prng.js'
import type { Row } from './row.js'
import { ruleCountsLayout } from './rules.js'
import { layout, Table } from './table.js'
import { timersLayout } from './timers.js'
import { Transaction } from './transaction.js'

interface Ball extends Row {
  readonly colour: string
}

const createTables = () => ({
  balls: new Table(layout<Ball>()({ colour: (ball) => ball.colour })),
  boxes: new Table(layout<Ball>()({ colour: (box) => box.colour })),
  timers: new Table(timersLayout),
  rule_counts: new Table(ruleCountsLayout),
})
type Tables = ReturnType<typeof createTables>

const NOW = Date.parse('2026-06-15T09:00:00.000Z')

const begin = (tables: Tables, count = 1) =>
  new Transaction(tables, NOW, new DeterministicRandom('test'), count, { cascadeDepth: 0 })

interface Step {
  readonly table: 'balls' | 'boxes'
  readonly id: string
  /** Null takes the record away. */
  readonly colour: string | null
}

const steps = fc.array(
  fc.record({
    table: fc.constantFrom('balls', 'boxes'),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'a b'),
    colour: fc.option(fc.constantFrom('red', 'green'), { freq: 3 }),
  }),
  { maxLength: 40, size: 'max' },
) as fc.Arbitrary<Step[]>

/** Returns whether the step changed something. */
const take = (tx: Transaction<Tables>, { table, id, colour }: Step): boolean => {
  const before = tx.tables[table].get(id)
  if (colour === null) {
    if (!before) return false
    tx.remove(table, before)
  } else if (before) tx.replace(table, before, { ...before, colour })
  else tx.add(table, { id, n: tx.tables[table].next, colour })
  return true
}

const stateOf = ({ balls, boxes, timers }: Tables) => ({
  balls: balls.all(),
  boxes: boxes.all(),
  timers: timers.all(),
  red: [balls.list('colour', 'red'), boxes.list('colour', 'red')],
  green: [balls.list('colour', 'green'), boxes.list('colour', 'green')],
  next: [balls.next, boxes.next],
  sizes: [balls.size, boxes.size],
})

describe('Transaction', () => {
  test('lists each changed record once, in order of first change', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const tables = createTables()
        const tx = begin(tables)
        const touched: Change[] = []
        for (const step of given) {
          if (!take(tx, step)) continue
          const { table, id } = step
          const record = tables[table].get(id) ?? null
          const known = touched.findIndex((it) => it.table === table && it.id === id)
          if (known >= 0) touched[known] = { table, id, record }
          else touched.push({ table, id, record })
        }
        expect(toChanges(tx.writes())).toEqual(touched)
      }),
    )
  })

  test('rolls everything back', () => {
    fc.assert(
      fc.property(steps, steps, (first, then) => {
        const tables = createTables()
        const before = begin(tables)
        for (const step of first) take(before, step)
        const state = stateOf(tables)
        const tx = begin(tables, 2)
        for (const step of then) take(tx, step)
        const steps = [{ after_ms: 5, command: 'paint', input: {} }]
        tx.schedule({ subject: 'a', scenario: 's', rule: 0, source: 's:1', steps })
        expect(tables.timers.size).toBe(1)
        tx.rollback()
        expect(stateOf(tables)).toEqual(state)
      }),
    )
  })

  test('draws other numbers each time, and the same for the same entry', () => {
    const draw = (count: number) => {
      const tx = begin(createTables(), count)
      return [tx.uuid(), tx.uuid(), tx.digits(20), tx.digits(20)]
    }
    expect(draw(1)).toEqual(draw(1))
    expect(new Set([...draw(1), ...draw(2)]).size).toBe(8)
    expect(draw(1)[2]).toMatch(/^\d{20}$/)
  })

  test('puts its own scenarios before inherited ones', () => {
    const tables = createTables()
    const tx = new Transaction(tables, NOW, new DeterministicRandom('test'), 1, {
      cascadeDepth: 0,
      scenarios: ['slow', 'stuck'],
    })
    tx.inheritScenarios({ id: 'a', n: 1 })
    expect(tx.activeScenarios).toEqual(['slow', 'stuck'])
    tx.inheritScenarios({ id: 'a', n: 1, scenarios: ['late', 'slow'] })
    tx.add('balls', { id: 'b', n: 1, colour: 'red' })
    expect(tables.balls.get('b')?.scenarios).toEqual(['slow', 'stuck', 'late'])
  })
})
