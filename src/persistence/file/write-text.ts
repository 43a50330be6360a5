import type { Row } from '../../kernel/row.js'
import type { FileSystem } from './file-system.js'
import { Slices } from './slices.js'
import type { Standing } from './standing.js'
import type { Fingerprint } from './wal-records.js'

/** A part of a text: as it is, or the records of a list, each on a line. */
export type Piece = string | RecordLines

export interface RecordLines {
  /** Where the list is in the text: `worlds.default.tables.payouts`. */
  readonly path: string
  readonly records: readonly Row[]
  /** What stands between two of them. */
  readonly between: string
}

/** A list as it stands in a file. */
export interface StandingLines {
  readonly records: readonly Row[]
  /** Where each record begins, and where one behind the last would. */
  readonly starts: Float64Array
}

/** A text that was written into a file. */
export interface WrittenText {
  readonly print: Fingerprint
  /** The lists by path, but for short ones. */
  readonly lists: Map<string, StandingLines>
}

/** Fewer records than these are written anew sooner than they are found and copied. */
const FEW = 32

/**
 * Writes a long text into a new file, slice by slice, and flushes it. Records never change: those that
 * stand in another file already are copied from there.
 */
export const writeText = async (
  fs: FileSystem,
  path: string,
  pieces: Iterable<Piece>,
  standing?: Standing,
): Promise<WrittenText> => {
  const file = await fs.open(path, 'empty')
  const slices = new Slices(file)
  const lists = new Map<string, StandingLines>()
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') slices.add(piece)
      else {
        const starts = await writeLines(slices, piece, standing)
        if (starts.length > FEW) lists.set(piece.path, { records: piece.records, starts })
      }
      if (slices.areFull) await slices.write()
    }
    await slices.end()
  } finally {
    await file.close()
  }
  return { print: slices.print, lists }
}

const NOTHING: StandingLines = { records: [], starts: new Float64Array(1) }

/** Answers where each record begins, and where one behind the last would. */
const writeLines = async (
  slices: Slices,
  { path, records, between }: RecordLines,
  standing: Standing | undefined,
): Promise<Float64Array> => {
  const { records: known, starts: from } = standing?.lists.get(path) ?? NOTHING
  const starts = new Float64Array(records.length + 1)
  let place = 0
  for (let i = 0; i < records.length; ) {
    if (i > 0) slices.add(between)
    const { n } = records[i] as Row
    while (place < known.length && (known[place] as Row).n < n) place++
    const start = from[place] as number
    const run = standing?.isAhead(start) ? sameFrom(known, place, records, i) : 0
    if (!standing || run < FEW) {
      starts[i] = slices.size
      slices.add(JSON.stringify(records[i]))
      i++
    } else {
      const shift = slices.size - start
      for (let k = 0; k < run; k++) starts[i + k] = (from[place + k] as number) + shift
      i += run
      place += run
      await slices.copy(standing, start, (from[place] as number) - between.length)
    }
    if (slices.areFull) await slices.write()
  }
  starts[records.length] = slices.size + between.length
  return starts
}

/** How many records, one behind the other, are the same in two lists from a place in each. */
const sameFrom = (one: readonly Row[], i: number, other: readonly Row[], k: number): number => {
  let same = 0
  while (i + same < one.length && one[i + same] === other[k + same]) same++
  return same
}
