import { readFileSync } from 'node:fs'
import type { FixtureSet } from '../domain/seed-data/load.js'
import {
  assertPackageComplete,
  fixturesFolder,
  isBuilt,
  scenariosImage,
  shippedImage,
} from '../lib/paths.js'
import type { BundledScenarios } from '../scenarios/language/catalogue.js'
import type { Scenario } from '../scenarios/language/parse-scenario.js'

export interface BundledData {
  readonly fixtures: FixtureSet
  readonly scenarios: BundledScenarios
}

/** The part that a start needs, written by the build: a start reads and validates no files. */
interface BuildSnapshot {
  readonly fixtures: FixtureSet
  readonly started: readonly Scenario[]
}

/** Active in every world: the outcomes of magic values, and the happy path. */
const STARTED = ['magic-values', 'happy-path']

let bundled: Promise<BundledData> | undefined

/** Read once per process: tests create thousands of sandboxes. */
export const loadBundled = (): Promise<BundledData> => {
  bundled ??= isBuilt ? readImages() : readSources()
  return bundled
}

const readSources = async (): Promise<BundledData> => {
  const { image, all } = await readBundled()
  return { fixtures: image.fixtures, scenarios: { started: image.started, all: () => all } }
}

const readImages = async (): Promise<BundledData> => {
  assertPackageComplete()
  const { fixtures, started } = JSON.parse(readFileSync(shippedImage, 'utf8')) as BuildSnapshot
  const all = () => JSON.parse(readFileSync(scenariosImage, 'utf8')) as Scenario[]
  return { fixtures, scenarios: { started, all } }
}

/** Reads the files of the package. The build stores the result. */
export const readBundled = async (): Promise<{
  image: BuildSnapshot
  all: readonly Scenario[]
}> => {
  const { readFixtures } = await import('./seed-data/read-fixtures.js')
  const { bundledNames, readBundledScenario } = await import('../scenarios/language/bundled.js')
  const all = bundledNames().map(readBundledScenario)
  const started = STARTED.flatMap((name) => all.filter((scenario) => scenario.name === name))
  return { image: { fixtures: readFixtures(fixturesFolder), started }, all }
}
