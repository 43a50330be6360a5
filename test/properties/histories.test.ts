import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import { tableNames } from '../../src/domain/schema.js'
import { chainTotals, userTokenBalance, walletBalances } from '../../src/domain/wallets.js'
import { commands, type World } from '../../src/domain/world.js'
import type { Entry } from '../../src/kernel/entry.js'
import { toIso } from '../../src/kernel/time.js'
import type { Timer } from '../../src/kernel/timer-records.js'
import { anyReadings, histories, play, playAll, type Step } from './histories.js'
import { type Opened, openBase, openWorld } from './open-world.js'
import { changedSince, type Held, heldBy, recordsOf } from './records.js'

const base = openBase()

const openBy = (history: readonly Step[]): World => {
  const { world } = openWorld({ base })
  playAll(world, history)
  return world
}

const sumOf = (amounts: readonly string[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))

/** Timers that wait for time, not for reads. */
const dueOnly = (timer: Timer) => (timer.due === null ? [] : [{ ...timer, due: timer.due }])

/** Every timer that fires was the next one, and fires at its own time. */
const timersOutOfOrder = (entries: readonly Entry[]): string[] => {
  const pending = new Map<string, Timer>()
  const wrong: string[] = []
  for (const { cause, at, seq, changes, refused } of entries) {
    const [next] = [...pending.values()].flatMap(dueOnly).sort((a, b) => a.due - b.due || a.n - b.n)
    if (cause.kind === 'timer') {
      if (cause.timer !== next?.id) wrong.push(`${seq}: ${cause.timer} fired before ${next?.id}`)
      else if (at !== toIso(next.due)) wrong.push(`${seq}: due ${toIso(next.due)}, fired ${at}`)
    } else if (next && toIso(next.due) <= at) {
      wrong.push(`${seq}: made at ${at}, while ${next.id} was due ${toIso(next.due)}`)
    }
    if (refused) continue
    for (const { table, id, record } of changes) {
      if (table !== 'timers') continue
      if (record) pending.set(id, record as Timer)
      else pending.delete(id)
    }
  }
  return wrong
}

/** A refused step leaves no change and one entry with the refusal. */
const checkNoTrace = (opened: Opened, before: Held, made: number, message: string): void => {
  const entries = opened.entries.slice(made)
  expect(changedSince(before, base.tables, opened.world.tables)).toEqual([])
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ events: [], changes: [], refused: { message } })
}

describe('in any history', () => {
  test('the ledger is proved after every step, and a refusal leaves no trace', () => {
    fc.assert(
      fc.property(histories(1, 40), (history) => {
        const opened = openWorld({ base })
        const { world, entries } = opened
        for (const [place, step] of history.entries()) {
          const before = heldBy(world.tables)
          const made = entries.length
          const refusal = play(world, step, place)
          expect(audit(world.tables).violations).toEqual([])
          if (refusal) checkNoTrace(opened, before, made, refusal.message)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('the ledger is proved under all readings, and a file may hold what came of it', () => {
    fc.assert(
      fc.property(anyReadings, histories(20, 60), (readings, history) => {
        const world = openBy(readings)
        for (const [place, step] of history.entries()) {
          play(world, step, place)
          expect(audit(world.tables).violations).toEqual([])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('every record and entry survives JSON', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { world, entries } = openWorld({ base })
        playAll(world, history)
        for (const name of tableNames) {
          const records = recordsOf(world.tables, name)
          expect(JSON.parse(JSON.stringify(records)), name).toStrictEqual(records)
        }
        const facts = entries.map(({ input, ...entry }) => entry)
        expect(JSON.parse(JSON.stringify(facts))).toStrictEqual(facts)
      }),
      { numRuns: 20 },
    )
  })

  test('every record has a number of its own, in the order of making, without gaps', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { tables } = openBy(history)
        for (const name of tableNames.filter((name) => name !== 'timers')) {
          const numbers = recordsOf(tables, name).map(({ n }) => n)
          expect(numbers, name).toEqual(numbers.map((_, i) => i + 1))
          expect(tables[name].next, name).toBe(numbers.length + 1)
        }
        const timers = recordsOf(tables, 'timers')
        expect(new Set(timers.map(({ n }) => n)).size).toBe(timers.length)
      }),
      { numRuns: 20 },
    )
  })

  test('the total of all wallets is the sum of each wallet', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { tables } = openBy(history)
        const wallets = tables.wallets.list('all', '')
        const users = tables.users.list('all', '')
        for (const { token, amount } of chainTotals(tables)) {
          const held = wallets.flatMap((wallet) =>
            walletBalances(tables, wallet).filter((it) => it.token.id === token.id),
          )
          expect(sumOf(held.map((it) => it.amount)), token.id).toEqual(new Big(amount))
          const owned = users.map(({ id }) => userTokenBalance(tables, id, token) ?? '0')
          expect(sumOf(owned), token.id).toEqual(new Big(amount))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('time never goes back, entries are numbered on, and timers fire in order', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { world, entries } = openWorld({ base })
        for (const [place, step] of history.entries()) {
          const now = world.now
          play(world, step, place)
          expect(world.now).toBeGreaterThanOrEqual(now)
          if ('advance_ms' in step) expect(world.now).toBe(now + Math.max(0, step.advance_ms))
          expect(world.nextDue ?? Number.POSITIVE_INFINITY).toBeGreaterThan(world.now)
          if ('until' in step) expect(world.nextDue).toBeUndefined()
        }
        expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort())
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => base.seq + 1 + i))
        expect(timersOutOfOrder(entries)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('a refused timer leaves no trace, and its plan goes on', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { world, entries } = openWorld({ base })
        playAll(world, history)
        for (const [i, entry] of entries.entries()) {
          if (!entry.refused) continue
          expect(entry).toMatchObject({ events: [], changes: [] })
          expect(entry.refused.code).not.toBe('bug')
          if (entry.cause.kind !== 'timer') continue
          expect(entries[i + 1]).toMatchObject({ cause: entry.cause, command: 'timer.pass' })
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('the histories themselves', () => {
  test('take and refuse every command, and let timers succeed and fail', () => {
    const seen = new Set<string>()
    for (const history of fc.sample(histories(30, 60), { numRuns: 200, seed: 4021 })) {
      const { world, entries } = openWorld({ base })
      playAll(world, history as Step[])
      for (const { command, cause, refused } of entries) {
        seen.add(`${cause.kind === 'timer' ? 'timer ' : ''}${command} ${refused ? 'no' : 'yes'}`)
      }
    }
    const never = new Set([
      'world.begin no',
      'clock.set no',
      'fixtures.load yes',
      'transfer.read no',
      'scenario.post no',
      'scenarios.activate no',
      'rule.fire no',
      'snapshot.take no',
      'snapshot.drop no',
      'snapshot.restore no',
      'world.fork no',
    ])
    const wanted = Object.keys(commands)
      .flatMap((command) => [`${command} yes`, `${command} no`])
      .concat('timer transfer.move yes', 'timer transfer.move no', 'timer payout.move yes')
      .concat('timer user.move yes', 'timer user.move no')
      .filter((outcome) => !never.has(outcome))
    expect(wanted.filter((outcome) => !seen.has(outcome))).toEqual([])
  })
})
