import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { assertPackageComplete, scenariosFolder } from '../../lib/paths.js'
import { FileError } from '../../lib/read-file.js'
import { formatSuggestion, nearestMatches } from '../../lib/suggest.js'
import {
  parseScenarioFile,
  readScenarioFile,
  type Scenario,
  ScenarioError,
} from './parse-scenario.js'

export const bundledNames = (): string[] => {
  assertPackageComplete()
  return readdirSync(scenariosFolder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

export const readBundledScenario = (name: string): Scenario =>
  parseScenarioFile(join(scenariosFolder, `${name}.yaml`))

export const openScenario = (nameOrFile: string): Scenario => {
  if (bundledNames().includes(nameOrFile)) return readBundledScenario(nameOrFile)
  if (existsSync(nameOrFile)) return readScenarioFile(nameOrFile)
  const near = nearestMatches(withoutFolder(nameOrFile), bundledNames())
  // An unset shell variable gives an empty name.
  const named = nameOrFile.trim() === '' ? JSON.stringify(nameOrFile) : nameOrFile
  throw new FileError({
    problem: `No scenario and no file is named ${named}`,
    expected: 'a file, or a name that `sandramp scenarios` lists',
    hint: formatSuggestion(near),
  })
}

/** The text of a scenario, by name or by a place of a report: `happy-path.yaml:12`, `happy-path/2`. */
export const readScenarioText = (place: string): string => {
  const file = place.replace(/:\d+$/, '')
  const name = file.replace(/\.yaml$|\/\d+$/, '')
  if (!bundledNames().includes(name)) return openScenario(file).text ?? ''
  return readFileSync(join(scenariosFolder, `${name}.yaml`), 'utf8')
}

/** Suggests a bundled scenario for a path that ends in its name. */
const withoutFolder = (file: string): string => basename(file).replace(/\.(ya?ml|json)$/i, '')

/** Each name once. */
export const openScenarios = (namesOrFiles: readonly string[]): Scenario[] =>
  [...new Set(namesOrFiles)].map(scenarioOpener())

/** Refuses a second scenario with the same name. */
export const scenarioOpener = () => {
  const opened = new Map<string, string>()
  return (nameOrFile: string): Scenario => {
    const scenario = openScenario(nameOrFile)
    const { name } = scenario
    const first = opened.get(name)
    if (first !== undefined) {
      const problem = `Two scenarios are named ${name}: ${first} and ${nameOrFile}`
      throw new ScenarioError({ problem, expected: 'each name once' })
    }
    opened.set(name, nameOrFile)
    return scenario
  }
}
