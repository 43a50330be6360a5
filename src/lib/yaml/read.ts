import {
  type Document,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  parseDocument,
  type Scalar,
  visit,
  YAMLParseError,
} from 'yaml'
import { formatError, formatInvalid, inWords } from '../app-error.js'
import { exceedsDepth } from '../json.js'
import { truncate } from '../text.js'
import type { YamlIssue } from './issues.js'

/** The data of a YAML or JSON text, with the position of each value. */
export interface YamlText {
  readonly data: unknown
  /** `file:line:column` of the value or the key, or of the nearest parent that exists. */
  readonly placeOf: (path: readonly PropertyKey[], isKey: boolean) => string
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

/** Creates the error. The message names file, line and column. */
export type Fail = (message: string) => Error

export const MAX_NESTING = 64
export const TOO_DEEP = `too many levels of nesting. Expected at most ${MAX_NESTING}.`

/**
 * `parseDocument` recurses into each level, and V8 ends the process if a regular expression compiles near
 * the end of the stack. This parser does not recurse. Its limit is rough; `toData` checks the exact one.
 */
const nestsTooDeep = (text: string): boolean => {
  const parser = new Parser()
  for (const token of new Lexer().lex(text)) {
    for (const _ of parser.next(token));
    if (parser.stack.length > 2 * MAX_NESTING) return true
  }
  return false
}

/** Reads a text of at most `longest` characters. */
export const readYaml = (text: string, file: string, longest: number, fail: Fail): YamlText => {
  if (text.length > longest) {
    const received = inWords(`${text.length} characters`)
    throw fail(`${file}: ${formatInvalid('file', received, `at most ${longest}`)}`)
  }
  if (nestsTooDeep(text)) throw fail(`${file}: ${TOO_DEEP}`)
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const attempt = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw fail(`${file}: ${messageOf(error as Error)}`)
    }
  }
  const document = attempt(() => parseDocument(text, { ...PARSE_OPTIONS, lineCounter: lines }))
  // The parser only warns about an unknown tag and reads the value after it as text.
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw fail(`${at(error.pos[0])}: ${messageOf(error)}`)
  const repeated = findRepeatedKey(document)
  if (repeated) throw fail(`${at(repeated.range?.[0] ?? 0)}: ${describeRepeated(repeated)}`)
  return {
    data: attempt(() => toData(document)),
    placeOf: (path, isKey) => at(offsetOf(document, path, isKey)),
    lineOf: (path) => lines.linePos(offsetOf(document, path, false)).line,
  }
}

/** Most YAML readers support merge keys. */
const PARSE_OPTIONS = {
  merge: true,
  prettyErrors: false,
  logLevel: 'error',
  // The parser would compare each key with all others.
  uniqueKeys: false,
} as const

const findRepeatedKey = (document: Document): Scalar | undefined => {
  let repeated: Scalar | undefined
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (known.has(key.value)) {
          repeated = key
          return visit.BREAK
        }
        known.add(key.value)
      }
      return undefined
    },
  })
  return repeated
}

const describeRepeated = (key: Scalar): string =>
  formatError({
    field: truncate(String(key.value), MAX_MESSAGE),
    problem: 'it appears twice',
    expected: 'once',
  })

const SEVERAL_DOCUMENTS = formatError({
  field: 'file',
  problem: 'a second YAML document begins here',
  expected: 'one document per file',
})

/** The parser quotes the text without a limit. */
const MAX_MESSAGE = 200

/** JSON.stringify throws a TypeError for a circular structure, which an alias of itself creates. */
const messageOf = (error: Error): string => {
  if (error instanceof RangeError) return TOO_DEEP
  if (error instanceof TypeError) return 'An alias refers to itself.'
  if (error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS') return SEVERAL_DOCUMENTS
  return truncate(error.message, MAX_MESSAGE)
}

/** One line per problem, with its position. The last line counts those beyond `most`. */
export const issueLines = (
  { placeOf }: YamlText,
  problems: readonly YamlIssue[],
  most: number,
): string => {
  const shown = problems.filter(({ text }) => text !== '').slice(0, most)
  const more = problems.length - shown.length
  const lines = shown.map(({ path, isKey, text }) => `${placeOf(path, isKey)}: ${text}`).join('\n')
  return more > 0 ? `${lines}\nand ${more} more` : lines
}

/** The offset of the value or the key, or of the nearest parent that exists. */
const offsetOf = (document: Document, path: readonly PropertyKey[], isKey: boolean): number => {
  if (isKey) {
    const parent = document.getIn(path.slice(0, -1), true)
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => String(isNode(key) ? key : '') === String(path.at(-1)))
      : undefined
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

const toData = (document: Document): unknown => {
  // An empty document differs from the word null.
  if (document.contents === null) return undefined
  const data: unknown = JSON.parse(JSON.stringify(document.toJS()) ?? 'null')
  if (exceedsDepth(data, MAX_NESTING)) throw new RangeError()
  return data
}
