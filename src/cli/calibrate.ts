import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { readAnswersFile } from '../assumptions/answers-file.js'
import { describeTraffic, findDisagreements, mergeAnswers } from '../calibrate/answers.js'
import { calibrate } from '../calibrate/calibrate.js'
import type { Contract } from '../calibrate/contract.js'
import { FACTS_FORM, factsSchema } from '../calibrate/facts.js'
import { type HarFile, parseHar } from '../calibrate/har.js'
import { type CalibrationReport, renderReport, toReport } from '../calibrate/report.js'
import { type Arguments, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { documentsFolder } from '../lib/paths.js'
import { orUnwritable, readText } from '../lib/read-file.js'
import { escapeControlChars } from '../lib/text.js'
import { writeYaml } from '../lib/yaml/write.js'
import { FAILED, MISSED, PASSED } from './exit.js'
import { print } from './print.js'
import { assertExtension } from './run/report-file.js'
import { readYamlFile } from './yaml-file.js'

const MAX_HAR = 200 * 1024 * 1024

export const readHar = (file: string): HarFile =>
  parseHar(readText(file, 'a HAR file', MAX_HAR), file)

/** Says what recorded traffic shows about the open questions. Returns the exit code. */
export const calibrateCommand = (given: Arguments): number => {
  const { words } = given
  if (words.length === 0) throw new UsageError({ field: 'argument', expected: 'a HAR file' })
  const [out, report, expect] = ['out', 'report', 'expect'].map((flag) => findText(given, flag))
  if (report !== undefined) assertExtension('report', report, ['.md', '.json'])
  if (out !== undefined) assertExtension('out', out, ['.yaml', '.yml'])
  const against = readOrigin(given)
  const facts = findText(given, 'facts')
  const expected = expect === undefined ? undefined : readAnswersFile(expect)
  const known = out !== undefined && existsSync(out) ? readAnswersFile(out) : new Map()
  const found = calibrate(words.map(readHar), {
    contract: readContract(),
    facts: facts === undefined ? {} : readYamlFile(facts, FACTS_FORM, factsSchema),
    against,
  })
  if (!found) {
    const where = against === undefined ? '' : ` to ${against}`
    process.stderr.write(`sandramp: ${words.join(', ')} has no request of the service${where}\n`)
    return FAILED
  }
  const result = toReport(found, words)
  if (report !== undefined) writeText(report, formatReport(result, report))
  print(renderReport(result, false))
  if (out !== undefined) {
    const answers = Object.fromEntries(mergeAnswers(result, known))
    writeText(out, describeTraffic(result) + writeYaml(answers))
    warn(out, findDisagreements(result, known))
  }
  if (!expected) return PASSED
  const differences = findDisagreements(result, expected)
  warn(expect ?? '', differences)
  return differences.length > 0 ? MISSED : PASSED
}

const readOrigin = (given: Arguments): string | undefined => {
  const text = findText(given, 'against')
  if (text === undefined) return undefined
  if (URL.canParse(text)) return new URL(text).origin
  throw invalidFlag(given, 'against', text, 'a URL such as https://staging.example')
}

const readContract = (): Contract =>
  JSON.parse(readFileSync(join(documentsFolder, 'contract.json'), 'utf8')) as Contract

const formatReport = (report: CalibrationReport, file: string): string =>
  extname(file).toLowerCase() === '.json'
    ? `${JSON.stringify(report, null, 2)}\n`
    : escapeControlChars(renderReport(report))

const writeText = (file: string, text: string): void =>
  orUnwritable(file, () => writeFileSync(file, text))

const warn = (file: string, lines: readonly string[]): void => {
  for (const line of lines)
    process.stderr.write(`sandramp: ${escapeControlChars(`${file}: ${line}`)}\n`)
}
