import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import type { Tables } from '../../src/domain/schema.js'
import type { CommandName, World } from '../../src/domain/world.js'
import type { Entry } from '../../src/kernel/entry.js'
import { Refusal } from '../../src/kernel/refusal.js'
import { histories, playAll } from './histories.js'
import { openBase, openWorld } from './open-world.js'
import { listsDue, listsTold, type Place, placesOf, tableOf, textOf } from './records.js'

const base = openBase()

const asRead = (entries: readonly Entry[]): Entry[] => JSON.parse(JSON.stringify(entries))

/** Does again what was done from outside, at the times at which it was done. */
const replay = (world: World, entries: readonly Entry[], until: number): void => {
  for (const { cause, at, command, input } of entries) {
    if (cause.kind === 'timer') continue
    world.advance(Date.parse(at))
    try {
      world.run(command as CommandName, input as never, cause)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  world.advance(until)
}

/** Writes what entries changed, without running any command. */
const redo = (tables: Tables, entries: readonly Entry[]): void => {
  for (const { table, id, record } of entries.flatMap(({ changes }) => changes)) {
    const target = tableOf(tables, table)
    target.write(id, target.get(id), record ?? undefined)
  }
}

/** Every list that ever held something: in the base, and with each change. */
const placesIn = (entries: readonly Entry[]): Set<Place> => {
  const places = new Set(Object.keys(listsDue(base.tables, [])))
  for (const { table, record } of entries.flatMap(({ changes }) => changes)) {
    if (record) for (const place of placesOf(table, record)) places.add(place)
  }
  return places
}

describe('a history', () => {
  test('done again makes the same records and the same entries, byte for byte', () => {
    fc.assert(
      fc.property(histories(60, 120), (history) => {
        const first = openWorld({ base })
        playAll(first.world, history)
        const again = openWorld({ base })
        const opening = again.entries.length
        replay(again.world, asRead(first.entries.slice(opening)), first.world.now)
        expect(textOf(again.world.tables)).toBe(textOf(first.world.tables))
        expect(JSON.stringify(again.entries)).toBe(JSON.stringify(first.entries))
        expect(again.world.now).toBe(first.world.now)
      }),
      { numRuns: 20 },
    )
  })

  test('redone from its changes alone makes the same records, lists and balances', () => {
    fc.assert(
      fc.property(histories(60, 120), (history) => {
        const first = openWorld({ base })
        playAll(first.world, history)
        const { tables } = openWorld({ base }).world
        redo(tables, asRead(first.entries))
        expect(textOf(tables)).toBe(textOf(first.world.tables))
        const places = placesIn(first.entries)
        expect(listsTold(tables, places)).toEqual(listsTold(first.world.tables, places))
        expect(audit(tables)).toEqual(audit(first.world.tables))
        expect(audit(tables).ok).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('leaves every list as a rebuild from the records makes it', () => {
    fc.assert(
      fc.property(histories(30, 80), (history) => {
        const { world, entries } = openWorld({ base })
        playAll(world, history)
        const places = placesIn(entries)
        expect(listsTold(world.tables, places)).toEqual(listsDue(world.tables, places))
      }),
      { numRuns: 20 },
    )
  })

  test('redone over whole tables comes out as over a layer', () => {
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { world, entries } = openWorld({ base })
        playAll(world, history)
        const { tables } = openBase()

        redo(tables, asRead(entries))
        expect(textOf(tables)).toBe(textOf(world.tables))
        const places = placesIn(entries)
        expect(listsTold(tables, places)).toEqual(listsTold(world.tables, places))
      }),
      { numRuns: 20 },
    )
  })
})
