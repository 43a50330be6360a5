import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tables } from '../../domain/schema.js'
import { scenariosFolder } from '../../lib/paths.js'
import type { Scenario } from './parse-scenario.js'

/** Undefined for other names. */
const bundledText = (name: string): string | undefined => {
  const path = join(scenariosFolder, `${name}.yaml`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export const readSource = (tables: Tables, { name, text }: Scenario): string | undefined =>
  tables.posted.get(name)?.text ?? text ?? bundledText(name)
