import { fstatSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { whyRefused } from '../file-error.js'
import { printable } from '../terminal.js'
import { UsageError } from './arguments.js'

/** A file that a run reads or writes, and what it is to the run. */
export interface UsedFile {
  readonly file: string
  readonly is: string
}

/** Refuses a report that would take the place of something which the run reads, or of another report. */
export const assertApart = (flag: string, file: string | undefined, others: UsedFile[]): void => {
  if (file === undefined) return
  const place = placeOf(file)
  const same = others.find((other) => placeOf(other.file) === place)
  if (same)
    throw new UsageError(`--${flag}: ${file} came, which is ${same.is}; accepted: another file`)
}

/** The same for every name of a file, whether it is there or not. */
const placeOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    const folder = dirname(file)
    return folder === file ? file : join(placeOf(folder), basename(file))
  }
}

/** Makes sure that a report can be written, before anybody waits for it. */
export const prepareFile = (flag: string, file: string | undefined): void => {
  if (file === undefined) return
  try {
    write(file, '')
    // An older report must not be taken for this run's. A device or a link, as /dev/stdout, has to stay.
    if (lstatSync(file).isFile()) rmSync(file)
  } catch (error) {
    throw new UsageError(
      `${refusal(flag, file, error)}; accepted: the path of a file, which is made anew`,
    )
  }
}

/** Writes a report, also when the command has cleared its folder away. Tells whether it could. */
export const writeReport = (flag: string, file: string, text: string): boolean => {
  try {
    write(file, text)
    return true
  } catch (error) {
    process.stderr.write(`sandramp: ${printable(refusal(flag, file, error))}\n`)
    return false
  }
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(openedAs(file) ?? file, text)
}

/** The descriptor of a file that this process writes to already: opened by name once more it would be emptied. */
const openedAs = (file: string): number | undefined => {
  const place = STANDARD.indexOf(file)
  return place >= 0 && fstatSync(place + 1).isFile() ? place + 1 : undefined
}

/** Of the descriptors 1 and 2. */
const STANDARD = ['/dev/stdout', '/dev/stderr']

const refusal = (flag: string, file: string, error: unknown): string =>
  `--${flag}: ${file} cannot be written: ${whyRefused(error)}`
