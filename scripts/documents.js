// Writes the OpenAPI documents in openapi/ anew from the definitions that the sandbox is served by.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const folder = fileURLToPath(new URL('../openapi', import.meta.url))

const { documentTexts } = await importSource('src/documents.ts')
await mkdir(folder, { recursive: true })
for (const [file, text] of Object.entries(documentTexts())) {
  await writeFile(join(folder, file), text)
}
