import { crc32 } from 'node:zlib'
import type { Entry } from '../../kernel/entry.js'
import { formatInvalid } from '../../lib/app-error.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import { DataError, UNCHANGED } from '../errors.js'
import type { Commit } from '../port.js'
import type { StoredLayer } from '../stored-world.js'
import { describeFormat, FORMAT, type WalPrefix } from './stored-state.js'

/** The first line of a write-ahead log: the state file that it continues. */
export interface WalHeader {
  readonly format: number
  /** Named so in the file. `id` survives an edit of the state file; the checksum does not. */
  readonly snapshot: StateId
}

export interface Fingerprint {
  readonly crc: string
  readonly size: number
}

export interface StateId extends Fingerprint {
  readonly id: string
}

export const isSameFile = (one: Fingerprint, other: Fingerprint): boolean =>
  one.crc === other.crc && one.size === other.size

/** A line: one commit of a world, or a part of one. */
export interface WalRecord {
  readonly world: string
  /** The next line belongs to the same commit: a crash between the two keeps neither. */
  readonly more?: true
  readonly ends?: true
  readonly entries: readonly Entry[]
  readonly origin?: StoredLayer
}

/** Eight hex digits. */
export const checksum = (data: string | Uint8Array): string => toHex(crc32(data))

export const toHex = (sum: number): string => sum.toString(16).padStart(8, '0')

/** `withChecksum` replaces the zeros. */
const START = '{"sum":"00000000",'
const SUM_AT = START.indexOf('0')
const STARTED = /^\{"sum":"([0-9a-f]{8})",$/
const NEWLINE = 10

export const formatHeader = (header: WalHeader): string =>
  `${START}${JSON.stringify(header).slice(1)}\n`

/** A longer commit takes several lines. */
const ENTRIES_PER_LINE = 1_000

export const formatCommit = ({ id: world, entries, origin, ends }: Commit): string => {
  let text = ''
  for (let i = 0; i === 0 || i < entries.length; i += ENTRIES_PER_LINE) {
    const record: WalRecord = {
      world,
      ...(i + ENTRIES_PER_LINE < entries.length && { more: true }),
      ...(ends && { ends }),
      ...(origin && { origin }),
      entries: entries.slice(i, i + ENTRIES_PER_LINE),
    }
    text += `${START}${JSON.stringify(record).slice(1)}\n`
  }
  return text
}

/** The bytes of lines, each with the checksum of what follows it. */
export const withChecksum = (lines: string): Buffer => {
  const bytes = Buffer.from(lines)
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    bytes.write(checksum(bytes.subarray(from + START.length, end)), from + SUM_AT, 'latin1')
    from = end + 1
  }
  return bytes
}

/** The content of a line, or the reason why it has none. */
export const parseLine = (bytes: Buffer): { readonly value: unknown } | string => {
  const sum = STARTED.exec(bytes.toString('latin1', 0, START.length))?.[1]
  if (sum === undefined) return 'it does not begin with its checksum, as every line does'
  const rest = bytes.subarray(START.length)
  const due = checksum(rest)
  if (sum !== due) return `its checksum is ${sum}, its content makes ${due}`
  try {
    return { value: JSON.parse(`{${rest.toString('utf8')}`) }
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`
  }
}

export interface WalContent {
  readonly header: WalHeader
  readonly headerSize: number
  readonly records: readonly WalRecord[]
  /** Bytes up to the end of the last whole commit. */
  readonly size: number
  /** Bytes behind it: a commit that a crash cut off. */
  readonly torn: number
  /** All whole commits. */
  readonly prefix: WalPrefix
  /** Whether the log begins with these bytes. */
  readonly hasPrefix: (prefix: WalPrefix) => boolean
}

const FIRST_BYTES = '{"sum":"'

/** Reads a log. Its header is whole from its first moment on. */
export const parseWal = (bytes: Buffer, name: string): WalContent => {
  const begin = bytes.toString('latin1', 0, FIRST_BYTES.length)
  if (!begin.startsWith(FIRST_BYTES) && !FIRST_BYTES.startsWith(begin)) {
    throw damage(name, 1, 'it is no journal of Sandramp')
  }
  const lines = splitLines(bytes)
  const [first] = lines
  if (!first) throw damage(name, 1, 'its first line is not whole, which names its snapshot')
  const values = lines.map((line, i) => parseWhole(line, name, i + 1))
  const header = values[0] as WalHeader
  if (header.format !== FORMAT) throw damage(name, 1, describeFormat(header.format))
  if (typeof header.snapshot?.crc !== 'string') {
    throw damage(name, 1, 'it does not name the snapshot that it goes on from')
  }
  const written = lines.reduce((sum, { length }) => sum + length + 1, 0)
  // A crash may leave less than a line, but no whole one that ends in something else.
  const tail = bytes.subarray(written, -1)
  if (tail.length > 0 && typeof parseLine(tail) !== 'string') {
    throw damage(name, lines.length + 1, 'it does not end in a line break, as every line does')
  }
  const records = values.slice(1).map((value, i) => {
    const problem = findProblem(value as WalRecord)
    if (problem !== undefined) throw damage(name, i + 2, problem)
    return value as WalRecord
  })
  while (records.at(-1)?.more) records.pop()
  const size = lines.slice(0, records.length + 1).reduce((sum, { length }) => sum + length + 1, 0)
  return {
    header,
    headerSize: first.length + 1,
    records,
    size,
    torn: bytes.length - size,
    prefix: { id: header.snapshot.id, size, crc: checksum(bytes.subarray(0, size)) },
    hasPrefix: ({ id, size, crc }) =>
      id === header.snapshot.id &&
      size <= bytes.length &&
      crc === checksum(bytes.subarray(0, size)),
  }
}

const splitLines = (bytes: Buffer): Buffer[] => {
  const lines: Buffer[] = []
  for (let start = 0; ; ) {
    const end = bytes.indexOf(NEWLINE, start)
    if (end < 0) return lines
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
}

const parseWhole = (line: Buffer, name: string, place: number): unknown => {
  const parsed = parseLine(line)
  if (typeof parsed === 'string') throw damage(name, place, parsed)
  return parsed.value
}

export const damage = (name: string, place: number, what: string): DataError =>
  new DataError({ problem: `${name}:${place}: ${what}`, hint: UNCHANGED })

/** Files are named after worlds, so ids from a file must not lead elsewhere. */
const KEY_WORLD = /^[0-9a-f]{32}$/

const findProblem = ({ world, entries }: WalRecord): string | undefined => {
  if (typeof world !== 'string') return 'it names no world'
  if (world !== DEFAULT_WORLD && !KEY_WORLD.test(world)) {
    return formatInvalid('world', world, `${DEFAULT_WORLD}, or 32 hex digits`)
  }
  if (!Array.isArray(entries)) return 'it holds no entries'
  return entries.every(isEntry) ? undefined : 'its entry is not whole'
}

const isEntry = (value: unknown): boolean => {
  const { seq, at, command, changes } = Object(value) as Partial<Entry>
  return (
    typeof seq === 'number' &&
    typeof at === 'string' &&
    typeof command === 'string' &&
    Array.isArray(changes)
  )
}
