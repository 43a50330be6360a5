import { convertEntries } from '../earlier-records.js'
import type { CaughtUp, Commit, Head, SettledResult, StoredCommit } from '../port.js'

export interface PostgresHead extends Head {
  /** No two commits share it. */
  readonly tag: string
  /** Number of the commit; `seq` is the number of an entry. */
  readonly n: number
  /** In characters of JSON: what the copy was read from. */
  readonly held: number
  /** All heads of a copy share it. */
  readonly size: Size
}

/** In characters of JSON. */
interface Size {
  checkpoint: number
  /** The commits since the checkpoint that this process read or appended. */
  tail: number
}

export interface CommitRow {
  readonly n: number
  readonly tag: string
}

export interface PageRow extends CommitRow {
  readonly ends: boolean
  /** Of the commit; of the checkpoint if `n` is `start`. Null if it is too large for a statement of many worlds. */
  readonly body: string | null
  parsed?: ParsedCommit
}

interface ParsedCommit {
  readonly commit: StoredCommit
  /** In characters of JSON. */
  readonly size: number
}

/** Shorter commits are read quickly. */
const MIN_CHECKPOINT = 64 * 1024

/** All requests that wait for a world share its rows: parsed by each of them, they would hold it up for seconds. */
export const parseCommit = (row: PageRow): ParsedCommit => {
  row.parsed ??= {
    commit: convertEntries(JSON.parse(row.body ?? '') as StoredCommit),
    size: row.body?.length ?? 0,
  }
  return row.parsed
}

/** `known` is what the commits follow. */
export const toCaughtUp = (
  { n, tag }: CommitRow,
  rows: readonly PageRow[],
  { seq, held, size }: Pick<PostgresHead, 'seq' | 'held' | 'size'>,
): CaughtUp => {
  const parsed = rows.map(parseCommit)
  const more = parsed.reduce((sum, { size }) => sum + size, 0)
  const commits = parsed.map(({ commit }) => commit)
  const newest = commits.at(-1)?.entries.at(-1)?.seq ?? seq
  size.tail += more
  const head: PostgresHead = { n, tag, seq: newest, held: held + more, size }
  return { head, entries: [], commits }
}

export const toResult = (
  { head, entries, ends }: Commit,
  row: CommitRow | undefined,
  length: number,
): SettledResult => {
  if (!row) return { is: 'behind' }
  if (ends) return { is: 'appended', head: undefined }
  const { held, size } = (head as PostgresHead | undefined) ?? {
    held: 0,
    size: { checkpoint: 0, tail: 0 },
  }
  size.tail += length
  const isLong = size.tail > Math.max(MIN_CHECKPOINT, size.checkpoint)
  const next: PostgresHead = {
    ...row,
    seq: entries.at(-1)?.seq ?? 0,
    held: held + length,
    size,
  }
  return { is: 'appended', head: next, isLong }
}
