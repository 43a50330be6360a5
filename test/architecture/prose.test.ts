import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sourceFiles, withoutComments } from './source.js'

/** Words that hide their meaning, and what to write instead. */
const BANNED: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bwho(?:m|so)?ever\b|\bwhatever is\b/i, 'name the subject: the client, the user, the caller'],
  [/\banew\b/i, 'again, or a new …'],
  [/\b(?:is|are|was|were|be|been) told\b|\btells?\b|\btold\b/i, 'returns, logs, prints, reports'],
  [/\bheard\b|\bhears?\b/i, 'receives'],
  [/\bstands?\b(?! for\b)/i, 'is, contains'],
  [/\blies\b|\blies upon\b/i, 'is'],
  [/ came;|; accepted:/i, 'invalidValue(field, received, expected, hint)'],
  [/\bwhat is no\b/i, 'name the subject'],
  [/\blikewise\b|\ball the same\b/i, 'also, still'],
  [/\bfrom here on\b/i, 'after this'],
  [/\bfaces?\b/i, 'API, control API, console'],
  [/\bstrangers?\b/i, 'unknown field, unknown file'],
  [/\bdeeds?\b/i, 'action'],
  [/\bput(?:s|ting)? aside\b/i, 'evict, archive'],
  [/\bgoes by\b|\bgo by\b/i, 'follows, uses'],
  [/\bcom(?:e|es|ing|ame) to pass\b/i, 'happens'],
  [/\bbecame of\b/i, 'outcome'],
  [/\bthrows? dice\b|\bdice\b/i, 'random numbers, PRNG'],
  [/\bfold(?:s|ed|ing)? (?:the|a|of) (?:journal|log)\b|\bfolds\b/i, 'compact, collapse'],
  [/\bdosage\b|\bstriking\b|\bplaybook\b/i, 'quota, redact, rules'],
]

/** A sentence that begins with a relative clause has no subject to search for. */
const HEADLESS = /^(?:what|whoever|whatever|those|who|whose)\s+(?!is the\b|are the\b)\w[^?]*$/i

const root = new URL('../../', import.meta.url)

interface Passage {
  readonly at: string
  readonly text: string
}

const listFiles = (folder: string, name: RegExp): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !/(?:^|\/)(?:node_modules|out)\//.test(path))
    .map((path) => `${folder}${path}`)

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** Comments, and texts of at least three words. */
const readCode = (path: string): Passage[] => {
  const text = readFileSync(new URL(path, root), 'utf8')
  const found = text.matchAll(
    /\/\*\*?([\s\S]*?)\*\/|(?<![:'"`\w])\/\/ ?(.*)|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g,
  )
  return [...found].flatMap(({ index, 1: block, 2: line, 3: single, 4: double, 5: template }) => {
    const comment = block?.replace(/^\s*\* ?/gm, '') ?? line
    const literal = single ?? double ?? template ?? ''
    const passage = comment ?? (literal.trim().split(/\s+/).length >= 3 ? literal : undefined)
    return passage === undefined ? [] : [{ at: `${path}:${lineOf(text, index)}`, text: passage }]
  })
}

/** Prose of a page, without its code. */
const readPage = (path: string): Passage[] => {
  const text = readFileSync(new URL(path, root), 'utf8').replace(/^```[\s\S]*?^```/gm, (code) =>
    code.replace(/[^\n]/g, ''),
  )
  return text
    .split('\n')
    .map((line, index) => ({ at: `${path}:${index + 1}`, text: line.replace(/`[^`]*`/g, '``') }))
}

/** Descriptions and comments of a scenario file. */
const readScenario = (path: string): Passage[] =>
  readFileSync(new URL(path, root), 'utf8')
    .split('\n')
    .map((text, index) => ({ at: `${path}:${index + 1}`, text }))

const findBanned = ({ at, text }: Passage): string[] => [
  ...BANNED.flatMap(([pattern, replacement]) => {
    const word = pattern.exec(text)?.[0]
    return word === undefined ? [] : [`${at} has "${word.trim()}": write ${replacement}`]
  }),
  ...text
    .split(/(?<=\.)\s+|\n\s*\n/)
    .filter((sentence) => HEADLESS.test(sentence.trim()))
    .map((sentence) => `${at} has no subject: "${sentence.trim().slice(0, 60)}"`),
]

const SELF = 'test/architecture/prose.test.ts'

/** Three or more words and a full stop, in a text of a page. */
const SENTENCE = /[\p{L}\d’]+(?:[\s,;:]+[\p{L}\d’_-]+){2,}\.(?=['`<"\s])/gu

const findSentences = (code: string): string[] =>
  withoutComments(code)
    .replace(/\$\{[^{}]*\}/g, 'x')
    .match(SENTENCE) ?? []

describe('prose', () => {
  test.each([
    [
      'code',
      () =>
        ['src/', 'test/', 'scripts/', 'bench/', 'examples/']
          .flatMap((folder) => listFiles(folder, /\.(?:tsx?|m?js)$/))
          .filter((path) => path !== SELF),
      readCode,
    ],
    [
      'pages',
      () => [
        'README.md',
        'llms.txt',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        ...listFiles('docs/', /\.md$/),
      ],
      readPage,
    ],
    ['scenarios', () => listFiles('scenarios/', /\.ya?ml$/), readScenario],
  ])('%s use plain words and sentences with a subject', (_, list, read) => {
    const files = list()
    expect(files.length).toBeGreaterThan(5)
    expect(files.flatMap(read).flatMap(findBanned)).toEqual([])
  })

  test('pages of the console take whole sentences from the sentence modules', () => {
    const pages = sourceFiles().filter(({ path }) =>
      /^console\/(?:pages\/|components\/|layout)/.test(path),
    )
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.flatMap(({ text }) => findSentences(text))).toEqual([])
    expect(findSentences("html`<p>No world matches. `, 'It is off.', 'Filter'")).toHaveLength(2)
  })

  test.each([
    ['What came of it is told on standard error.', 2],
    ['Whoever gets the lock writes anew.', 3],
    ['The server logs the outcome.', 0],
    ['What is a reading?', 0],
  ])('the scanner finds what is wrong with: %s', (text, count) =>
    expect(findBanned({ at: 'a.md:1', text })).toHaveLength(count),
  )
})
