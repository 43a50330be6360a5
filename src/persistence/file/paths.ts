import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { FileError } from '../../lib/read-file.js'
import { DATA_FORM, unusable } from '../errors.js'

/** Absolute path of a data file. Follows links, so that a compaction replaces the file and not the link. */
export const dataPath = async (given: string): Promise<string> => {
  const path = wholePath(given)
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isFile()) {
      throw new FileError({ problem: `${given} is not a file`, expected: DATA_FORM })
    }
    return real
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(error, given)
  }
  if (/[/\\]$/.test(given))
    throw new FileError({ problem: `${given} is not a file`, expected: DATA_FORM })
  try {
    const aim = await linkTarget(path)
    return aim === undefined ? join(await realpath(dirname(path)), basename(path)) : dataPath(aim)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(error, given)
    throw new FileError({
      problem: `${given} cannot be created: there is no folder ${dirname(path)}`,
      expected: 'a file in an existing folder',
    })
  }
}

const wholePath = (given: string): string => {
  try {
    return resolve(given)
  } catch {
    throw new FileError({
      problem: `${given} cannot be found: the current folder is gone`,
      expected: 'an absolute path, or a start from an existing folder',
    })
  }
}

/** Target of a link to a file that does not exist yet; undefined without a link. */
const linkTarget = async (path: string): Promise<string | undefined> => {
  try {
    return resolve(dirname(path), await readlink(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    // No link: another process has just created the file.
    if (code === 'EINVAL') return path
    throw error
  }
}

/** A log beside the data file. */
export const logPath = (path: string, number: number): string => `${path}.journal.${number}`

/** The number of a log; undefined for the name of another file. */
export const logNumber = (path: string, name: string): number | undefined => {
  const prefix = `${basename(path)}.journal.`
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined
}
