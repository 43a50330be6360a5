import type { Entry } from '../../kernel/entry.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import { quote } from '../../lib/text.js'
import { DataError } from '../errors.js'
import { FORMAT } from './state.js'
import { parseRecord, type WalHeader, type WalRecord } from './wal-records.js'

/** A journal that was read: its header, its lines, and where the last whole one ends. */
export interface JournalText {
  readonly header: WalHeader
  /** Each with its number in the file; reads as it goes, and throws at a damaged one. */
  readonly lines: Iterable<{ readonly walRecord: WalRecord; readonly place: number }>
  /** How many lines there are besides the header. */
  readonly count: number
  /** Bytes up to the end of the last whole line with which something is whole. */
  readonly size: number
  /** Bytes behind it: the beginning of what a crash cut off. */
  readonly torn: number
}

const NEWLINE = 10
const FIRST_BYTES = '{"sum":"'

/** Reads a journal. It has its header from the first moment on. */
export const readJournal = (bytes: Buffer, name: string): JournalText => {
  const written = bytes.lastIndexOf(NEWLINE) + 1
  const begin = bytes.toString('latin1', 0, FIRST_BYTES.length)
  if (!begin.startsWith(FIRST_BYTES) && !FIRST_BYTES.startsWith(begin)) {
    throw damage(name, 1, 'it is no journal of Sandramp')
  }
  if (written === 0)
    throw damage(name, 1, 'its first line is not whole, which says what it goes on from')
  const all = splitLines(bytes, written)
  const header = opened(all[0] ?? bytes, name, 1) as WalHeader
  if (header.format > FORMAT) {
    throw damage(name, 1, `format ${header.format} is newer than this version of Sandramp reads`)
  }
  if (typeof header.after !== 'number' || typeof header.snapshot?.crc !== 'string') {
    throw damage(name, 1, 'it does not say which snapshot it goes on from')
  }
  // A crash may leave less than a line, but no whole one that ends in something else.
  const tail = bytes.subarray(written, -1)
  if (tail.length > 0 && typeof parseRecord(tail) !== 'string') {
    throw damage(name, all.length + 1, 'it does not end in a line break, as every line does')
  }
  const whole = withoutBeginning(all)
  const size = whole.reduce((sum, { length }) => sum + length + 1, 0)
  return {
    header,
    lines: parseLines(whole, name),
    count: whole.length - 1,
    size,
    torn: bytes.length - size,
  }
}

/** Without lines at the end to which more belong. */
const withoutBeginning = (all: readonly Buffer[]): readonly Buffer[] => {
  let end = all.length
  while (end > 1 && hasMore(all[end - 1] as Buffer)) end--
  return all.slice(0, end)
}

const hasMore = (bytes: Buffer): boolean => {
  const line = parseRecord(bytes)
  return typeof line !== 'string' && (line.value as WalRecord).more === true
}

const splitLines = (bytes: Buffer, size: number): Buffer[] => {
  const all: Buffer[] = []
  for (let start = 0; start < size; ) {
    const end = bytes.indexOf(NEWLINE, start)
    all.push(bytes.subarray(start, end))
    start = end + 1
  }
  return all
}

function* parseLines(all: readonly Buffer[], name: string): JournalText['lines'] & Generator {
  for (let i = 1; i < all.length; i++) {
    const walRecord = opened(all[i] as Buffer, name, i + 1) as WalRecord
    const wrong = whatIsWrong(walRecord)
    if (wrong) throw damage(name, i + 1, wrong)
    yield { walRecord, place: i + 1 }
  }
}

const opened = (bytes: Buffer, name: string, place: number): unknown => {
  const line = parseRecord(bytes)
  if (typeof line === 'string') throw damage(name, place, line)
  return line.value
}

export const damage = (name: string, place: number, what: string): DataError =>
  new DataError(`${name}:${place}: ${what}; nothing was changed`)

/** Files are named after worlds, so that no other name may come from a file. */
const OF_KEY = /^[0-9a-f]{32}$/

const LONGEST_NAME = 64

const whatIsWrong = ({ world, entry, is }: WalRecord): string | undefined => {
  if (typeof world !== 'string') return 'it names no world'
  if (world !== DEFAULT_WORLD && !OF_KEY.test(world)) {
    return `world ${quote(world, LONGEST_NAME)} came; accepted: ${DEFAULT_WORLD}, or 32 hex digits`
  }
  if (entry === undefined) {
    return is === 'deleted' || is === 'aside' ? undefined : 'it holds no entry'
  }
  const { seq, at, command, changes } = Object(entry) as Partial<Entry>
  const isWhole =
    typeof seq === 'number' &&
    typeof at === 'string' &&
    typeof command === 'string' &&
    Array.isArray(changes)
  return isWhole ? undefined : 'its entry is not whole'
}
