import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from 'yaml'
import { formatError, formatInvalid, inWords, MAX_NAME } from '../app-error.js'
import { exceedsDepth } from '../json.js'
import { quote } from '../text.js'
import type { YamlIssue } from './issues.js'

/** The data of a YAML or JSON text, with the position of each value. */
interface YamlText {
  readonly data: unknown
  /** `file:line:column` of the value or the key, or of the nearest parent that exists. */
  readonly placeOf: (path: readonly PropertyKey[], isKey: boolean) => string
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

/** Creates the error. The message names file, line and column. */
export type Fail = (message: string) => Error

export const MAX_NESTING = 64
export const TOO_DEEP = ['too many levels of nesting', `at most ${MAX_NESTING}`] as const

/**
 * `parseDocument` recurses into each level, and V8 ends the process if a regular expression compiles near
 * the end of the stack. This parser does not recurse. Its limit is rough; `toData` checks the exact one.
 */
const findTooDeep = (text: string, lines: LineCounter): number | undefined => {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  for (const token of new Lexer().lex(text)) {
    for (const _ of parser.next(token));
    if (parser.stack.length > 2 * MAX_NESTING) return parser.offset
  }
  return undefined
}

/** Reads a text of at most `longest` characters. */
export const readYaml = (text: string, file: string, longest: number, fail: Fail): YamlText => {
  if (text.length > longest) {
    const received = inWords(`${text.length} characters`)
    throw fail(`${file}: ${formatInvalid('file', received, `at most ${longest}`)}`)
  }
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const failAt = (offset: number, [problem, expected]: Problem) =>
    fail(`${at(offset)}: ${formatError({ field: 'YAML', problem, expected })}`)
  const deep = findTooDeep(text, lines)
  if (deep !== undefined) throw failAt(deep, TOO_DEEP)
  const attempt = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw failAt(0, error instanceof RangeError ? TOO_DEEP : MANY_ALIASES)
    }
  }
  const document = attempt(() => parseDocument(text, PARSE_OPTIONS))
  // The parser only warns about an unknown tag and reads the value after it as text.
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw failAt(error.pos[0], PARSE_ERRORS[error.code] ?? MISPLACED)
  assertUsable(document, ({ range }, problem) => {
    throw failAt(range?.[0] ?? 0, problem)
  })
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

type Problem = readonly [problem: string, expected: string]

const MISPLACED: Problem = ['this text does not fit here', 'one value, or text in quotes']
const MANY_ALIASES: Problem = ['aliases repeat too much', 'at most 100 repetitions']
const UNKNOWN_ALIAS: Problem = ['the alias has no anchor', 'an anchor before it']
const CIRCULAR: Problem = ['an alias refers to itself', 'an anchor that ends before it']
const UNMERGEABLE: Problem = ['<< merges a plain value', 'an object, or a list of them']

/** By the codes of the parser, whose messages quote the file. */
const PARSE_ERRORS: { readonly [Code in ErrorCode]?: Problem } = {
  BAD_DQ_ESCAPE: ['this escape is unknown', 'two backslashes for one'],
  BAD_INDENT: ['this line has another indentation, or a bracket is open', 'that of its neighbours'],
  BAD_SCALAR_START: ['text begins with a reserved character', 'this text in quotes'],
  BLOCK_AS_IMPLICIT_KEY: ['a field begins inside a value', 'a line of its own, or quotes'],
  BLOCK_IN_FLOW: ['a block begins inside brackets', 'items between commas'],
  MISSING_CHAR: ['a character is missing', 'a colon, a space, or a closing quote or bracket'],
  MULTILINE_IMPLICIT_KEY: ['this line has no field', 'a line such as name: value'],
  MULTIPLE_DOCS: ['a second document begins here', 'one document per file'],
  TAB_AS_INDENT: ['a tab indents this line', 'spaces'],
  TAG_RESOLVE_FAILED: ['this tag has no meaning here', 'a value without a tag'],
}

type Refuse = (node: Node, problem: Problem) => never

/** Refuses what the parser accepts, and what the conversion to data refuses without a place. */
const assertUsable = (document: Document, refuse: Refuse): void => {
  const anchors = new Map<string, Node>()
  const resolve = (node: unknown) => (isAlias(node) ? anchors.get(node.source) : node)
  visit(document, {
    Alias: (_, alias, path) => {
      const target = anchors.get(alias.source)
      if (!target) refuse(alias, UNKNOWN_ALIAS)
      if (path.includes(target)) refuse(alias, CIRCULAR)
    },
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || typeof key.value !== 'symbol') return
      const merged = resolve(value)
      const sources = (isSeq(merged) ? merged.items : [merged]).map(resolve)
      if (sources.some((it) => it && !isMap(it))) refuse(key, UNMERGEABLE)
    },
    Value: (_, node) => {
      if (node.anchor) anchors.set(node.anchor, node)
      if (!isMap(node)) return
      const known = new Set<unknown>()
      for (const { key } of node.items) {
        if (!isScalar(key)) continue
        if (known.has(key.value))
          refuse(key, [`${quote(String(key.value), MAX_NAME)} appears twice`, 'once'])
        known.add(key.value)
      }
    },
  })
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
