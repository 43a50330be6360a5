import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../nearest.js'
import { scenariosFolder } from '../paths.js'
import { readScenario, type Scenario, ScenarioError } from './read.js'

/** Names of the scenarios that come with the package. */
export const shippedNames = (): string[] =>
  readdirSync(scenariosFolder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()

/** Opens a scenario by the name of a shipped one, or by file. */
export const openScenario = (nameOrFile: string): Scenario => {
  if (/^[a-z0-9-]+$/.test(nameOrFile)) {
    const shipped = join(scenariosFolder, `${nameOrFile}.yaml`)
    if (existsSync(shipped)) return readScenario(shipped)
  }
  if (existsSync(nameOrFile)) return readScenario(nameOrFile)
  const near = nearest(nameOrFile, shippedNames())
  throw new ScenarioError(
    `no scenario and no file is named ${nameOrFile}; shipped are ${shippedNames().join(', ')}` +
      (near ? `; did you mean ${near}?` : ''),
  )
}
