import { describe, expect, test } from 'vitest'
import type { CommandRecord } from './command-record.js'
import type { Cause, Entry } from './entry.js'
import { Kernel } from './kernel.js'
import { notFound } from './refusal.js'
import type { Row } from './row.js'
import { type RuleContext, type RuleEffects, ruleCountsLayout } from './rules.js'
import { layout, Table } from './table.js'
import { MAX_INSTANT } from './time.js'
import { type ActionPlan, type ActionStep, TimerLoopError, timersLayout } from './timer-records.js'
import type { Transaction } from './transaction.js'

interface Thing extends Row {
  readonly colour: string
  readonly at: string
}

const createTables = () => ({
  things: new Table(layout<Thing>()({ all: () => '', colour: (thing) => thing.colour })),
  timers: new Table(timersLayout),
  rule_counts: new Table(ruleCountsLayout),
})
type Things = ReturnType<typeof createTables>
type Tx = Transaction<Things>
interface Painting {
  readonly id: string
  readonly colour: string
}

const commands = {
  make: (tx: Tx, { id, colour }: Painting) => {
    const thing = tx.add('things', { id, n: tx.tables.things.next, colour, at: tx.at })
    tx.emit({ type: 'made', id })
    return thing
  },
  paint: (tx: Tx, { id, colour }: Painting) => {
    const thing = tx.tables.things.get(id)
    if (!thing) throw notFound('id', `no thing is named ${id}`)
    tx.emit({ type: 'painted', id, colour })
    return tx.replace('things', thing, { ...thing, colour, at: tx.at })
  },
  makeAll: (tx: Tx, ids: readonly string[]) => {
    for (const id of ids) {
      tx.add('things', { id, n: tx.tables.things.next, colour: 'red', at: tx.at })
      tx.emit({ type: 'made', id })
    }
  },
  drop: (tx: Tx, { id }: { readonly id: string }) => {
    const thing = tx.tables.things.get(id)
    if (thing) tx.remove('things', thing)
  },
  spoil: (tx: Tx, { id }: { readonly id: string }) => {
    tx.add('things', { id, n: 99, colour: 'spoilt', at: tx.at })
    tx.emit({ type: 'made', id })
    throw new TypeError('a bug')
  },
  name: (tx: Tx, _: unknown) => [tx.uuid(), tx.uuid()],
}

const BY: Cause = { kind: 'library' }
const START = Date.parse('2026-06-15T09:00:00.000Z')

const paint = (after_ms: number, id: string, colour: string): ActionStep => ({
  after_ms,
  command: 'paint',
  input: { id, colour },
})

const plan = (subject: string, ...steps: ActionStep[]): ActionPlan => ({
  subject,
  scenario: 'painter',
  rule: 2,
  source: 'painter.yaml:7',
  steps,
})

const react = (subject: string, ...steps: ActionStep[]): RuleEffects => ({
  plan: plan(subject, ...steps),
  counts: [],
})

type React = (occasion: RuleContext, tables: Things) => RuleEffects | undefined

const open = (reaction: React = () => undefined, tables = createTables(), now = START) => {
  const entries: Entry[] = []
  const records: CommandRecord[] = []
  const record = (made: CommandRecord) => {
    entries.push(made.toJSON())
    records.push(made)
  }
  const kernel = new Kernel({
    tables,
    commands,
    seed: 'test',
    now,
    evaluateRules: reaction,
    record,
  })
  return { kernel, entries, records, tables }
}

/** Reacts to the making of a thing with the plan that its name stands for. */
const onMade =
  (plans: Record<string, readonly ActionStep[]>): React =>
  ({ event: { type, id } }) =>
    type === 'made' && plans[id] ? react(id, ...plans[id]) : undefined

/** Seconds since the start, and what was painted how. */
const timeline = (entries: readonly Entry[]): string[] =>
  entries
    .filter(({ command }) => command === 'paint')
    .map(({ at, input, refused }) => {
      const { id, colour } = input as Painting
      const seconds = (Date.parse(at) - START) / 1_000
      return `${seconds} ${id} ${colour}${refused ? ' refused' : ''}`
    })

