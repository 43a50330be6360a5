import { type TableName, tableNames } from '../../src/domain/schema.js'
import type { Row } from '../../src/kernel/row.js'
import { FORMAT } from '../../src/persistence/file/log-lines.js'
import type { StoredState } from '../../src/persistence/file/snapshot-file.js'
import { validateShapes, validateWorlds } from '../../src/persistence/file/validate.js'
import { restoreBase } from '../../src/persistence/stored-world.js'

const NAME = 'state.json'
const NOW = '2026-06-15T09:00:00.000Z'

/** Validates these records as a start does with an edited data file. */
export const checkAsEdited = (
  tables: Readonly<Record<TableName, { all(): readonly Row[] }>>,
): void => {
  const all = Object.fromEntries(tableNames.map((name) => [name, tables[name].all()]))
  const base = { now: NOW, seq: 1, tables: all }
  const contains = { log: 0, size: 0, crc: '00000000' }
  const state = { format: FORMAT, contains, seed: 'tests', base, worlds: {}, checksum: '00000000' }
  const read: StoredState = JSON.parse(JSON.stringify(state))
  validateShapes(read, NAME)
  validateWorlds(new Map(), read, restoreBase(read.base), NAME)
}
