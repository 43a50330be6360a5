import { basename } from 'node:path'
import { AppError, type ErrorDetails } from '../lib/app-error.js'
import { explainFileError, FileError } from '../lib/read-file.js'

/** The data cannot be used, or not now. */
export class DataError extends AppError<'damaged' | 'unavailable'> {
  static override readonly name = 'DataError'
  override readonly name = 'DataError'

  constructor(details: string | ErrorDetails, code: 'damaged' | 'unavailable' = 'damaged') {
    super(code, details)
  }
}

/**
 * The world changed since the attempt began: it was reset, say, or another process stored a change first. The attempt
 * was rolled back and is made again.
 */
export class WorldMovedError extends AppError<'unavailable'> {
  override readonly name = 'WorldMovedError'

  /** `hasProgress`: the attempt stored a part of its work, which stays. */
  constructor(readonly hasProgress = false) {
    super(
      'unavailable',
      'The change was not made: others kept changing the world meanwhile. Retry.',
    )
  }
}

export const DATA_FORM = 'the path of a file, which is made when it is not there'

/** The hint of an error that is found before anything is written. */
export const UNCHANGED = 'Nothing was changed'

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Adds the file's name to an error of the system. */
export const unusable = (error: unknown, name: string): unknown => {
  const { code, path = name } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof AppError) return error
  // The error may be about a file beside it.
  const other = basename(path) === basename(name) ? '' : `${basename(path)}: `
  const problem = `${name} cannot be used: ${other}${explainFileError(error)}`
  return new FileError({ problem, expected: DATA_FORM })
}