describe('run', () => {
  test.each(['nope', 'toString', 'constructor', '__proto__'])(
    'refuses a command named %s',
    (name) => {
      const { kernel, tables } = open()
      expect(() => kernel.run(name as 'make', { id: 'a', colour: 'red' }, BY)).toThrow(
        `Unknown command "${name}". Allowed: ${Object.keys(commands).join(', ')}`,
      )
      expect(tables.things.size).toBe(0)
    },
  )

  test('keeps the next step of a plan beside the timers of the step', () => {
    const { kernel, entries } = open(({ event: { type, id, colour } }) => {
      if (type === 'made') return react(id, paint(1_000, id, 'blue'), paint(1_000, id, 'green'))
      return colour === 'blue' ? react(id, paint(1_000, id, 'gold')) : undefined
    })
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    kernel.advance(START + 5_000)
    expect(timeline(entries)).toEqual(['1 a blue', '2 a green', '2 a gold'])
  })

  test('runs the steps of several rules in the order of their timers', () => {
    const { kernel, entries } = open(({ event: { type, id, colour } }) => {
      if (type === 'made') return react(id, paint(0, id, 'blue'), paint(0, id, 'green'))
      return colour === 'blue' ? react(id, paint(0, id, 'gold')) : undefined
    })
    kernel.run('makeAll', ['a', 'b'], BY)
    const painted = entries[0]?.events.filter(({ type }) => type === 'painted')
    expect(painted?.map(({ id, colour }) => `${id} ${colour}`)).toEqual([
      'a blue',
      'b blue',
      'a green',
      'b green',
    ])
    expect(timeline(entries)).toEqual(['0 a gold', '0 b gold'])
  })

  test('gives a refused step and all later ones timers, and keeps what came before', () => {
    const { kernel, entries, tables } = open(({ event: { type, id } }) => {
      if (type !== 'made') return undefined
      const other = id === 'b' ? 'nobody' : id
      return react(id, paint(0, other, 'blue'), paint(0, id, 'green'))
    })
    kernel.run('makeAll', ['a', 'b', 'c'], BY)
    expect(entries[0]?.events.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'made a',
      'made b',
      'made c',
      'painted a',
    ])
    expect(timeline(entries)).toEqual([
      '0 nobody blue refused',
      '0 c blue',
      '0 a green',
      '0 b green',
      '0 c green',
    ])
    expect(tables.timers.size).toBe(0)
  })
})

describe('advance', () => {
  test('fires timers at the last instant when it advances until idle', () => {
    const { kernel } = open(onMade({ a: [paint(MAX_INSTANT, 'a', 'blue')] }))
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    expect(kernel.advance('idle')).toBe(1)
    expect(kernel.now).toBe(MAX_INSTANT)
  })

  test('fires late timers at the present time', () => {
    const react = onMade({ a: [paint(2_000, 'a', 'blue'), paint(2_000, 'a', 'green')] })
    const before = open(react)
    before.kernel.run('make', { id: 'a', colour: 'red' }, BY)
    const after = open(react, before.tables, START + 60_000)
    after.kernel.advance(START + 120_000)
    expect(timeline(after.entries)).toEqual(['60 a blue', '62 a green'])
  })
})

describe('a step that is refused', () => {
  test('can be a bug', () => {
    const spoil: ActionStep = { after_ms: 0, command: 'spoil', input: { id: 'b' } }
    const { kernel, entries, tables } = open(onMade({ a: [spoil, paint(0, 'a', 'blue')] }))
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    expect(entries[1]).toMatchObject({ command: 'spoil', refused: { code: 'bug' } })
    expect(tables.things.get('b')).toBeUndefined()
    expect(tables.things.get('a')?.colour).toBe('blue')
  })
})

