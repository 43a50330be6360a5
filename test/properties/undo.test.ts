import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import { tableNames } from '../../src/domain/schema.js'
import { copyWorld, type World } from '../../src/domain/world.js'
import { buildLineage } from '../../src/history/lineage.js'
import { LiveWorld } from '../../src/worlds/live-world.js'
import { createSnapshot } from '../../src/worlds/snapshots.js'
import { causeOf, histories, play, type Step } from './histories.js'
import { openBase, openWorld, rules } from './open-world.js'
import { listsDue, listsTold, type Place, placesOf, recordsOf, textOf } from './records.js'

const base = openBase()

const openLine = (): LiveWorld =>
  new LiveWorld(
    {
      id: 'laws',
      base,
      beginning: [],
      evaluateRules: () => undefined,
      machineClock: () => 0,
      schedule: () => () => {},
      report: (bug) => {
        throw bug
      },
      requestLog: 0,
      start: (record) => openWorld({ base, record }).world,
    },
    (record) => openWorld({ base, record }).world,
  )

/** A command from outside. The clock moves with it, so that the step can be undone. */
const playOn = (live: LiveWorld, step: Step, place: number): void => {
  if ('until' in step) live.advance('idle', causeOf(place, 'advanceClock'))
  else if ('advance_ms' in step) {
    if (step.advance_ms < 0) return
    live.advance(live.world.now + step.advance_ms, causeOf(place, 'advanceClock'))
  } else play(live.world, step, place)
}

const stateOf = ({ tables, now, count, seed }: World) => ({
  text: textOf(tables),
  now,
  count,
  seed,
})

const placesIn = ({ tables }: World): Set<Place> => {
  const places = new Set(Object.keys(listsDue(base.tables, [])))
  for (const name of tableNames) {
    for (const record of recordsOf(tables, name)) {
      for (const place of placesOf(name, record)) places.add(place)
    }
  }
  return places
}

const expectWhole = (world: World): void => {
  const places = placesIn(world)
  expect(listsTold(world.tables, places)).toEqual(listsDue(world.tables, places))
  expect(audit(world.tables).ok).toBe(true)
}

/** Histories whose entries all go on from the one before. */
const straight = (least: number, most: number) =>
  histories(least, most).map((history) =>
    history.filter((step) => !('command' in step && TURNS.has(step.command))),
  )
const TURNS: ReadonlySet<string> = new Set(['world.begin', 'world.fork', 'snapshot.restore'])

const UNDONE = causeOf(1, 'undo')
const REDONE = causeOf(3, 'redo')

describe('a history that is undone', () => {
  test('leads back and forth through every state that it went through, and plays again to the same end', () => {
    fc.assert(
      fc.property(straight(20, 60), (history) => {
        const live = openLine()
        const states: ReturnType<typeof stateOf>[] = []
        const acts: number[] = []
        for (const [place, step] of history.entries()) {
          const before = stateOf(live.world)
          const { size } = live.history
          playOn(live, step, place)
          if (live.history.size === size) continue
          states.push(before)
          acts.push(place)
        }
        const end = stateOf(live.world)
        let after = end
        for (let before = states.pop(); before; before = states.pop()) {
          expect(live.rewind.undo(UNDONE)).toBeDefined()
          expect(stateOf(live.world)).toEqual(before)
          expect(live.rewind.redo(REDONE)).toBeDefined()
          expect(stateOf(live.world)).toEqual(after)
          expect(live.rewind.redo(REDONE)).toBeUndefined()
          live.rewind.undo(UNDONE)
          after = before
        }
        expectWhole(live.world)
        expect(live.rewind.undo(UNDONE)).toBeUndefined()

        const { seq } = live.world
        const [first = 0] = acts
        for (const [place, step] of history.entries()) if (place >= first) playOn(live, step, place)
        expect(stateOf(live.world).text).toBe(end.text)
        expect(live.world.seq).toBeGreaterThan(seq)
      }),
      { numRuns: 20 },
    )
  })

  test('is left out of the history that explains the world', () => {
    fc.assert(
      fc.property(straight(5, 20), straight(5, 20), (kept, undone) => {
        const live = openLine()
        for (const [place, step] of kept.entries()) playOn(live, step, place)
        const before = buildLineage(live.journal.all()).map(({ seq }) => seq)
        const { size } = live.history
        for (const [i, step] of undone.entries()) playOn(live, step, kept.length + i)
        while (live.history.size > size) live.rewind.undo(UNDONE)
        const after = buildLineage(live.journal.all()).filter(({ changes }) => changes.length > 0)
        const changing = new Set(
          live.journal
            .all()
            .filter(({ changes }) => changes.length > 0)
            .map(({ seq }) => seq),
        )
        expect(after.map(({ seq }) => seq)).toEqual(before.filter((seq) => changing.has(seq)))
      }),
      { numRuns: 20 },
    )
  })
})

describe('a snapshot', () => {
  test('is the world as it was, whatever happened since, and goes on as that would have', () => {
    fc.assert(
      fc.property(histories(10, 40), histories(10, 40), (before, after) => {
        const { world } = openWorld({ base })
        for (const [place, step] of before.entries()) play(world, step, place)
        const then = stateOf(world)
        const { world: kept } = createSnapshot('then', world)
        for (const [place, step] of after.entries()) play(world, step, place)
        expect(stateOf(kept)).toEqual(then)

        const again = copyWorld(kept, { evaluateRules: rules, record: () => {} })
        for (const [place, step] of after.entries()) play(again, step, place)
        expect(stateOf(again)).toEqual(stateOf(world))
        expectWhole(again)
        expect(stateOf(kept)).toEqual(then)
        expectWhole(kept)
      }),
      { numRuns: 20 },
    )
  })
})
