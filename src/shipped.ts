import { readFileSync } from 'node:fs'
import { fixturesFolder, scenariosFolder, shippedImage } from './paths.js'
import type { Scenario } from './scenarios/read.js'
import type { FixtureSet } from './world/fixtures.js'

/** What comes with the package, read and checked: the fixtures, and happy-path. */
export interface Shipped {
  readonly fixtures: FixtureSet
  readonly happyPath: Scenario
}

/** True in the build, which keeps an image of what is shipped, so that starting need not check it. */
declare const BUILT: boolean | undefined

export const loadShipped = async (): Promise<Shipped> =>
  typeof BUILT === 'undefined'
    ? readShipped()
    : (JSON.parse(readFileSync(shippedImage, 'utf8')) as Shipped)

/** Reads what is shipped from its files. The build makes its image with this. */
export const readShipped = async (): Promise<Shipped> => {
  const { readFixtures } = await import('./fixtures/read.js')
  const { readScenario } = await import('./scenarios/read.js')
  return {
    fixtures: readFixtures(fixturesFolder),
    happyPath: readScenario(`${scenariosFolder}/happy-path.yaml`),
  }
}