describe('a timer loop', () => {
  const forever =
    (after_ms: number): React =>
    ({ event: { id } }) =>
      react(id, paint(after_ms, id, 'again'))

  const errorOf = (act: () => unknown): unknown => {
    try {
      act()
    } catch (error) {
      return error
    }
    return undefined
  }

  const once = (id: string) => paint(1_000, id, 'blue')
  const things = Array.from({ length: 10_500 }, (_, i) => `thing-${i}`)
  const steps = Array.from({ length: 1_500 }, () => once('a'))

  test.each<[string, React, readonly string[], number | 'idle', number]>([
    [
      'many timers that are due together',
      onMade(Object.fromEntries(things.map((id) => [id, [once(id)]]))),
      things,
      START + 1_000,
      10_500,
    ],
    ['rules with delays', forever(1), ['a'], START + 12_000, 12_000],
    ['the many steps of one rule', onMade({ a: steps }), ['a'], 'idle', 1_500],
  ])('is not assumed for %s', (_, reaction, ids, to, fired) => {
    const { kernel, entries } = open(reaction)
    for (const id of ids) kernel.run('make', { id, colour: 'red' }, BY)
    expect(kernel.advance(to)).toBe(fired)
    expect(entries).toHaveLength(ids.length + fired)
  })

  const opened = (reaction: React, maxFirings?: number) => {
    let made = 0
    const given = { tables: createTables(), commands, seed: 'test', now: START }
    const most = maxFirings === undefined ? {} : { maxFirings }
    const kernel = new Kernel({ ...given, ...most, evaluateRules: reaction, record: () => made++ })
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    return { kernel, made: () => made }
  }

  test('stops after the limit of firings per call', () => {
    const { kernel, made } = opened(forever(1_000), 2_000)
    const error = errorOf(() => kernel.advance(START + 3_000 * 1_000))
    expect(error).toBeInstanceOf(TimerLoopError)
    expect(String(error)).toContain('2,000 firings in one call: rule 2')
    expect(made()).toBe(1 + 2_000 + 1)
    expect(kernel.now).toBe(START + 2_001 * 1_000)
  })

  test('stops an advance until idle after 1,000 generations, and what fired stays', () => {
    const { kernel, entries } = open(forever(1_000))
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    const error = errorOf(() => kernel.advance('idle'))
    expect(String(error)).toBe(
      'TimerLoopError: Timers still start timers after 1,000 generations: rule 2 of scenario painter (painter.yaml:7). The changes stay; the next timer is dropped.',
    )
    expect(entries).toHaveLength(1 + 1_000 + 1)
    expect(kernel.now).toBe(START + 1_001 * 1_000)
    expect(kernel.advance('idle')).toBe(0)
  })

  test('names the rule of the next timer and the one that set it off', () => {
    const firing = (rule: number, ...steps: ActionStep[]): RuleEffects => ({
      plan: { ...plan('a', ...steps), rule, source: `painter.yaml:${rule}` },
      counts: [],
    })
    const { kernel } = opened(({ event: { colour } }) =>
      colour === 'green'
        ? firing(1, paint(1_000, 'b', 'blue'), paint(1_000, 'a', 'red'))
        : firing(0, paint(1_000, 'a', 'green')),
    )
    const error = errorOf(() => kernel.advance('idle'))
    expect(String(error)).toContain(
      'rule 0 of scenario painter (painter.yaml:0) and rule 1 of scenario painter (painter.yaml:1). ',
    )
  })
})

describe('rules', () => {
  test('get the scenarios and the key of the plan behind a step', () => {
    const seen: unknown[] = []
    const make: ActionStep = {
      after_ms: 1_000,
      command: 'make',
      input: { id: 'b', colour: 'red' },
    }
    const { kernel, tables } = open(({ event: { id }, scenarios, key }) => {
      seen.push([id, scenarios, key])
      const made = { ...plan(id, make), scenarios: ['slow'], key: 'of-ada' }
      return id === 'a' ? { plan: made, counts: [] } : undefined
    })
    kernel.run('make', { id: 'a', colour: 'red' }, BY)
    kernel.advance(START + 1_000)
    expect(seen).toEqual([
      ['a', undefined, undefined],
      ['b', ['slow'], 'of-ada'],
    ])
    expect(tables.things.get('b')?.scenarios).toEqual(['slow'])
  })
})
