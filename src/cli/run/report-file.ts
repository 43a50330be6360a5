import { existsSync, fstatSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { inWords } from '../../lib/app-error.js'
import { type Arguments, findText, UsageError } from '../../lib/arguments.js'
import { explainFileError, isFile, isFolder } from '../../lib/read-file.js'
import { escapeControlChars } from '../../lib/text.js'

/** The extension of a report fits its kind, so that a typo overwrites no other file. */
export const assertExtension = (
  flag: string,
  file: string,
  extensions: readonly string[],
): void => {
  if (extensions.includes(extname(file).toLowerCase())) return
  throw new UsageError({
    field: `--${flag}`,
    received: inWords(JSON.stringify(file)),
    expected: `a file that ends in ${extensions.join(', ')}`,
  })
}

export const readJunitFile = (args: Arguments): string | undefined => {
  const file = findText(args, 'junit')
  if (file !== undefined && !isDevice(file)) assertExtension('junit', file, ['.xml'])
  return file
}

interface ReportFile {
  readonly flag: 'junit' | 'report'
  readonly file: string | undefined
}

/** Removes the reports of an earlier run. Returns false if one cannot be written. */
export const prepareReports = (reports: readonly ReportFile[]): boolean =>
  reports.every((report) =>
    // Opening a pipe and closing it would end its reader. A device has no earlier report.
    attempt(report, (file) => {
      if (isDevice(file)) return
      write(file, '')
      // A link to a report stays.
      if (lstatSync(file).isFile()) rmSync(file)
    }),
  )

/** Writes a report even if the command removed its folder. Returns false on failure. */
export const writeReport = (report: ReportFile, text: string): boolean =>
  attempt(report, (file) => write(file, text))

const attempt = ({ flag, file }: ReportFile, act: (file: string) => void): boolean => {
  try {
    if (file !== undefined) act(file)
    return true
  } catch (error) {
    const problem = `--${flag}: ${file} cannot be written: ${explainFileError(error)}`
    process.stderr.write(`sandramp: ${escapeControlChars(problem)}\n`)
    return false
  }
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(findDescriptor(file) ?? file, text)
}

/** True for pipes, terminals, and a redirected stdout or stderr. */
const isDevice = (file: string): boolean =>
  STANDARD.includes(file) || (existsSync(file) && !isFile(file) && !isFolder(file))

/** Returns the descriptor of a redirected stdout or stderr: opening it by name would truncate it. */
const findDescriptor = (file: string): number | undefined => {
  const place = STANDARD.indexOf(file)
  return place >= 0 && fstatSync(place + 1).isFile() ? place + 1 : undefined
}

const STANDARD = ['/dev/stdout', '/dev/stderr']
