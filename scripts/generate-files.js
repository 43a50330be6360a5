// Writes the generated documents: OpenAPI, the schema of scenario files, and the generated parts of pages.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const { generateFiles } = await importSource('src/generate/generated-files.ts')
const read = (file) => readFileSync(join(root, file), 'utf8')
for (const [file, text] of Object.entries(await generateFiles(read))) {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}
