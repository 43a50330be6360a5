// Writes the licenses of the bundled packages.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of a package, from the path of a file in it. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** `inputs` are the paths of what esbuild has read, from the root. */
export const writeLicenses = async (root, inputs, file) => {
  const folders = new Set(inputs.flatMap((path) => PACKAGE.exec(path) ?? []))
  const texts = await Promise.all(
    [...folders].sort().map((folder) => licenseOf(join(root, folder))),
  )
  await writeFile(file, texts.join(`\n${'-'.repeat(80)}\n\n`))
}

const licenseOf = async (folder) => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const file = (await readdir(folder)).find((it) => /^licen[cs]e/i.test(it))
  const text = file ? await readFile(join(folder, file), 'utf8') : `License: ${license}\n`
  return `${name} ${version}\n\n${text.trimEnd()}\n`
}
