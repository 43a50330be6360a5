/** Line and column count from 1, columns in UTF-16 units. */
export interface JsonError {
  readonly line: number
  readonly column: number
  /** The quoted character; `the end` if the text is incomplete. */
  readonly got: string
  readonly expected: string
}

type Expected = keyof typeof EXPECTED

const EXPECTED = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes, or }',
  colon: ':',
  commaOrBracket: ', or ]',
  commaOrBrace: ', or }',
  nothing: 'nothing more',
  string: 'a closing quote; escape line breaks, other control characters and backslashes',
} as const

/**
 * Finds the first syntax error; undefined for valid JSON. Some versions of Node do not report the
 * position of the error.
 */
export const findJsonError = (text: string): JsonError | undefined => {
  const open: ('[' | '{')[] = []
  let expected = 'value' as Expected
  const afterValue = (): Expected => {
    const around = open.at(-1)
    if (around === undefined) return 'nothing'
    return around === '[' ? 'commaOrBracket' : 'commaOrBrace'
  }
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const character = text[at] ?? ''
    const fail = () => describe(text, at, expected)
    if (expected === 'nothing') return fail()
    if (expected === 'colon') {
      if (character !== ':') return fail()
      expected = 'value'
      at++
    } else if (expected === 'commaOrBracket' || expected === 'commaOrBrace') {
      const isList = expected === 'commaOrBracket'
      if (character === ',') expected = isList ? 'value' : 'name'
      else if (character === (isList ? ']' : '}')) {
        open.pop()
        expected = afterValue()
      } else return fail()
      at++
    } else if (expected === 'nameOrEnd' && character === '}') {
      open.pop()
      expected = afterValue()
      at++
    } else if (expected === 'valueOrEnd' && character === ']') {
      open.pop()
      expected = afterValue()
      at++
    } else if (character === '"') {
      const { end, isWhole } = readString(text, at + 1)
      if (!isWhole) return describe(text, end, 'string')
      expected = expected === 'name' || expected === 'nameOrEnd' ? 'colon' : afterValue()
      at = end
    } else if (expected === 'name' || expected === 'nameOrEnd') return fail()
    else if (character === '[' || character === '{') {
      open.push(character)
      expected = character === '[' ? 'valueOrEnd' : 'nameOrEnd'
      at++
    } else {
      LITERAL.lastIndex = at
      const literal = LITERAL.exec(text)?.[0]
      if (literal === undefined) return fail()
      expected = afterValue()
      at += literal.length
    }
  }
  return expected === 'nothing' ? undefined : describe(text, text.length, expected)
}

/** JSON.parse quotes the text with its line breaks. */
export const jsonErrorMessage = (error: unknown): string =>
  (error as Error).message.replace(/\s+/g, ' ')

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const skipSpace = (text: string, from: number): number => {
  SPACE.lastIndex = from
  SPACE.test(text)
  return SPACE.lastIndex
}

/** `from` is after the opening quote. `end` is after the closing quote, or at the error. */
const readString = (text: string, from: number): { end: number; isWhole: boolean } => {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { end: at + 1, isWhole: true }
    if (code < 0x20) break
    if (code !== 0x5c) at++
    else {
      ESCAPE.lastIndex = at
      if (!ESCAPE.test(text)) break
      at = ESCAPE.lastIndex
    }
  }
  return { end: at, isWhole: false }
}

const describe = (text: string, at: number, expected: Expected): JsonError => {
  const before = text.slice(0, at)
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return {
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
    got: at < text.length ? JSON.stringify(character) : 'the end',
    expected: EXPECTED[expected],
  }
}
