import { describe, expect, test } from 'vitest'
import type { CommandRecord } from '../kernel/command-record.js'
import { createWorld } from './world.js'

const CAUSE = { kind: 'library' } as const

const open = (record: (record: CommandRecord) => void = () => {}) =>
  createWorld({ seed: 'steering', now: 0, evaluateRules: () => undefined, record })

const post = (world: ReturnType<typeof open>, id: string, text = '') =>
  world.run('scenario.post', { id, text, scenario: { name: id } }, CAUSE)

describe('uploadScenario', () => {
  test('accepts at most 200 scenarios', () => {
    const world = open()
    for (let n = 1; n <= 200; n++) post(world, `mine-${n}`)
    expect(() => post(world, 'one-more')).toThrow(
      /^Invalid name: 200 scenarios are posted already; one-more would be one more\.$/,
    )
    expect(() => post(world, 'mine-200', 'again')).not.toThrow()
    expect(world.tables.posted.size).toBe(200)
  })
})

test('scenarios emit events when they are uploaded and activated', () => {
  const entries: CommandRecord[] = []
  const world = open((entry) => entries.push(entry))
  post(world, 'mine')
  world.run('scenarios.activate', { names: ['mine', 'other'] }, CAUSE)
  expect(entries.map(({ events }) => events)).toEqual([
    [{ type: 'scenario.posted', id: 'mine' }],
    [{ type: 'scenarios.activated', id: 'active', names: ['mine', 'other'] }],
  ])
})
