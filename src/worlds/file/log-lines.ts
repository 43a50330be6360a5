import { crc32 } from 'node:zlib'
import { convertEntries } from '../earlier-records.js'
import { DataError, UNCHANGED } from '../errors.js'
import type { Commit } from '../port.js'

/** The format of all files. A version reads its own only. */
export const FORMAT = 3

/** The problem of a file of any other format. */
export const describeFormat = (format: unknown): string =>
  typeof format === 'number'
    ? `it has format ${format}, and this version of Sandramp reads format ${FORMAT}`
    : 'it is no data file of Sandramp, which has a format number'

/** Where a log ends, with the checksum of all of it. */
export interface LogEnd {
  readonly log: number
  readonly size: number
  readonly crc: string
}

/** A line of a log, but for the first: a commit of a world. */
export interface LogRecord extends Pick<Commit, 'ends' | 'origin' | 'created_at' | 'entries'> {
  readonly world: string
}

const NEWLINE = 10
/** Eight hex digits and a space. */
const SUM_LENGTH = 9

/** `before` is the checksum of the bytes that come first. */
export const checksum = (data: string | Uint8Array, before = '0'): string =>
  crc32(data, Number.parseInt(before, 16)).toString(16).padStart(8, '0')

const formatLine = (content: object): string => {
  const json = JSON.stringify(content)
  return `${checksum(json)} ${json}\n`
}

/** The first line of a log. It names the end of the log before it. */
export const formatHeader = (log: number, follows: LogEnd): string =>
  formatLine({ format: FORMAT, log, follows })

export const formatCommit = ({ id: world, ends, origin, created_at, entries }: Commit): string =>
  formatLine({ world, ends, origin, created_at, entries })

export interface LogContent {
  readonly name: string
  readonly follows: LogEnd
  readonly records: readonly LogRecord[]
  readonly end: LogEnd
  /** Bytes behind the end. Nobody got an answer for them. */
  readonly torn: number
}

/**
 * Reads a log up to its end: the one that the next log names, else the last whole line. Undefined if it
 * has no whole line.
 */
export const parseLog = (bytes: Buffer, name: string, known?: LogEnd): LogContent | undefined => {
  const size = known?.size ?? bytes.lastIndexOf(NEWLINE) + 1
  if (size === 0) return undefined
  const whole = bytes.subarray(0, size)
  const crc = checksum(whole)
  if (known && (crc !== known.crc || whole.length < size)) {
    throw damage(name, 1, 'it is not as it was when the next journal was begun')
  }
  const [first, ...records] = parseLines(whole, name)
  const { format, log, follows } = Object(first) as { format: number; log: number; follows: LogEnd }
  if (format !== FORMAT) throw damage(name, 1, describeFormat(format))
  const end = { log, size, crc }
  const commits = (records as LogRecord[]).map(convertEntries)
  return { name, follows, records: commits, end, torn: bytes.length - size }
}

const parseLines = (bytes: Buffer, name: string): unknown[] => {
  const values: unknown[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start)
    const line = bytes.subarray(start, end)
    assertSum(line, name, values.length + 1)
    values.push(JSON.parse(line.toString('utf8', SUM_LENGTH)))
    start = end + 1
  }
  return values
}

const assertSum = (line: Buffer, name: string, place: number): void => {
  const sum = line.toString('latin1', 0, SUM_LENGTH)
  const due = `${checksum(line.subarray(SUM_LENGTH))} `
  if (sum !== due) throw damage(name, place, `its checksum is ${sum}, its content makes ${due}`)
}

const WAY_OUT =
  'Restore it from a copy, or remove it and all later journals to go on without their changes'

export const damage = (name: string, place: number, what: string): DataError =>
  new DataError({
    problem: `${name}:${place}: ${what.trimEnd()}`,
    hint: `${UNCHANGED}. ${WAY_OUT}`,
  })
