import { UsageError } from '../lib/arguments.js'
import { FileError } from '../lib/read-file.js'
import { loadBundled } from '../runtime/bundled-data.js'
import { readScenarioText, scenarioOpener } from '../scenarios/language/bundled.js'
import { ScenarioError } from '../scenarios/language/parse-scenario.js'
import { PASSED, UNUSABLE } from './exit.js'
import { print } from './print.js'
import { linkPage } from './usage.js'

/** Lists the bundled scenarios, shows some, or checks files. Returns the exit code. */
export const scenarios = async (files: readonly string[]): Promise<number> => {
  const [first, ...names] = files
  if (first === 'show') {
    if (names.length === 0)
      throw new UsageError({ field: 'scenario', expected: 'sandramp scenarios show <name…>' })
    print(names.map(readScenarioText).join('\n'))
    return PASSED
  }
  if (files.length === 0) {
    process.stdout.write(await listBundled())
    return PASSED
  }
  const open = scenarioOpener()
  const checks = [...new Set(files)].map((file) => ({
    file,
    problems: findIssues(() => open(file)),
  }))
  print(checks.map(formatCheck).join(''))
  if (checks.every(({ problems }) => problems === undefined)) return PASSED
  process.stdout.write(linkPage('scenarios.md'))
  return UNUSABLE
}

const listBundled = async (): Promise<string> => {
  const { scenarios } = await loadBundled()
  const all = scenarios.all()
  const width = Math.max(...all.map(({ name }) => name.length)) + 2
  return all.map(({ name, title }) => `${name.padEnd(width)}${title}\n`).join('')
}

const findIssues = (open: () => unknown): string | undefined => {
  try {
    open()
    return undefined
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof FileError) return error.message
    throw error
  }
}

const formatCheck = ({ file, problems }: { file: string; problems: string | undefined }) =>
  problems === undefined
    ? `ok      ${file}\n`
    : `broken  ${file}\n${problems.replace(/^/gm, '          ')}\n`
