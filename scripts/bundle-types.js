// Writes the library's declarations as one file without imports, so that an install needs no packages for
// types.
import { execFile } from 'node:child_process'
import { appendFile, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

/** Finds imports of other packages, which the consumer may not have. */
const OUTWARD = /^(?:import|export) .* from ['"](.+)['"]|\bimport\(['"](.+?)['"]\)|<reference .*>/gm

/** As in newer libraries of TypeScript, which an older target lacks. */
const ASYNC_DISPOSE = `
declare global {
    interface SymbolConstructor {
        readonly asyncDispose: unique symbol;
    }
}
`

/** The common part of the runners, such as `configure`. */
const SHARED = 'test-world'

/** `runners` import the library, and the types of a test runner. */
export const writeTypes = async (root, dist, runners) => {
  const file = join(dist, 'index.d.ts')
  // Written inside the project, so that imported packages resolve.
  const parts = join(dist, 'types')
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(tsc, ['-p', join(root, 'tsconfig.types.json'), '--outDir', parts])
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  rollUp(root, compilerOptions, join(parts, 'src', 'index.d.ts'), file)
  await appendFile(file, ASYNC_DISPOSE)
  // An import from CommonJS needs a file of its own.
  await copyFile(file, join(dist, 'index.d.cts'))
  for (const name of [...runners, SHARED]) {
    const types = await readFile(join(parts, 'src', 'runners', `${name}.d.ts`), 'utf8')
    await writeFile(join(dist, `${name}.d.ts`), types.replaceAll('../index.js', './index.js'))
  }
  for (const name of ['jest', SHARED]) {
    const types = await readFile(join(dist, `${name}.d.ts`), 'utf8')
    await writeFile(join(dist, `${name}.d.cts`), types.replaceAll(/'(\.\/.+)\.js'/g, "'$1.cjs'"))
  }
  await rm(parts, { recursive: true })
  const outward = (await readFile(file, 'utf8')).match(OUTWARD)
  if (outward) throw new Error(`${file} speaks of what is not in it: ${outward.join(', ')}`)
}

const rollUp = (root, compilerOptions, entry, file) => {
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      compiler: { overrideTsconfig: { compilerOptions, files: [entry] } },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: file },
    },
  })
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback: tell })
  if (!succeeded) throw new Error('the declarations cannot be rolled up')
}

/** Types may be used without an export, and comment style is not checked here. */
const tell = (message) => {
  if (message.logLevel === 'error') console.error(message.text)
  message.handled = true
}
