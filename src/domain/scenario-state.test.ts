import { describe, expect, test } from 'vitest'
import type { CommandRecord } from '../kernel/command-record.js'
import { createWorld } from './world.js'

const CAUSE = { kind: 'library' } as const

const open = (record: (record: CommandRecord) => void = () => {}) =>
  createWorld({ seed: 'steering', now: 0, evaluateRules: () => undefined, record })

const post = (world: ReturnType<typeof open>, id: string, text = '') =>
  world.run('scenario.post', { id, text, scenario: { name: id } }, CAUSE)

describe('uploadScenario', () => {
  test('replaces a scenario of the same name', () => {
    const world = open()
    const first = post(world, 'mine', 'first')
    post(world, 'other')
    const second = post(world, 'mine', 'second')
    expect(second.n).toBe(first.n)
    expect(world.tables.posted.all().map(({ id, text }) => [id, text])).toEqual([
      ['mine', 'second'],
      ['other', ''],
    ])
  })

  test('rewrites the active list, so that cached rules expire', () => {
    const world = open()
    post(world, 'early')
    expect(world.tables.playlist.size).toBe(0)
    world.run('scenarios.activate', { names: ['early'] }, CAUSE)
    const before = world.tables.playlist.get('active')
    post(world, 'early', 'again')
    const after = world.tables.playlist.get('active')
    expect(after).toEqual(before)
    expect(after).not.toBe(before)
  })

  test('resets the counts of its own rules only', () => {
    const world = open()
    const counted = { n: 0, matched: 2, fired: 1, window_from: null, passed: 0 }
    const counts = ['mine/0', 'mine/1/ada', 'mine-too/0', 'not/mine/'].map((id) => ({
      ...counted,
      id,
    }))
    world.run('rule.fire', { rule: null, source: null, counts }, CAUSE)
    post(world, 'mine')
    expect(world.tables.rule_counts.all().map(({ id }) => id)).toEqual(['mine-too/0', 'not/mine/'])
  })

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

test('undo restores the active list and a replaced scenario', () => {
  const steps: CommandRecord[] = []
  const world = open((record) => steps.push(record))
  post(world, 'mine', 'first')
  world.run('scenarios.activate', { names: ['mine'] }, CAUSE)
  const before = [world.tables.posted.get('mine'), world.tables.playlist.get('active')]
  world.run('scenarios.activate', { names: [] }, CAUSE)
  post(world, 'mine', 'second')
  world.undo(steps.slice(2), CAUSE)
  expect([world.tables.posted.get('mine'), world.tables.playlist.get('active')]).toEqual(before)
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
