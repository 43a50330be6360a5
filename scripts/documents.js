// Writes the OpenAPI documents in openapi/ anew from the definitions that the sandbox is served by.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist', 'documents.js')

await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['src/documents.ts'],
  outfile: built,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const { documentTexts } = await import(pathToFileURL(built).href)
await rm(built)
await mkdir(join(root, 'openapi'), { recursive: true })
for (const [file, text] of Object.entries(documentTexts())) {
  await writeFile(join(root, 'openapi', file), text)
}
