import { describe, expect, test } from 'vitest'
import { DeterministicRandom } from './prng.js'
import type { Row } from './row.js'
import { ruleCountsLayout } from './rules.js'
import { layout, Table } from './table.js'
import { timersLayout } from './timer-records.js'
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

describe('Transaction', () => {
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
