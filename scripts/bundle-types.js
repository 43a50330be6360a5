// Writes the library's declarations as one file without imports, so that an install needs no packages for
// types.
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

/** Finds imports of other packages, which the consumer may not have. */
const OUTWARD = /^(?:import|export) .* from ['"](.+)['"]|\bimport\(['"](.+?)['"]\)|<reference .*>/gm

export const writeTypes = async (root, file) => {
  // Written inside the project, so that imported packages resolve.
  const parts = join(dirname(file), 'types')
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(tsc, ['-p', join(root, 'tsconfig.types.json'), '--outDir', parts])
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  rollUp(root, compilerOptions, join(parts, 'index.d.ts'), file)
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
