import { type Document, isMap, isNode, Lexer, LineCounter, parseDocument } from 'yaml'
import { formatInvalid, inWords } from '../app-error.js'
import { exceedsDepth } from '../json-path.js'
import type { YamlIssue } from './issues.js'
import { MAX_NESTING, mayNestDeeper, TOO_DEEP } from './nesting.js'
import { findYamlError, whyNoTree, type YamlError } from './yaml-errors.js'

/** The data of a YAML or JSON text, with the position of each value. */
export interface YamlText {
  readonly data: unknown
  /** `file:line:column` of a path, or of the nearest thing around it; for a key, of the key itself. */
  readonly placeOf: (path: readonly PropertyKey[], isKey: boolean) => string
  readonly liveWorldOf: (path: readonly PropertyKey[]) => number
}

/** Makes the error for a text that cannot be read; the message names file, line and column. */
export type Fail = (message: string) => Error

/** So many may seem to be there before anything is parsed. */
const MAX_DEPTH_SCANNED = 4 * MAX_NESTING

/** A scenario has some thousands. The parser takes its time for each, however short. */
const MAX_NODES = 100_000

const hasMoreParts = (text: string, most: number): boolean => {
  let parts = 0
  for (const _ of new Lexer().lex(text)) if (++parts > most) return true
  return false
}

/** Reads a text of at most so many characters. Throws what `fail` makes. */
export const readYaml = (text: string, file: string, longest: number, fail: Fail): YamlText => {
  if (text.length > longest) {
    const received = inWords(`${text.length} characters`)
    throw fail(`${file}: ${formatInvalid('file', received, `at most ${longest}`)}`)
  }
  if (mayNestDeeper(text, MAX_DEPTH_SCANNED)) throw fail(`${file}: ${TOO_DEEP}`)
  if (hasMoreParts(text, MAX_NODES)) {
    const received = inWords(`more than ${MAX_NODES} words and signs`)
    throw fail(`${file}: ${formatInvalid('file', received, 'at most as many')}`)
  }
  const lines = new LineCounter()
  const document = documentOf(text, file, lines, fail)
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const failAt = ({ why, offset }: YamlError) =>
    fail(`${offset === undefined ? file : at(offset)}: ${why}`)
  const broken = findYamlError(document, text)
  if (broken) throw failAt(broken)
  return {
    data: dataOf(document, failAt),
    placeOf: (path, isKey) => at(offsetOf(document, path, isKey)),
    liveWorldOf: (path) => lines.linePos(offsetOf(document, path, false)).line,
  }
}

/** Problems, each on a line with its place; beyond `most` only how many more there are. */
export const issueLines = (
  { placeOf }: YamlText,
  problems: readonly YamlIssue[],
  most: number,
): string => {
  const more = problems.length - most
  const shown = problems
    .slice(0, most)
    .map(({ path, isKey, text }) => `${placeOf(path, isKey)}: ${text}`)
    .join('\n')
  return more > 0 ? `${shown}\nand ${more} more` : shown
}

/** Where a path begins in the text, or the nearest thing around it; for a key, the key itself. */
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

const documentOf = (text: string, file: string, lineCounter: LineCounter, fail: Fail): Document => {
  try {
    // Editors, and most that read YAML, take merge keys for granted.
    return parseDocument(text, {
      lineCounter,
      merge: true,
      prettyErrors: false,
      logLevel: 'error',
      uniqueKeys: false,
    })
  } catch (error) {
    throw fail(`${file}: ${error instanceof RangeError ? TOO_DEEP : (error as Error).message}`)
  }
}

/**
 * The plain data of a document. Aliases can lead nowhere, back to themselves, or to more than anybody
 * wants to read: a document that is not a tree is refused.
 */
const dataOf = (document: Document, fail: (broken: YamlError) => Error): unknown => {
  try {
    // Not the same as the word null.
    if (document.contents === null) return undefined
    const data: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: -1 })) ?? 'null')
    if (exceedsDepth(data, MAX_NESTING)) throw new RangeError()
    return data
  } catch (error) {
    throw fail(whyNoTree(document, error))
  }
}
