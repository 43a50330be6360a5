import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Readings } from '../../src/assumptions/use.js'
import { audit } from '../../src/domain/audit.js'
import { fiatBalances } from '../../src/domain/balances.js'
import type { Tables, Tx } from '../../src/domain/schema.js'
import { chainTotals } from '../../src/domain/wallets.js'
import { type Commands, commands, createReadings, type World } from '../../src/domain/world.js'
import type { Entry } from '../../src/kernel/entry.js'
import { Kernel } from '../../src/kernel/kernel.js'
import { Refusal } from '../../src/kernel/refusal.js'
import { causeOf, histories, inputOf, play, type Step } from './histories.js'
import { openBase, openWorld } from './open-world.js'
import { listsDue, listsTold, textOf } from './records.js'

const base = openBase()

class Bug extends Error {}

/** The world's commands, each with a bug that shows after so many writes, or else at its end. */
const buggy = (writes: number): Commands => {
  const broken = Object.entries(commands).map(([name, command]) => {
    const run = command as (tx: Tx, input: unknown) => unknown
    return [
      name,
      (tx: Tx, input: unknown) => {
        run(stopAfter(tx, writes), input)
        throw new Bug('at its end')
      },
    ]
  })
  return Object.fromEntries(broken) as Commands
}

const stopAfter = (tx: Tx, writes: number): Tx => {
  const add = tx.add.bind(tx)
  const replace = tx.replace.bind(tx)
  let left = writes
  const count = () => {
    if (left-- === 0) throw new Bug(`after ${writes} writes`)
  }
  tx.add = (table, record) => {
    count()
    return add(table, record)
  }
  tx.replace = (table, before, after) => {
    count()
    return replace(table, before, after)
  }
  return tx
}

/** Records, and balances: one that is zero is not the same as none. */
const wholeOf = (tables: Tables): string => {
  const users = tables.users.list('all', '').map(({ id }) => fiatBalances(tables, id))
  return textOf(tables) + JSON.stringify([users, chainTotals(tables)])
}

/** Runs a step over a world's own tables with commands that break, and answers what came of it. */
const playBroken = (
  world: World,
  step: Step,
  writes: number,
): { error: unknown; entries: Entry[] } => {
  const entries: Entry[] = []
  const kernel = new Kernel<Tables, Commands, Readings>({
    tables: world.tables,
    commands: buggy(writes),
    createReadings,
    seed: world.seed,
    now: world.now,
    evaluateRules: () => undefined,
    record: (entry) => entries.push(entry),
    count: world.seq,
  })
  if (!('command' in step)) return { error: undefined, entries }
  const input = inputOf(world.tables, step.command, step.choice)
  try {
    kernel.run(step.command, input, causeOf(0, step.command))
    return { error: undefined, entries }
  } catch (error) {
    return { error, entries }
  }
}

describe('a bug in a command', () => {
  test('leaves no trace but its entry, however many writes came before it', () => {
    let bugs = 0
    fc.assert(
      fc.property(histories(10, 40), fc.nat(4), (history, writes) => {
        const { world, entries: made } = openWorld({ base })
        for (const [place, step] of history.entries()) {
          const before = wholeOf(world.tables)
          const { error, entries } = playBroken(world, step, writes)
          expect(wholeOf(world.tables)).toBe(before)
          if (error === undefined) expect('command' in step).toBe(false)
          else {
            const code = error instanceof Refusal ? error.code : 'bug'
            if (code === 'bug') bugs++
            expect(entries).toHaveLength(1)
            expect(entries[0]).toMatchObject({ events: [], changes: [], refused: { code } })
          }
          play(world, step, place)
        }
        const places = Object.keys(listsDue(world.tables, []))
        expect(listsTold(world.tables, places)).toEqual(listsDue(world.tables, places))
        expect(audit(world.tables).violations).toEqual([])
        expect(made.filter(({ refused }) => refused?.code === 'bug')).toEqual([])
      }),
      { numRuns: 12 },
    )
    expect(bugs).toBeGreaterThan(30)
  })

  test('in a rule undoes the command that set the rule off', () => {
    let armed = false
    const { world, entries } = openWorld({
      base,
      react: () => {
        if (armed) throw new Bug('in a rule')
        return undefined
      },
    })
    const before = textOf(world.tables)
    const made = entries.length
    armed = true
    const consent = { tnc_accepted: true, accepted_at: '2026-06-15T08:00:00.000Z' }
    const create = () => world.run('consent.create', consent, { kind: 'library' })
    expect(create).toThrow(Bug)
    expect(textOf(world.tables)).toBe(before)
    expect(entries.slice(made)).toMatchObject([
      { command: 'consent.create', events: [], changes: [], refused: { code: 'bug' } },
    ])
    armed = false
    expect(create()).toMatchObject({ accepted_at: consent.accepted_at })
  })
})
