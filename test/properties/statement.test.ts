import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryJournal } from '../../src/history/memory-journal.js'
import { readStatement } from '../../src/history/statement.js'
import type { Entry } from '../../src/kernel/entry.js'
import { histories, playAll } from './histories.js'
import { openBase, openWorld } from './open-world.js'

const REPLACING = /^(?:world|snapshot)\./

const beginning: Entry[] = []
const base = openBase((command) => beginning.push(command.toJSON()))

test('readStatement returns the same rows for entries that were read back', () => {
  fc.assert(
    fc.property(histories(5, 40), (played) => {
      // The commands that replace a world's tables leave those of these worlds as they are.
      const history = played.filter((step) => !('command' in step && REPLACING.test(step.command)))
      const [inMemory, readBack] = [new MemoryJournal(base.seq), new MemoryJournal(base.seq)]
      const { world } = openWorld({
        base,
        record: (command) => {
          inMemory.add(command)
          readBack.add(command.toJSON())
        },
      })
      playAll(world, history)
      const { tables } = world
      for (const { id } of tables.users.all()) {
        const rows = readStatement(world, { journal: inMemory, beginning }, id)
        expect(readStatement(world, { journal: readBack, beginning }, id)).toEqual(rows)
      }
    }),
    { numRuns: 20 },
  )
})
