import { basename, dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { Row } from '../../kernel/row.js'
import { DataError, errorMessage, UNCHANGED } from '../errors.js'
import type { StoredBase, StoredWorld } from '../stored-world.js'
import type { FileSystem } from './file-system.js'
import { checksum, describeFormat, FORMAT, type LogEnd } from './log-lines.js'

/** The content of the data file. Its last line is the checksum of all lines before. */
export interface StoredState {
  readonly format: number
  /** It holds all commits up to here. */
  readonly contains: LogEnd
  /** The seeds of all worlds derive from it. */
  readonly seed: string
  /** The seed was generated. */
  readonly drawn?: true | undefined
  readonly base: StoredBase
  readonly worlds: Readonly<Record<string, StoredWorld | undefined>>
}

/** One write: requests run between two of them. */
const CHUNK_LENGTH = 256 * 1024
const LAST_LINE = /,\n "checksum": "([0-9a-f]{8})"\n\}\n$/
const LAST_LINE_BYTES = 64

/** Reads and writes the data file for lowdb: in pieces, flushed, and in its place only when it is whole. */
export class SnapshotFile implements Adapter<StoredState | null> {
  /** Throws if what was written must not take its place. */
  confirm = async (): Promise<void> => {}
  /** In bytes. */
  size = 0

  constructor(
    readonly fs: FileSystem,
    readonly path: string,
  ) {}

  async read(): Promise<StoredState | null> {
    const bytes = await this.fs.read(this.path)
    if (!bytes) return null
    const end = bytes.toString('latin1', Math.max(0, bytes.length - LAST_LINE_BYTES))
    const [line = '', sum] = LAST_LINE.exec(end) ?? []
    const isWhole = sum === checksum(bytes.subarray(0, bytes.length - line.length))
    this.size = bytes.length
    return parseState(bytes, isWhole, basename(this.path))
  }

  async write(state: StoredState | null): Promise<void> {
    const unfinished = `${this.path}.new`
    try {
      const size = await this.#stream(unfinished, state ?? {})
      await this.confirm()
      await this.fs.rename(unfinished, this.path)
      this.size = size
    } catch (error) {
      await this.fs.remove(unfinished).catch(() => {})
      throw error
    }
    await this.fs.flush(dirname(this.path))
  }

  async #stream(path: string, state: object): Promise<number> {
    const file = await this.fs.open(path, 'empty')
    let sum: string | undefined
    let size = 0
    const write = async (text: string) => {
      const bytes = Buffer.from(text)
      await file.write(bytes, size)
      sum = checksum(bytes, sum)
      size += bytes.length
    }
    try {
      let chunk = '{'
      for (const text of formatItems(state, ' ')) {
        chunk += text
        if (chunk.length < CHUNK_LENGTH) continue
        await write(chunk)
        chunk = ''
      }
      await write(chunk)
      await write(`,\n "checksum": "${sum}"\n}\n`)
      await file.flush()
      return size
    } finally {
      await file.close()
    }
  }
}

const CHANGED =
  'it changed since it was written: its checksum does not fit. To begin with other records, use --fixtures'

const parseState = (bytes: Buffer, isWhole: boolean, name: string): StoredState => {
  const refuse = (problem: string) =>
    new DataError({ problem: `${name}: ${problem}`, hint: UNCHANGED })
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (error) {
    // JSON.parse quotes the text, line breaks included.
    throw refuse(`not well-formed JSON: ${errorMessage(error).replace(/\s+/g, ' ')}`)
  }
  const { format } = Object(value) as Partial<StoredState>
  if (format !== FORMAT) throw refuse(describeFormat(format))
  if (!isWhole) throw refuse(CHANGED)
  return value as StoredState
}

/** The items of an object or a list, one a line. */
function* formatItems(value: object, indent: string): Generator<string> {
  let gap = `\n${indent}`
  const items = Array.isArray(value) ? inOrder(value).entries() : lazyEntries(value)
  for (const [key, item] of items) {
    if (item === undefined) continue
    yield gap
    if (typeof key === 'string') yield `${JSON.stringify(key)}: `
    gap = `,\n${indent}`
    // A record takes one line.
    if (typeof item !== 'object' || item === null || 'id' in item) {
      yield JSON.stringify(item)
      continue
    }
    const [open, close] = Array.isArray(item) ? '[]' : '{}'
    yield `${open}`
    yield* formatItems(item, `${indent} `)
    yield `\n${indent}${close}`
  }
}

/** Reads each value when it is needed: a world is taken as it is when its turn comes. */
function* lazyEntries(value: object): Generator<[string, unknown]> {
  for (const key of Object.keys(value)) yield [key, (value as Record<string, unknown>)[key]]
}

/** Records in the order of their creation, so that a diff shows only what changed. */
const inOrder = (items: readonly unknown[]): readonly unknown[] => {
  const n = (item: unknown) => (Object(item) as Partial<Row>).n ?? 0
  const isSorted = items.every((item, i) => i === 0 || n(item) >= n(items[i - 1]))
  return isSorted ? items : items.toSorted((a, b) => n(a) - n(b))
}
