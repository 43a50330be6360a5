import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { escapeControlChars } from '../../lib/ansi.js'
import { inWords } from '../../lib/app-error.js'
import { readFailureReason } from '../../lib/read-file.js'
import { TITLE } from '../../usecases/open-questions/document.js'
import { UsageError } from '../arguments.js'

/** A file that a run reads or writes, and what it is to the run. */
export interface UsedFile {
  readonly file: string
  readonly is: string
}

/** Refuses a report that would take the place of something which the run reads, or of another report. */
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

/** The same for every name of a file, whether it is there or not. */
const resolvePath = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    const folder = dirname(file)
    return folder === file ? file : join(resolvePath(folder), basename(file))
  }
}

/** Refuses to overwrite a file that is neither empty nor an earlier report. Touches nothing. */
export const assertReport = (flag: string, file: string | undefined): void => {
  if (file === undefined || !existsSync(file) || !statSync(file).isFile()) return
  if (STANDARD.includes(file) || isReport(readHead(flag, file))) return
  throw new UsageError({
    problem: `--${flag}: ${file} is not a report of sandramp, so it is not overwritten`,
    expected: 'another path. Or remove the file first',
  })
}

const readHead = (flag: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError({ problem: refusal(flag, file, error), expected: 'the path of a file' })
  }
}

/** How each report begins, or what only a report holds. */
const REPORTS = [
  /^<\?xml [^>]*>\s*<testsuites name="sandramp /,
  new RegExp(`^# ${TITLE}`),
  new RegExp(`^<!doctype html>[\\s\\S]*<title>${TITLE}</title>`),
  /^\{\s*"at":[\s\S]*"open":/,
]

const isReport = (text: string): boolean =>
  text.trim() === '' || REPORTS.some((form) => form.test(text))

/** Makes sure that a report can be written, before anybody waits for it. */
export const prepareFile = (flag: string, file: string | undefined): void => {
  if (file === undefined) return
  try {
    // To open a pipe for a moment would end what reads from it.
    if (isPipe(file)) return
    write(file, '')
    // An older report must not be taken for this run's. A device or a link, as /dev/stdout, has to stay.
    if (lstatSync(file).isFile()) rmSync(file)
  } catch (error) {
    throw new UsageError({
      problem: refusal(flag, file, error),
      expected: 'the path of a file, which the run creates',
    })
  }
}

/** Writes a report, also when the command has cleared its folder away. Tells whether it could. */
export const writeReport = (flag: string, file: string, text: string): boolean => {
  try {
    write(file, text)
    return true
  } catch (error) {
    process.stderr.write(`sandramp: ${escapeControlChars(refusal(flag, file, error))}\n`)
    return false
  }
}

const write = (file: string, text: string): void => {
  makeFolder(dirname(file))
  const close = isPipe(file) ? holdPipe(file) : undefined
  writeFileSync(openedAs(file) ?? file, text)
  close?.()
}

/** Makes a folder level by level: Node's own recursion never ends below a folder such as /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const isPipe = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false

/** Opens a pipe at once, or throws: a plain open would wait for ever where nobody reads. */
const holdPipe = (file: string): (() => void) => {
  const held = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
  return () => closeSync(held)
}

/** The descriptor of a file that this process writes to already: opened by name once more it would be emptied. */
const openedAs = (file: string): number | undefined => {
  const place = STANDARD.indexOf(file)
  return place >= 0 && fstatSync(place + 1).isFile() ? place + 1 : undefined
}

/** Of the descriptors 1 and 2. */
const STANDARD = ['/dev/stdout', '/dev/stderr']

const refusal = (flag: string, file: string, error: unknown): string =>
  `--${flag}: ${file} cannot be written: ${readFailureReason(error)}`
