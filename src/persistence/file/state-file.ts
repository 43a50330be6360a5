import { crc32 } from 'node:zlib'
import { tableNames } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import { DataError, errorMessage, UNCHANGED } from '../errors.js'
import type { StoredIds, StoredLayer, StoredRows, StoredWorld } from '../stored-world.js'
import type { FileSystem } from './file-system.js'
import { describeFormat, FORMAT, type StoredState, type StoredWorlds } from './stored-state.js'
import { type Fingerprint, toHex } from './wal-records.js'

/** Parses the state file, or the file of an evicted world. */
export const parseState = (bytes: Buffer, name: string): StoredState => {
  let value: unknown
  try {
    // Drops the byte order mark that some editors write, and refuses other encodings.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // JSON.parse quotes the text, line breaks included.
    const reason = errorMessage(error).replace(/\s+/g, ' ')
    throw new DataError({ problem: `${name}: not well-formed JSON: ${reason}`, hint: UNCHANGED })
  }
  const { format } = Object(value) as Partial<StoredState>
  if (format === FORMAT) return value as StoredState
  throw new DataError({ problem: `${name}: ${describeFormat(format)}`, hint: UNCHANGED })
}

/** One write: requests run between two of them. */
const CHUNK_BYTES = 256 * 1024

/** Writes a new file in chunks, and flushes it. */
export const writeState = async (
  fs: FileSystem,
  path: string,
  state: StoredState | StoredWorlds,
): Promise<Fingerprint> => {
  const file = await fs.open(path, 'empty')
  let size = 0
  let sum = 0
  const write = async (text: string) => {
    const bytes = Buffer.from(text)
    await file.write(bytes, size)
    sum = crc32(bytes, sum)
    size += bytes.length
  }
  try {
    let chunk = ''
    for (const text of formatState(state)) {
      chunk += text
      if (chunk.length < CHUNK_BYTES) continue
      await write(chunk)
      chunk = ''
    }
    await write(chunk)
    await file.flush()
  } finally {
    await file.close()
  }
  return { crc: toHex(sum), size }
}

/**
 * One record per line, in order of creation, and worlds by id after the default one, so that a diff shows
 * only what changed.
 */
function* formatState(state: StoredState | StoredWorlds): Generator<string> {
  yield `{\n${field(1, 'format', state.format)},\n`
  if ('base' in state) {
    const { id, previous, seed, drawn, base } = state
    yield `${field(1, 'id', id)},\n`
    if (previous !== undefined) yield `${field(1, 'previous', previous)},\n`
    yield `${field(1, 'seed', seed)},\n`
    if (drawn) yield `${field(1, 'drawn', drawn)},\n`
    yield ` ${key('base')}{\n`
    yield `${field(2, 'now', base.now)},\n${field(2, 'seq', base.seq)},\n`
    yield* formatTables(2, base.tables)
    yield '\n },\n'
  }
  yield ` ${key('worlds')}{`
  let gap = '\n'
  for (const id of sortIds(state.worlds)) {
    const world = state.worlds[id]
    if (!world) continue
    yield `${gap}  ${key(id)}{\n`
    yield* formatWorld(world)
    yield '\n  }'
    gap = ',\n'
  }
  yield '\n }\n}\n'
}

function* formatWorld(world: StoredWorld): Generator<string> {
  yield `${field(3, 'seq', world.seq)},\n`
  yield* formatLayer(3, world)
  if (!world.snapshots) return
  yield `,\n   ${key('snapshots')}[`
  let gap = '\n'
  for (const snapshot of world.snapshots) {
    yield `${gap}    {\n${field(5, 'name', snapshot.name)},\n${field(5, 'seq', snapshot.seq)},\n`
    yield* formatLayer(5, snapshot)
    yield '\n    }'
    gap = ',\n'
  }
  yield '\n   ]'
}

function* formatLayer(depth: number, layer: StoredLayer): Generator<string> {
  const { seed, now, count, removed } = layer
  yield `${field(depth, 'seed', seed)},\n${field(depth, 'now', now)},\n${field(depth, 'count', count)},\n`
  yield* formatTables(depth, layer.tables)
  if (removed) yield `,\n${formatIds(depth, removed)}`
}

function* formatTables(depth: number, tables: StoredRows): Generator<string> {
  const indent = ' '.repeat(depth)
  yield `${indent}${key('tables')}{`
  let gap = `\n${indent} `
  for (const table of tableNames) {
    const records = tables[table]
    if (!records || records.length === 0) continue
    yield `${gap}${key(table)}[`
    let separator = `\n${indent}  `
    for (const record of sortRecords(records)) {
      yield separator + JSON.stringify(record)
      separator = `,\n${indent}  `
    }
    yield `\n${indent} ]`
    gap = `,\n${indent} `
  }
  yield `\n${indent}}`
}

const formatIds = (depth: number, removed: StoredIds): string => {
  const indent = ' '.repeat(depth)
  const lists = tableNames.flatMap((table) => {
    const ids = removed[table]
    return ids?.length ? [`${indent} ${key(table)}${JSON.stringify([...ids].sort())}`] : []
  })
  return `${indent}${key('removed')}{\n${lists.join(',\n')}\n${indent}}`
}

const sortRecords = (records: readonly Row[]): readonly Row[] => {
  const isSorted = records.every(({ n }, i) => i === 0 || n > (records[i - 1]?.n ?? 0))
  return isSorted ? records : records.toSorted((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
}

const sortIds = (worlds: StoredWorlds['worlds']): string[] =>
  Object.keys(worlds).sort((a, b) => {
    if (a === DEFAULT_WORLD || b === DEFAULT_WORLD) return a === DEFAULT_WORLD ? -1 : 1
    return a < b ? -1 : 1
  })

const key = (name: string): string => `${JSON.stringify(name)}: `

const field = (depth: number, name: string, value: unknown): string =>
  `${' '.repeat(depth)}${key(name)}${JSON.stringify(value)}`
