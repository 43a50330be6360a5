import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../arguments.js'

/** Node 20 has no glob function. */
const MAGIC = /[*?]/

/** Expands `*`, `?` and `**`, in alphabetical order. */
export const expandPaths = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap(expandPath)),
]

const expandPath = (word: string): string[] => {
  if (!MAGIC.test(word) || existsSync(word)) return [word]
  const [first = '', ...rest] = word.split('/')
  const found = first === '' ? findMatches('/', rest) : findMatches('', [first, ...rest])
  if (found.length > 0) return found
  throw new UsageError({
    problem: `No file matches ${word}`,
    expected: 'a pattern such as scenarios/*.yaml',
  })
}

const findMatches = (folder: string, [segment, ...rest]: readonly string[]): string[] => {
  if (segment === undefined) return isFile(folder) ? [folder] : []
  if (segment === '**') {
    const deeper = namesIn(folder)
      .map((name) => join(folder, name))
      .filter(isFolder)
    return [
      ...findMatches(folder, rest),
      ...deeper.flatMap((it) => findMatches(it, ['**', ...rest])),
    ]
  }
  if (!MAGIC.test(segment)) return findMatches(join(folder, segment), rest)
  const form = toPattern(segment)
  return namesIn(folder)
    .filter((name) => form.test(name))
    .flatMap((name) => findMatches(join(folder, name), rest))
}

const toPattern = (segment: string): RegExp => {
  const escaped = segment.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
}

/** Hidden entries are left out, as in shells. */
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
