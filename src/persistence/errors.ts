import { basename } from 'node:path'
import { AppError, type ErrorDetails } from '../lib/app-error.js'
import { FileError, readFailureReason } from '../lib/read-file.js'

/** A data file that cannot be used, or not now. The message names the file and what is wrong. */
export class DataError extends AppError<'damaged' | 'unavailable'> {
  /** For Node, which shows the class of an error by this; a bundle shortens it. */
  static override readonly name = 'DataError'
  override readonly name = 'DataError'

  constructor(details: string | ErrorDetails, code: 'damaged' | 'unavailable' = 'damaged') {
    super(code, details)
  }
}

/** A file that the system does not let be read now: nothing is known of what it holds. */
export class TemporarilyUnreadableError extends DataError {
  constructor(details: string | ErrorDetails) {
    super(details, 'unavailable')
  }
}

/** A seed that is not the one which a data file keeps. */
export class SeedMismatchError extends DataError {}

/** A change that was refused, or taken back, because it cannot be written down. */
export class WriteFailedError extends AppError<'unavailable'> {
  override readonly name = 'NotKept'

  constructor(details: string | ErrorDetails) {
    super('unavailable', details)
  }
}

export const DATA_FORM = 'the path of a file, which is made when it is not there'

/** The hint of an error that is found before anything is written. */
export const UNCHANGED = 'Nothing was changed'

/** What went wrong, in its own words. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** What the system says of a file, such as that it may not be read, is told with the file's name. */
export const unusable = (error: unknown, name: string): unknown => {
  const { code, path = name } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof AppError) return error
  // It may be about one of those that lie beside it.
  const other = basename(path) === basename(name) ? '' : `${basename(path)}: `
  const problem = `${name} cannot be used: ${other}${readFailureReason(error)}`
  return new FileError({ problem, expected: DATA_FORM })
}
