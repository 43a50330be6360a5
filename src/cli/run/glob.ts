import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../lib/arguments.js'
import { explainFileError, isFile, isFolder } from '../../lib/read-file.js'
import { escapeControlChars } from '../../lib/text.js'

/** Node 20 has no glob function. */
const MAGIC = /[*?]/

/** Expands `*`, `?` and `**`, in alphabetical order. */
export const expandPaths = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap(expandPath)),
]

const expandPath = (word: string): string[] => {
  if (!MAGIC.test(word) || existsSync(word)) return [word]
  const [first = '', ...rest] = word.split('/')
  const found = first === '' ? findMatches('/', rest) : findMatches('.', [first, ...rest])
  if (found.length > 0) return found
  throw new UsageError({
    problem: `No file matches ${word}`,
    expected: 'a pattern such as scenarios/*.yaml',
  })
}

const findMatches = (folder: string, [segment, ...rest]: readonly string[]): string[] => {
  if (segment === undefined) return isFile(folder) ? [folder] : []
  if (segment === '**') return foldersFrom(folder).flatMap((it) => findMatches(it, rest))
  if (!MAGIC.test(segment)) return findMatches(join(folder, segment), rest)
  const form = toPattern(segment)
  return (namesIn(folder) ?? [])
    .filter((name) => form.test(name))
    .flatMap((name) => findMatches(join(folder, name), rest))
}

const toPattern = (segment: string): RegExp => {
  const escaped = segment.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
}

/** The folder and the folders in it, without links, which may lead back up. */
const foldersFrom = (folder: string): string[] => {
  const names = namesIn(folder)
  if (!names) return []
  const inside = names.map((name) => join(folder, name))
  return [folder, ...inside.filter((it) => !lstatSync(it).isSymbolicLink()).flatMap(foldersFrom)]
}

/** Leaves out hidden entries, as shells do, and installed packages. Undefined if it cannot be read. */
const namesIn = (folder: string): string[] | undefined => {
  if (!isFolder(folder)) return undefined
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort()
  } catch (error) {
    const line = `sandramp: ${folder} is skipped: ${explainFileError(error)}\n`
    process.stderr.write(escapeControlChars(line))
    return undefined
  }
}
