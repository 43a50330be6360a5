import { checkShapes } from '../../src/store/check-shapes.js'
import { checkWorlds } from '../../src/store/check-worlds.js'
import { baseFrom } from '../../src/store/recovery.js'
import { FORMAT, type StoredState } from '../../src/store/state.js'
import { type Tables, tableNames } from '../../src/world/world.js'

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
