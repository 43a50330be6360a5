import { crc32 } from 'node:zlib'
import type { Entry } from '../../kernel/entry.js'

/** What the journal's first line says: which snapshot it goes on from. */
export interface WalHeader {
  readonly format: number
  /** The seed of the worlds, which another sandbox does not share. */
  readonly seed?: string | undefined
  /** How many lines there were before the first one here. */
  readonly after: number
  /** How many of them the snapshot holds: that tells one that was edited from another one. */
  readonly line?: number | undefined
  readonly snapshot: Fingerprint
  /** The snapshot whose place that one takes, where there is one. */
  readonly before?: Fingerprint | undefined
  /** Worlds that were deleted before, of which a file may still lie aside. */
  readonly leftovers?: readonly string[] | undefined
}

/** What tells one file's content from another's. */
export interface Fingerprint {
  readonly crc: string
  readonly size: number
}

export const isPrint = (one: Fingerprint, other: Fingerprint | undefined): boolean =>
  one.crc === other?.crc && one.size === other.size

/** One line: an entry of a world, or what became of a world as a whole. */
export interface WalRecord {
  readonly world: string
  readonly entry?: Entry
  /** The world was deleted, or put aside in a file of its own. */
  readonly is?: 'deleted' | 'aside'
  /** The next line belongs to it: a crash between the two has kept neither. */
  readonly more?: true
}

/** Eight hex digits. */
export const checksum = (data: string | Uint8Array): string => toHex(crc32(data))

export const toHex = (sum: number): string => sum.toString(16).padStart(8, '0')

/** What a line begins with, until its checksum takes the place of the zeros. */
const OPEN = '{"sum":"00000000",'
const SEAL = OPEN.length
const SUM_AT = OPEN.indexOf('0')
const SEALED = /^\{"sum":"([0-9a-f]{8})",$/
const NEWLINE = 10

export const headerRecord = (header: WalHeader): string =>
  `${OPEN}${JSON.stringify(header).slice(1)}\n`

/** World ids are plain, so that they need no escaping. */
export const entryRecord = (world: string, entry: Entry, more?: true): string =>
  `${OPEN}"world":"${world}",${more ? '"more":true,' : ''}"entry":${JSON.stringify(entry)}}\n`

export const worldRecord = (world: string, is: NonNullable<WalRecord['is']>): string =>
  `${OPEN}"world":"${world}","is":"${is}"}\n`

/** The bytes of lines, each with the checksum of what stands behind it. */
export const withChecksum = (lines: string): Buffer => {
  const bytes = Buffer.from(lines)
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    bytes.write(checksum(bytes.subarray(from + SEAL, end)), from + SUM_AT, 'latin1')
    from = end + 1
  }
  return bytes
}

/** What a line holds, or in words what is wrong with it. */
export const parseRecord = (bytes: Buffer): { readonly value: unknown } | string => {
  const sum = SEALED.exec(bytes.toString('latin1', 0, SEAL))?.[1]
  if (sum === undefined) return 'it does not begin with its checksum, as every line does'
  const rest = bytes.subarray(SEAL)
  const due = checksum(rest)
  if (sum !== due) return `its checksum is ${sum}, its content makes ${due}`
  try {
    return { value: JSON.parse(`{${rest.toString('utf8')}`) }
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`
  }
}
