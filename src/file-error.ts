import { readFileSync } from 'node:fs'

/** A file or folder that was named and cannot be used, whatever is in it. */
export class FileError extends Error {
  /** For Node, which shows the class of an error by this; a bundle shortens it. */
  static override readonly name = 'FileError'
  override readonly name = 'FileError'
}

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
  ENAMETOOLONG: 'its name is too long',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not in UTF-8',
}

/** Why the system refuses a file, in words. */
export const whyRefused = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** The text of a file, which has to be what is accepted. */
export const readText = (path: string, accepted: string): string => {
  try {
    // Whatever else somebody has saved it as would never be equal to what a client sends.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    throw new FileError(`${path} cannot be read: ${whyRefused(error)}; accepted: ${accepted}`)
  }
}
