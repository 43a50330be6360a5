import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Imports a TypeScript module, with packages from node_modules. */
export const importSource = async (entry) => {
  const built = join(root, 'dist', `source-${process.pid}.js`)
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: built,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  try {
    return await import(pathToFileURL(built).href)
  } finally {
    await rm(built)
  }
}
