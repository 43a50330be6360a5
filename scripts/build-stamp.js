import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  ...['src', 'generated', 'fixtures', 'scenarios', 'scripts', 'package.json', 'tsconfig.json'],
  ...['tsconfig.types.json', join('node_modules', '.package-lock.json')],
]

/** The build writes this file last; it holds the Node version. */
export const stampOf = (root) => join(root, 'dist', '.built')

/** True if the build was made by this Node and is newer than all of its sources. */
export const isBuilt = (root) => {
  const stamp = stampOf(root)
  const built = found(stamp)?.mtimeMs ?? 0
  return changed(root, SOURCES) < built && readFileSync(stamp, 'utf8') === process.version
}

/** Time of the latest change. A folder changes when an entry is added or removed. */
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
