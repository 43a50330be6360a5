import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { FileError } from '../../lib/read-file.js'
import { DATA_FORM, unusable } from '../errors.js'

/** Absolute path of a data file. Follows links, so that a compaction replaces the file and not the link. */
export const dataPath = async (given: string): Promise<string> => {
  try {
    const real = await realpath(given)
    if ((await stat(real)).isFile()) return real
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return newPath(given)
    throw unusable(error, given)
  }
  throw noFile(given)
}

/** Absolute path of a file that does not exist yet, perhaps through a link. */
const newPath = async (given: string): Promise<string> => {
  if (/[/\\]$/.test(given)) throw noFile(given)
  const folder = dirname(given)
  const aim = await readlink(given).catch(() => undefined)
  if (aim !== undefined) return dataPath(resolve(folder, aim))
  try {
    return join(await realpath(folder), basename(given))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(error, given)
    const problem = `${given} cannot be created: there is no folder ${folder}`
    throw new FileError({ problem, expected: 'a file in an existing folder' })
  }
}

const noFile = (given: string): FileError =>
  new FileError({ problem: `${given} is not a file`, expected: DATA_FORM })

/** A log beside the data file. */
export const logPath = (path: string, number: number): string => `${path}.journal.${number}`

/** The number of a log; undefined for the name of another file. */
export const logNumber = (path: string, name: string): number | undefined => {
  const prefix = `${basename(path)}.journal.`
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined
}
