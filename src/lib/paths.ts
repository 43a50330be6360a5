import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileError } from './read-file.js'

/** True in the build, which contains the parsed data. */
declare const BUILT: boolean | undefined

export const isBuilt = typeof BUILT !== 'undefined'

/** The source is one folder deeper in the package than its builds. */
const up = import.meta.url.endsWith('.ts') ? '../..' : '..'
export const packageFolder = fileURLToPath(new URL(up, import.meta.url))

/** Where a running sandbox serves the list of its docs. */
export const DOCS = '/llms.txt'

export const fixturesFolder = join(packageFolder, 'fixtures')
export const scenariosFolder = join(packageFolder, 'scenarios')
export const templatesFolder = join(packageFolder, 'templates')
export const docsFolder = join(packageFolder, 'docs')
export const documentsFolder = join(packageFolder, 'openapi')
/** Written by the build, with Scalar's script. */
export const referenceFolder = join(packageFolder, 'dist', 'reference')
/** Written by the build, with htmx. */
export const consoleFolder = join(packageFolder, 'dist', 'console')
/** Written by the build: validated fixtures and default scenarios. */
export const shippedImage = join(packageFolder, 'dist', 'shipped.json')
/** Written by the build: all shipped scenarios, validated. */
export const scenariosImage = join(packageFolder, 'dist', 'scenarios.json')

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
