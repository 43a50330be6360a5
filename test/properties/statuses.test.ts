import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import { Refusal } from '../../src/kernel/refusal.js'
import { toIso } from '../../src/kernel/time.js'
import { openBase, openWorld } from './open-world.js'
import { textOf } from './records.js'
import { move, type StatusNoun, statusNouns, wayTo } from './status-tables.js'

const base = openBase()
const open = () => openWorld({ base, react: () => undefined })

/** A world with a record of the noun that was led to a status. */
const led = (noun: StatusNoun, status: string) => {
  const opened = open()
  const id = noun.make(opened.world)
  for (const next of wayTo(noun, status)) move(opened.world, noun, id, next)
  return { ...opened, id }
}

const refusalOf = (act: () => unknown): Refusal => {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const pairs = statusNouns.flatMap((noun) =>
  Object.keys(noun.legal).flatMap((from) =>
    Object.keys(noun.legal).map((to) => ({ name: noun.noun, noun, from, to })),
  ),
)
const isLegal = ({ noun, from, to }: (typeof pairs)[number]) => noun.legal[from]?.includes(to)

describe.each(statusNouns)('$noun', (noun) => {
  test('has the statuses and moves of the design, in their order', () => {
    expect(noun.table).toEqual(noun.legal)
  })

  test('begins in the first status, and every status can be reached', () => {
    for (const status of Object.keys(noun.legal)) {
      const { world, id } = led(noun, status)
      expect(noun.read(world, id)?.status).toBe(status)
    }
  })
})

describe('a legal move', () => {
  test.each(pairs.filter(isLegal))('$name from $from to $to', ({ noun, from, to }) => {
    const { world, id, entries } = led(noun, from)
    const before = noun.read(world, id)
    move(world, noun, id, to)
    const after = noun.read(world, id)
    const now = toIso(world.now)
    expect(after).toMatchObject({ status: to, updated_at: now })
    if (before?.reached) expect(after?.reached).toEqual({ ...before.reached, [to]: now })
    expect(entries.at(-1)?.events).toEqual([
      { type: expect.stringMatching(/^(?:transfer|payout|user)\.moved$/), id, from, to },
    ])
    expect(audit(world.tables).violations).toEqual([])
  })
})

describe('an illegal move', () => {
  test.each(pairs.filter((pair) => !isLegal(pair)))(
    '$name from $from to $to is refused without a trace',
    ({ noun, from, to }) => {
      const { world, id, entries } = led(noun, from)
      const before = textOf(world.tables)
      const made = entries.length
      const { code, message } = refusalOf(() => move(world, noun, id, to))
      expect(code).toBe('illegal')
      const legal = noun.legal[from] ?? []
      const choice = legal.length > 0 ? `legal moves: ${legal.join(', ')}` : `${from} is final`
      expect(message).toMatch(new RegExp(`${id} is ${from} and cannot become ${to}; ${choice}\\.$`))
      expect(textOf(world.tables)).toBe(before)
      expect(entries.slice(made)).toMatchObject([
        { events: [], changes: [], refused: { code, message } },
      ])
    },
  )
})

describe('a move of nobody', () => {
  test.each(statusNouns)('$noun: an unknown id is refused', ({ command, first }) => {
    const { world } = open()
    const id = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    const run = () => world.run(command, { id, to: first } as never, { kind: 'library' })
    expect(refusalOf(run)).toMatchObject({ code: 'unknown', field: 'id' })
  })
})
