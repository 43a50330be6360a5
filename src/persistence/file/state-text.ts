import { tableNames } from '../../domain/schema.js'
import type { Row } from '../../kernel/row.js'
import { DEFAULT_WORLD } from '../../runtime/live-world.js'
import type {
  StoredIds,
  StoredLayer,
  StoredRows,
  StoredState,
  StoredWorld,
  StoredWorlds,
} from './state.js'
import type { Piece } from './write-text.js'

/**
 * A state as text, piece by piece: one record per line, in order of making, worlds by id after the
 * default one, so that two of them can be compared line by line.
 */
export function* formatState(state: StoredState | StoredWorlds): Generator<Piece> {
  yield `{\n${field(1, 'format', state.format)},\n${field(1, 'line', state.line)},\n`
  if ('base' in state) {
    const { seed, drawn, base } = state
    yield `${field(1, 'seed', seed)},\n`
    if (drawn) yield `${field(1, 'drawn', drawn)},\n`
    yield ` ${name('base')}{\n`
    yield `${field(2, 'now', base.now)},\n${field(2, 'seq', base.seq)},\n`
    yield* rows(2, 'base', base.tables)
    yield '\n },\n'
  }
  yield ` ${name('worlds')}{`
  let gap = '\n'
  for (const id of sortedIds(state.worlds)) {
    const world = state.worlds[id]
    if (!world) continue
    yield `${gap}  ${name(id)}{\n`
    yield* worldText(`worlds.${id}`, world)
    yield '\n  }'
    gap = ',\n'
  }
  yield '\n }\n}\n'
}

function* worldText(path: string, world: StoredWorld): Generator<Piece> {
  yield `${field(3, 'seq', world.seq)},\n`
  yield* layerText(3, path, world)
  if (!world.snapshots) return
  yield `,\n   ${name('snapshots')}[`
  let gap = '\n'
  for (const snapshot of world.snapshots) {
    yield `${gap}    {\n${field(5, 'name', snapshot.name)},\n${field(5, 'seq', snapshot.seq)},\n`
    yield* layerText(5, `${path}.snapshots.${snapshot.name}`, snapshot)
    yield '\n    }'
    gap = ',\n'
  }
  yield '\n   ]'
}

function* layerText(depth: number, path: string, layer: StoredLayer): Generator<Piece> {
  const { seed, now, count, removed } = layer
  yield `${field(depth, 'seed', seed)},\n${field(depth, 'now', now)},\n${field(depth, 'count', count)},\n`
  yield* rows(depth, path, layer.tables)
  if (removed) yield `,\n${idsText(depth, removed)}`
}

function* rows(depth: number, path: string, tables: StoredRows): Generator<Piece> {
  const indent = ' '.repeat(depth)
  yield `${indent}${name('tables')}{`
  let gap = `\n${indent} `
  for (const table of tableNames) {
    const records = tables[table]
    if (!records || records.length === 0) continue
    const line = `\n${indent}  `
    yield `${gap}${name(table)}[${line}`
    yield { path: `${path}.${table}`, records: inOrder(records), between: `,${line}` }
    yield `\n${indent} ]`
    gap = `,\n${indent} `
  }
  yield `\n${indent}}`
}

const idsText = (depth: number, removed: StoredIds): string => {
  const indent = ' '.repeat(depth)
  const lists = tableNames.flatMap((table) => {
    const ids = removed[table]
    return ids?.length ? [`${indent} ${name(table)}${JSON.stringify([...ids].sort())}`] : []
  })
  return `${indent}${name('removed')}{\n${lists.join(',\n')}\n${indent}}`
}

const inOrder = (records: readonly Row[]): readonly Row[] => {
  const isInOrder = records.every(({ n }, i) => i === 0 || n > (records[i - 1]?.n ?? 0))
  return isInOrder ? records : records.toSorted((a, b) => a.n - b.n || (a.id < b.id ? -1 : 1))
}

const name = (text: string): string => `${JSON.stringify(text)}: `

const field = (depth: number, key: string, value: unknown): string =>
  `${' '.repeat(depth)}${name(key)}${JSON.stringify(value)}`

const sortedIds = (worlds: StoredWorlds['worlds']): string[] =>
  Object.keys(worlds).sort((a, b) =>
    a === DEFAULT_WORLD ? -1 : b === DEFAULT_WORLD ? 1 : a < b ? -1 : 1,
  )
