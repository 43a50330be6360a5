import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of src/; the path is relative to it, with slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** Every TypeScript file of src/, tests included. */
export const sourceFiles = (): SourceFile[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path))
    .sort()
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(src, path), 'utf8'),
    }))

export const isTest = ({ path }: SourceFile): boolean => /\.test\.ts$/.test(path)

/** Comments, strings and templates, so that a quote or slash inside one does not open another. */
const OPAQUE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g

/** The code without its comments; strings stay. */
export const withoutComments = (text: string): string =>
  text.replace(OPAQUE, (it) => (it.startsWith('/') ? ' ' : it))

/**
 * The code without comments and with empty strings: what is left are names that mean something.
 * Templates stay, since there is code in them.
 */
export const bareCode = (text: string): string =>
  text.replace(OPAQUE, (it) => (it.startsWith('/') ? ' ' : it.startsWith('`') ? it : "''"))

export interface Import {
  /** As it is written: a package, or a path relative to the file. */
  readonly from: string
  /** Whether only types come in, so that nothing is loaded. */
  readonly typeOnly: boolean
}

const STATIC = /^\s*(?:import|export)\s(?:([^;'"()]*?)\sfrom\s*)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\b(?:import|require)\s*\(\s*['"]([^'"]+)['"]/g

/** Lists imports, re-exports and dynamic imports. */
export const importsOf = ({ text }: SourceFile): Import[] => {
  const code = withoutComments(text)
  const imports: Import[] = []
  for (const [, names = '', from = ''] of code.matchAll(STATIC)) {
    imports.push({ from, typeOnly: isTypeOnly(names) })
  }
  for (const [, from = ''] of code.matchAll(DYNAMIC)) imports.push({ from, typeOnly: false })
  return imports
}

const isTypeOnly = (names: string): boolean => {
  if (/^type\s/.test(names)) return true
  const braces = /^\{([^}]*)\}$/.exec(names.trim())
  const named = braces?.[1]?.split(',').filter((name) => name.trim() !== '') ?? []
  return named.length > 0 && named.every((name) => /^\s*type\s/.test(name))
}

/** Where a relative import leads, as a path in src/; one that leaves src/ begins with `../`. */
export const targetOf = ({ path }: SourceFile, from: string): string => {
  const parts = path.split('/').slice(0, -1)
  for (const part of from.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/').replace(/\.js$/, '')
}
