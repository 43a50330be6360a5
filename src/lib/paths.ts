import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bundles and sources have different depths below the package's folder. */
const findPackageRoot = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder))

const root = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

export const packageFile = join(root, 'package.json')
export const fixturesFolder = join(root, 'fixtures')
export const scenariosFolder = join(root, 'scenarios')
export const documentsFolder = join(root, 'openapi')
/** Written by the build, with Scalar's script. */
export const referenceFolder = join(root, 'dist', 'reference')
/** Written by the build, with htmx. */
export const consoleFolder = join(root, 'dist', 'console')
/** Written by the build: validated fixtures and default scenarios. */
export const shippedImage = join(root, 'dist', 'shipped.json')
/** Written by the build: all shipped scenarios, validated. */
export const scenariosImage = join(root, 'dist', 'scenarios.json')
