import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders of the package. This file and the built ones both lie one level below its root. */
const root = fileURLToPath(new URL('..', import.meta.url))

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
/** Made by the build: the command line as one script. */
export const programFile = join(root, 'dist', 'program.cjs')
