import { type Tables, tableNames } from '../../src/domain/schema.js'
import { checkShapes } from '../../src/persistence/file/check-shapes.js'
import { checkWorlds } from '../../src/persistence/file/check-worlds.js'
import { baseFrom } from '../../src/persistence/file/recovery.js'
import { FORMAT, type StoredState } from '../../src/persistence/file/state.js'

const NAME = 'state.json'
const NOW = '2026-06-15T09:00:00.000Z'

/** Throws what a start would say that finds these records in a file which it cannot trust. */
export const checkAsEdited = (tables: Tables): void => {
  const all = Object.fromEntries(tableNames.map((name) => [name, tables[name].all()]))
  const base = { now: NOW, seq: 1, tables: all }
  const state = { format: FORMAT, line: 0, seed: 'tests', base, worlds: {} }
  const read: StoredState = JSON.parse(JSON.stringify(state))
  checkShapes(read, NAME)
  checkWorlds(new Map(), read, NAME, baseFrom(read.base))
}
