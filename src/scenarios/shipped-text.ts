import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenariosFolder } from '../paths.js'

/** The file of a shipped scenario as it stands; undefined when there is none. */
export const shippedText = (name: string): string | undefined => {
  const path = join(scenariosFolder, `${name}.yaml`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
