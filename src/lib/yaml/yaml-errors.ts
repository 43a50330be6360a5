import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  visit,
  type visitor,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { formatError, formatInvalid, inWords } from '../app-error.js'
import { truncate } from '../text.js'
import { TOO_DEEP } from './nesting.js'

/** Why a document is invalid, and where, if one place is the cause. */
export interface YamlError {
  readonly why: string
  readonly offset: number | undefined
}

/** Returns the first error of a document, in words for the author of the file. */
export const findYamlError = (document: Document, text: string): YamlError | undefined => {
  // The parser only warns about an unknown tag and reads the value after it as text.
  const [error] = [...document.errors, ...document.warnings.filter(isStrangeTag)]
  if (error) return elsewhere(error, document, text) ?? whereNoticed(error, text)
  return repeatedKey(document) ?? endlessNumber(document) ?? tooManyAliases(document)
}

const isStrangeTag = ({ code }: YAMLError): boolean => code === 'TAG_RESOLVE_FAILED'

const whereNoticed = (error: YAMLError, text: string): YamlError => {
  const { code, message, pos } = error
  if (isStrangeTag(error)) {
    const tag = truncate(text.slice(...pos), MAX_MESSAGE)
    return { why: formatInvalid('tag', inWords(tag), 'no tag of your own'), offset: pos[0] }
  }
  const why = message.includes('call stack') ? TOO_DEEP : truncate(message, MAX_MESSAGE)
  return { why: SENTENCES[code] ?? why, offset: pos[0] }
}

const SENTENCES: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: formatInvalid('file', inWords('a second document'), 'one document'),
  TAB_AS_INDENT: formatInvalid('indentation', inWords('a tab'), 'spaces'),
  BLOCK_AS_IMPLICIT_KEY: formatInvalid(
    'line',
    inWords('one more colon'),
    'quotes around a text with a colon',
  ),
  MULTILINE_IMPLICIT_KEY: formatInvalid(
    'key',
    inWords('no colon after it'),
    'a key, a colon, a value',
  ),
}

/** Errors that the parser reports at another position than their cause. */
const elsewhere = (error: YAMLError, document: Document, text: string): YamlError | undefined => {
  if (error.message.startsWith('Missing closing')) return openQuote(document, error.pos[0])
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined
  // A line that is indented too far goes on with the value above it, which then holds a colon.
  const isLong = ({ code, pos }: YAMLError) =>
    code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === error.pos[0]
  const long = document.errors.find(isLong)
  return long && { why: TOO_FAR_IN, offset: beginningOfLine(text, long.pos[1]) }
}

const TOO_FAR_IN = formatError({
  problem: 'This line continues the value above it, because it is indented further than its key',
  expected: 'the keys of an object in one column, and quotes around a text with a colon',
})

/** The text in quotes that has swallowed all up to a place. */
const openQuote = (document: Document, end: number): YamlError => {
  let offset: number | undefined
  visit(document, {
    Scalar: (_, { range }) => {
      if (range && range[0] < end) offset = range[0]
    },
  })
  return { why: formatInvalid('text', inWords('an opening quote only'), 'both quotes'), offset }
}

/** Where the line of a place begins, behind its indentation. */
const beginningOfLine = (text: string, offset: number): number => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return start + text.slice(start).search(/[^ ]/)
}

/** Looks through a document up to what the visitor stops at. */
const firstIn = (document: Document, look: (stopAt: StopAt) => visitor): YamlError | undefined => {
  let first: YamlError | undefined
  const stopAt: StopAt = (broken) => {
    first = broken
    return broken && visit.BREAK
  }
  visit(document, look(stopAt))
  return first
}

type StopAt = (broken: YamlError | undefined) => symbol | undefined

/** A number that JSON has none for, which would be taken for null. */
const endlessNumber = (document: Document): YamlError | undefined =>
  firstIn(document, (stopAt) => ({
    Scalar: (_, { value, source, range }) => {
      if (typeof value !== 'number' || Number.isFinite(value)) return undefined
      const came = truncate(source ?? String(value), MAX_MESSAGE)
      const why = formatInvalid('value', inWords(came), 'a number of up to 1e308')
      return stopAt({ why, offset: range?.[0] })
    },
  }))

