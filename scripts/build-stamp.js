import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  ...['src', 'fixtures', 'scenarios', 'scripts', 'package.json', 'tsconfig.json'],
  ...['tsconfig.types.json', join('node_modules', '.package-lock.json')],
]

/** What a build writes last: the version of its Node. */
export const stampOf = (root) => join(root, 'dist', '.built')

/** Whether what is built is of this Node, and newer than all that it is built from. */
export const isBuilt = (root) => {
  const stamp = stampOf(root)
  const built = found(stamp)?.mtimeMs ?? 0
  return changed(root, SOURCES) < built && readFileSync(stamp, 'utf8') === process.version
}

/** When any of these was changed last. A folder changes when something in it comes or goes. */
const changed = (folder, names) =>
  Math.max(
    ...names.map((name) => {
      const path = join(folder, name)
      const it = found(path)
      const within = it?.isDirectory() ? changed(path, readdirSync(path)) : 0
      return Math.max(it?.mtimeMs ?? 0, within)
    }),
  )

const found = (path) => statSync(path, { throwIfNoEntry: false })
