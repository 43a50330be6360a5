import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder: bundles and sources lie at different depths below it. */
const findPackageRoot = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder))

const root = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

export const packageFile = join(root, 'package.json')
export const fixturesFolder = join(root, 'fixtures')
export const scenariosFolder = join(root, 'scenarios')
export const documentsFolder = join(root, 'openapi')
/** Made by the build: Scalar's script beside our own page. */
export const referenceFolder = join(root, 'dist', 'reference')
/** Made by the build: htmx beside the console's own script and style. */
export const consoleFolder = join(root, 'dist', 'console')
/** Made by the build: fixtures and the scenarios of every start, checked. */
export const shippedImage = join(root, 'dist', 'shipped.json')
/** Made by the build: all shipped scenarios, checked. */
export const scenariosImage = join(root, 'dist', 'scenarios.json')
