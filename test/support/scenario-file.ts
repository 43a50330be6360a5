import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A scenario file of the test's own, gone when the test is over. Rules begin in line 4. */
export const scenarioFile = (name: string, rules: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, `name: ${name}\ntitle: ${name}\nrules:\n${rules.replace(/^\n/, '')}\n`)
  return file
}
