// Writes the generated documents anew: OpenAPI, the schema of scenario files, the catalogue of scenarios, and
// what rests on what.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const { documentTexts } = await importSource('src/documents.ts')
const page = await readFile(join(root, 'docs/scenarios.md'), 'utf8')
for (const [file, text] of Object.entries(documentTexts(() => page))) {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}
