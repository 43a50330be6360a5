import * as z from 'zod'
import { type TableName, tableNames } from '../../domain/schema.js'
import { TIMERS_PER_ENTRY } from '../../kernel/timers.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { DataError } from '../errors.js'
import { placeAt } from './record-paths.js'
import { named, recordShapes } from './record-shapes.js'
import type { StoredState, StoredWorld, StoredWorlds } from './state.js'

const COUNT = 'a whole number, zero or more'
const INSTANT = 'a UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'

const count = z.int(COUNT).min(0, COUNT)
/** Beyond it, numbers of timers would not be whole any more. */
const MOST_ENTRIES = Math.floor(Number.MAX_SAFE_INTEGER / TIMERS_PER_ENTRY)
const ENTRIES = `a whole number from 0 to ${MOST_ENTRIES}`
const entries = z.int(ENTRIES).min(0, ENTRIES).max(MOST_ENTRIES, ENTRIES)
const instant = z.iso.datetime({ precision: 3, error: INSTANT })
const seed = z.string('a string')
const tables = named(
  Object.fromEntries(
    tableNames.map((name) => [name, z.array(recordShapes[name], 'a list of records').optional()]),
  ),
  'an object of tables',
)
const ids = z.array(z.string('an id'), 'a list of ids').optional()
/** Others are never removed: records name one another, and need not be looked through for what is gone. */
const removed = named(
  { api_keys: ids, rule_counts: ids, timers: ids } satisfies { [Name in TableName]?: z.ZodType },
  'an object of ids by table',
)
const layer = {
  seed,
  now: instant,
  count: entries,
  tables,
  removed: removed.optional(),
  seq: count,
}
const snapshot = z.strictObject({
  ...layer,
  name: z.string().regex(/^[a-z0-9-]{1,64}$/, 'a name of 1 to 64 of a to z, 0 to 9 and -'),
})
const snapshots = z.array(snapshot).check((list) => {
  const names = list.value.map(({ name }) => name)
  names.forEach((name, i) => {
    if (names.indexOf(name) === i) return
    const [input, message] = [name, 'a name that no other snapshot of this world has']
    list.issues.push({ code: 'custom', input, message, path: [i, 'name'] })
  })
})
const world = z.strictObject({ ...layer, snapshots: snapshots.optional() })

const worldsShape = {
  format: count,
  line: count,
  worlds: z.record(
    z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'the id of a world'),
    world,
    'an object of worlds',
  ),
}
const asideShape = z.strictObject(worldsShape)
const stateShape = z.strictObject({
  ...worldsShape,
  seed,
  drawn: z.literal(true).optional(),
  base: named({ now: instant, seq: count, tables }, 'an object with now, seq and tables'),
})

/** Refuses a state whose records do not look as they should, with the path of what is wrong. */
export const checkShapes = (state: StoredState, name: string): void =>
  assertShape(stateShape, state, name)

/** The same for a file with a single world, which it answers. */
export const checkAside = (state: StoredWorlds, id: string, name: string): StoredWorld => {
  assertShape(asideShape, state, name)
  const stored = state.worlds[id]
  if (stored) return stored
  throw new DataError(`${name}: it holds no world ${id}; nothing was changed`)
}

const assertShape = (shape: z.ZodType, state: StoredWorlds, name: string): void => {
  // A name that zod passes over, as JavaScript has it for something else.
  if (Object.hasOwn(Object(state.worlds), '__proto__')) {
    const what = 'worlds.__proto__ came; accepted: the id of a world'
    throw new DataError(`${name}: ${what}; nothing was changed`)
  }
  const result = shape.safeParse(state)
  if (result.success) return
  throw new DataError(
    `${name}: ${formatIssues(result.error.issues, state, placeAt)}; nothing was changed`,
  )
}
