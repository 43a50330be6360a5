import { DataError, UNCHANGED } from '../errors.js'
import type { StoredBase, StoredWorld } from '../stored-world.js'

/** The format of the files that this version writes. */
export const FORMAT = 2

/** The file of an evicted world. */
export interface StoredWorlds {
  readonly format: number
  readonly worlds: Readonly<Record<string, StoredWorld>>
}

/** The beginning of a journal, up to a size: `id` is that of the snapshot which the journal continues. */
export interface WalPrefix {
  readonly id: string
  readonly size: number
  readonly crc: string
}

/** The content of `state.json`. */
export interface StoredState extends StoredWorlds {
  /** Each compaction gives another one; an edit by hand leaves it. */
  readonly id: string
  /** The part of the last journal that is in here: a crash may have left that journal. */
  readonly previous?: WalPrefix | undefined
  /** The seeds of all worlds derive from it. */
  readonly seed: string
  /** The seed was generated. */
  readonly drawn?: true
  readonly base: StoredBase
}

type Json = Readonly<Record<string, unknown>>

/** Each step makes the next format, from format 0 on. */
const MIGRATIONS: readonly ((state: Json) => Json)[] = [
  (state) => ({ line: 0, ...state }),
  ({ line, ...state }) => ('base' in state ? { id: `line-${line}`, ...state } : state),
]

/** Brings a file to the format of this version. Refuses newer formats and other files. */
export const migrate = (value: unknown, name: string): StoredState => {
  const format = readFormat(value, name)
  let state = value as Json
  for (const step of MIGRATIONS.slice(format)) state = step(state)
  return { ...state, format: FORMAT } as unknown as StoredState
}

const readFormat = (value: unknown, name: string): number => {
  const format = Object(value).format as unknown
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 0) {
    throw new DataError({
      problem: `${name}: not a data file of Sandramp: it has no format number`,
      hint: UNCHANGED,
    })
  }
  if (format > FORMAT) {
    throw new DataError({
      problem: `${name}: format ${format} is newer than this version of Sandramp reads, which is ${FORMAT}`,
      hint: UNCHANGED,
    })
  }
  return format
}
