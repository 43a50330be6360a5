import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../arguments.js'

/** Node 20 has no glob of its own. */
const MAGIC = /[*?]/

/** The paths that words name: patterns with `*`, `?` and `**` are expanded, in alphabetical order. */
export const expandPaths = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap(expandPath)),
]

const expandPath = (word: string): string[] => {
  if (!MAGIC.test(word) || existsSync(word)) return [word]
  const [first = '', ...rest] = word.split('/')
  const found = first === '' ? matching('/', rest) : matching('', [first, ...rest])
  if (found.length > 0) return found
  throw new UsageError({
    problem: `No file matches ${word}`,
    expected: 'a pattern such as scenarios/*.yaml',
  })
}

/** The files below a folder that the segments of a pattern lead to. */
const matching = (folder: string, [segment, ...rest]: readonly string[]): string[] => {
  if (segment === undefined) return isFile(folder) ? [folder] : []
  if (segment === '**') {
    const deeper = namesIn(folder)
      .map((name) => join(folder, name))
      .filter(isFolder)
    return [...matching(folder, rest), ...deeper.flatMap((it) => matching(it, ['**', ...rest]))]
  }
  if (!MAGIC.test(segment)) return matching(join(folder, segment), rest)
  const form = toPattern(segment)
  return namesIn(folder)
    .filter((name) => form.test(name))
    .flatMap((name) => matching(join(folder, name), rest))
}

const toPattern = (segment: string): RegExp => {
  const escaped = segment.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
}

/** Without hidden ones, as shells have it. */
const namesIn = (folder: string): string[] => {
  if (!isFolder(folder || '.')) return []
  return readdirSync(folder || '.')
    .filter((name) => !name.startsWith('.'))
    .sort()
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
