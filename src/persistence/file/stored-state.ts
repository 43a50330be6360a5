import type { StoredBase, StoredWorld } from '../stored-world.js'

/** The format of the files. A version reads its own format only. */
export const FORMAT = 2

/** What a message says of any other format. */
export const describeFormat = (format: unknown): string =>
  typeof format === 'number'
    ? `it has format ${format}, and this version of Sandramp reads format ${FORMAT}`
    : 'it is no data file of Sandramp, which has a format number'

/** The file of an evicted world. */
export interface StoredWorlds {
  readonly format: number
  readonly worlds: Readonly<Record<string, StoredWorld>>
}

/** The start of a log, up to a size. `id` is that of the state file that the log continues. */
export interface WalPrefix {
  readonly id: string
  readonly size: number
  readonly crc: string
}

/** The content of the data file. */
export interface StoredState extends StoredWorlds {
  /** Each compaction gives another one; an edit by hand leaves it. */
  readonly id: string
  /** The part of the last log that the state contains: a crash may have left that log. */
  readonly previous?: WalPrefix | undefined
  /** The seeds of all worlds derive from it. */
  readonly seed: string
  /** The seed was generated. */
  readonly drawn?: true
  readonly base: StoredBase
}
