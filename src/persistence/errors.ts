import { basename } from 'node:path'
import { FileError, readFailureReason } from '../lib/read-file.js'

/** A data file that cannot be used, or not now. The message names the file and what is wrong. */
export class DataError extends Error {
  /** For Node, which shows the class of an error by this; a bundle shortens it. */
  static override readonly name = 'DataError'
  override readonly name = 'DataError'
}

/** A file that the system does not let be read now: nothing is known of what it holds. */
export class TemporarilyUnreadableError extends DataError {}

/** A seed that is not the one which a data file keeps. */
export class SeedMismatchError extends DataError {}

/** A change that was refused, or taken back, because it cannot be written down. */
export class WriteFailedError extends Error {
  override readonly name = 'NotKept'
}

export const DATA_FORM = 'the path of a file, which is made when it is not there'

/** What went wrong, in its own words. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** What the system says of a file, such as that it may not be read, is told with the file's name. */
export const unusable = (error: unknown, name: string): unknown => {
  const { code, path = name } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  // It may be about one of those that lie beside it.
  const other = basename(path) === basename(name) ? '' : `${basename(path)}: `
  return new FileError(
    `${name} cannot be used: ${other}${readFailureReason(error)}; accepted: ${DATA_FORM}`,
  )
}
