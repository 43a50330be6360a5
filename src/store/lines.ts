import { crc32 } from 'node:zlib'
import type { Entry } from '../world/kernel/journal.js'

/** What the journal's first line says: which snapshot it goes on from. */
export interface Header {
  readonly format: number
  /** The seed of the worlds, which another sandbox does not share. */
  readonly seed?: string | undefined
  /** How many lines there were before the first one here. */
  readonly after: number
  readonly snapshot: Print
  /** The snapshot whose place that one takes, where there is one. */
  readonly before?: Print | undefined
}

/** What tells one file's content from another's. */
export interface Print {
  readonly crc: string
  readonly size: number
}

export const isPrint = (one: Print, other: Print | undefined): boolean =>
  one.crc === other?.crc && one.size === other.size

/** One line: an entry of a world, or what became of a world as a whole. */
export interface Line {
  readonly world: string
  readonly entry?: Entry
  /** The world was deleted, or put aside in a file of its own. */
  readonly is?: 'deleted' | 'aside'
}

/** Eight hex digits. */
export const checksum = (data: string | Uint8Array): string => hexOf(crc32(data))

export const hexOf = (sum: number): string => sum.toString(16).padStart(8, '0')

const sealed = (rest: string): string => `{"sum":"${checksum(rest)}",${rest}\n`

export const headerLine = (header: Header): string => sealed(JSON.stringify(header).slice(1))

/** World ids are plain, so that they need no escaping. */
export const entryLine = (world: string, entry: Entry): string =>
  sealed(`"world":"${world}","entry":${JSON.stringify(entry)}}`)

export const noteLine = (world: string, is: NonNullable<Line['is']>): string =>
  sealed(`"world":"${world}","is":"${is}"}`)

/** `{"sum":"` and eight digits, `",` */
const SEAL = 18
const SEALED = /^\{"sum":"([0-9a-f]{8})",$/

/** What a line holds, or in words what is wrong with it. */
export const openLine = (bytes: Buffer): { readonly value: unknown } | string => {
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