/** The parser's sentences hold what came, at any length. */
const MAX_MESSAGE = 200

/** The first key that an object has twice. The parser would compare each key with all before it. */
const repeatedKey = (document: Document): YamlError | undefined =>
  firstIn(document, (stopAt) => ({ Map: (_, map) => stopAt(repeatedIn(map)) }))

const repeatedIn = ({ items }: YAMLMap): YamlError | undefined => {
  const keys = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (keys.has(key.value)) {
      const name = truncate(String(key), MAX_MESSAGE)
      return {
        why: formatError({ field: name, problem: 'it appears twice', expected: 'once' }),
        offset: key.range?.[0],
      }
    }
    keys.add(key.value)
  }
  return undefined
}

/** Each is looked for among all aliases and anchors. */
const MAX_ALIASES = 1_000
/** In characters of the file; a few aliases within one another stand for more than any machine holds. */
const MAX_EXPANDED = 4 * 1024 * 1024

/** The parser has a limit of its own, which it takes long to come to. */
const tooManyAliases = (document: Document): YamlError | undefined => {
  let aliases = 0
  const beyond = firstIn(document, (stopAt) => ({
    Alias: (_, { range }) => {
      if (++aliases <= MAX_ALIASES) return undefined
      const why = formatInvalid('file', inWords('too many aliases'), `at most ${MAX_ALIASES}`)
      return stopAt({ why, offset: range?.[0] })
    },
  }))
  const isTooMuch = !beyond && aliases > 0 && expandedLength(document.contents) > MAX_EXPANDED
  return isTooMuch ? { why: TOO_MUCH, offset: undefined } : beyond
}

const TOO_MUCH = formatInvalid(
  'file',
  inWords('aliases that stand for too much'),
  `at most ${MAX_EXPANDED} characters when they are written out`,
)

/** How long a node is when aliases are written out. An alias without an anchor is reported later. */
const expandedLength = (node: unknown, anchored = new Map<string, number>()): number => {
  if (isAlias(node)) return anchored.get(node.source) ?? 0
  if (isPair(node)) return expandedLength(node.key, anchored) + expandedLength(node.value, anchored)
  if (!isNode(node)) return 0
  let length = 1
  if (isCollection(node)) for (const item of node.items) length += expandedLength(item, anchored)
  else if (node.range) length += node.range[1] - node.range[0]
  if (node.anchor !== undefined) anchored.set(node.anchor, length)
  return length
}

/** Why a document that can be parsed is no tree of plain data. */
export const whyNoTree = (document: Document, error: unknown): YamlError => {
  if (error instanceof RangeError) return { why: TOO_DEEP, offset: undefined }
  const stray = strayAlias(document) ?? strayMerge(document)
  return stray ?? { why: (error as Error).message, offset: undefined }
}

/** The first merge key before something that has no keys. */
const strayMerge = (document: Document): YamlError | undefined =>
  firstIn(document, (stopAt) => ({
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || key.source !== '<<') return undefined
      const meant = isAlias(value) ? value.resolve(document) : value
      if (!isScalar(meant)) return undefined
      const received = inWords(truncate(String(value), MAX_MESSAGE))
      const why = formatInvalid('<<', received, 'an object, or an alias of one')
      return stopAt({ why, offset: key.range?.[0] })
    },
  }))

/** The first alias that stands for nothing, or for something that it is a part of. */
const strayAlias = (document: Document): YamlError | undefined => {
  const anchored = new Map<string, unknown>()
  return firstIn(document, (stopAt) => ({
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
    Alias: (_, alias, around) => {
      const meant = anchored.get(alias.source)
      if (meant && !around.some((it) => it === meant)) return undefined
      const why = meant
        ? `The alias *${alias.source} refers to itself.`
        : `The alias *${alias.source} has no anchor &${alias.source} before it.`
      return stopAt({ why, offset: alias.range?.[0] })
    },
  }))
}
