import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileError } from './read-file.js'

/** True in the build, which contains the parsed data. */
declare const BUILT: boolean | undefined

export const isBuilt = typeof BUILT !== 'undefined'

/** The source is one folder deeper in the package than its builds. */
const up = import.meta.url.endsWith('.ts') ? '../..' : '..'
const root = fileURLToPath(new URL(up, import.meta.url))

export const fixturesFolder = join(root, 'fixtures')
export const scenariosFolder = join(root, 'scenarios')
export const templatesFolder = join(root, 'templates')
export const docsFolder = join(root, 'docs')
export const documentsFolder = join(root, 'openapi')
/** Written by the build, with Scalar's script. */
export const referenceFolder = join(root, 'dist', 'reference')
/** Written by the build, with htmx. */
export const consoleFolder = join(root, 'dist', 'console')
/** Written by the build: validated fixtures and default scenarios. */
export const shippedImage = join(root, 'dist', 'shipped.json')
/** Written by the build: all shipped scenarios, validated. */
export const scenariosImage = join(root, 'dist', 'scenarios.json')

/** Throws if a bundler or a partial copy has separated the code from the other files of the package. */
export const assertPackageComplete = (): void => {
  const written = [shippedImage, scenariosImage, referenceFolder, consoleFolder]
  const parts = [...written, scenariosFolder, documentsFolder]
  const missing = isBuilt && parts.find((part) => !existsSync(part))
  if (!missing) return
  throw new FileError({
    problem: `Sandramp is incomplete: ${missing} does not exist`,
    expected: 'the folder of the package, with dist/, scenarios/ and openapi/',
    hint: 'Copy all of it, and mark sandramp as external in your bundler',
  })
}
