import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { errorClass } from './app-error.js'

export const FileError = errorClass('FileError', 'file')
export type FileError = InstanceType<typeof FileError>

const ON_THE_WAY = 'a folder on the way to it is a file'
const NO_RIGHT = 'this user has no right to it'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: ON_THE_WAY,
  EEXIST: ON_THE_WAY,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: 'nothing can be written there',
  ENOSPC: 'no room is left there',
  ELOOP: 'links lead round in a circle',
  ENXIO: 'it is a pipe that nobody reads from',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  E2BIG: 'its arguments or its environment are too long',
  ENAMETOOLONG: 'its name is too long',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not in UTF-8',
}

export const explainFileError = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** statSync alone throws for a link loop, a name that is too long and a folder without access. */
export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** A device such as /dev/zero never ends. */
const MAX_FILE = 64 * 1024 * 1024
const PIECE = 64 * 1024

/** `accepted` completes the sentence "Expected …" of the FileError. */
export const readBytes = (path: string, accepted: string): Buffer => {
  try {
    return readAll(path)
  } catch (error) {
    throw unreadable(path, error, accepted)
  }
}

/** Like `readBytes`, but rejects files that are not in UTF-8. */
export const readText = (path: string, accepted: string, most = MAX_FILE): string => {
  try {
    // Wrongly decoded text would never equal the text that a client sends.
    return new TextDecoder('utf-8', { fatal: true }).decode(readAll(path, most))
  } catch (error) {
    throw unreadable(path, error, accepted)
  }
}

const unreadable = (path: string, error: unknown, expected: string): FileError =>
  new FileError({ problem: `${path} cannot be read: ${explainFileError(error)}`, expected })

const readAll = (path: string, most = MAX_FILE): Buffer => {
  const file = openSync(path, 'r')
  try {
    const pieces: Buffer[] = []
    for (let size = 0; size <= most; ) {
      const piece = Buffer.allocUnsafe(PIECE)
      const count = readSync(file, piece)
      if (count === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, count))
      size += count
    }
    throw new Error(`it is longer than ${most} bytes`)
  } finally {
    closeSync(file)
  }
}

/** Runs what opens or writes a file. */
export const orUnwritable = <T>(file: string, write: () => T): T => {
  try {
    return write()
  } catch (error) {
    const problem = `${file} cannot be written: ${explainFileError(error)}`
    throw new FileError({ problem, expected: 'a file that this user may write' })
  }
}
