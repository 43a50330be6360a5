import {
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { escapeControlChars } from '../../lib/ansi.js'
import { inWords } from '../../lib/app-error.js'
import { explainFileError } from '../../lib/read-file.js'
import { TITLE } from '../../usecases/open-questions/document.js'
import { UsageError } from '../arguments.js'

/** A file that a run reads or writes, and its role in error messages. */
export interface UsedFile {
  readonly file: string
  readonly is: string
}

/** Rejects a report that would overwrite an input file or the other report. */
export const assertApart = (flag: string, file: string | undefined, others: UsedFile[]): void => {
  if (file === undefined) return
  const place = resolvePath(file)
  const same = others.find((other) => resolvePath(other.file) === place)
  if (same)
    throw new UsageError({
      field: `--${flag}`,
      received: inWords(`${file}, which is ${same.is}`),
      expected: 'another file',
    })
}

/** Two names of a file have the same resolved path. The file need not exist. */
const resolvePath = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    const folder = dirname(file)
    return folder === file ? file : join(resolvePath(folder), basename(file))
  }
}

/** Rejects files that are neither empty nor a report. */
export const assertOverwritable = (flag: string, file: string | undefined): void => {
  if (file === undefined || !existsSync(file) || !statSync(file).isFile()) return
  if (STANDARD.includes(file) || isReport(readExisting(flag, file))) return
  throw new UsageError({
    problem: `--${flag}: ${file} is not a report of sandramp, so it is not overwritten`,
    expected: 'another path. Or remove the file first',
  })
}

const readExisting = (flag: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError({
      problem: writeErrorMessage(flag, file, error),
      expected: 'the path of a file',
    })
  }
}

/** Patterns that only reports match. */
const REPORTS = [
  /^<\?xml [^>]*>\s*<testsuites name="sandramp /,
  new RegExp(`^# ${TITLE}`),
  new RegExp(`^<!doctype html>[\\s\\S]*<title>${TITLE}</title>`),
  /^\{\s*"at":[\s\S]*"open":/,
]

const isReport = (text: string): boolean =>
  text.trim() === '' || REPORTS.some((form) => form.test(text))

/** Checks that a report can be written before the command runs. */
export const prepareFile = (flag: string, file: string | undefined): void => {
  if (file === undefined) return
  try {
    // Opening a pipe and closing it would end its reader.
    if (isPipe(file)) return
    write(file, '')
    // Removes the report of an earlier run. Devices and links such as /dev/stdout stay.
    if (lstatSync(file).isFile()) rmSync(file)
  } catch (error) {
    throw new UsageError({
      problem: writeErrorMessage(flag, file, error),
      expected: 'the path of a file, which the run creates',
    })
  }
}

/** Writes a report even if the command removed its folder. Returns false on failure. */
export const writeReport = (flag: string, file: string, text: string): boolean => {
  try {
    write(file, text)
    return true
  } catch (error) {
    process.stderr.write(`sandramp: ${escapeControlChars(writeErrorMessage(flag, file, error))}\n`)
    return false
  }
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(findDescriptor(file) ?? file, text)
}

const isPipe = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false

/** Returns the descriptor of a redirected stdout or stderr: opening it by name would truncate it. */
const findDescriptor = (file: string): number | undefined => {
  const place = STANDARD.indexOf(file)
  return place >= 0 && fstatSync(place + 1).isFile() ? place + 1 : undefined
}

const STANDARD = ['/dev/stdout', '/dev/stderr']

const writeErrorMessage = (flag: string, file: string, error: unknown): string =>
  `--${flag}: ${file} cannot be written: ${explainFileError(error)}`
