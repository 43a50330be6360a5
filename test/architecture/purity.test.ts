import { describe, expect, test } from 'vitest'
import { bareCode, isTest, type SourceFile, sourceFiles, withoutComments } from './source.js'

/** Domain and kernel read no clock, draw no random numbers, wait for nothing and touch no machine. */
const IMPURE: Readonly<Record<string, RegExp>> = {
  'machine time': /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])|(?<!\bnew\s+)\bDate\s*\(/,
  'another clock': /\bperformance\b|\bhrtime\b|\bTemporal\b/,
  'random numbers':
    /\bMath\s*\.\s*random\b|\brandom(?:UUID|Bytes)\b|\bgetRandomValues\b|\bnanoid\b/,
  waiting: /\basync\b|\bawait\b|\bPromise\b|\.\s*then\s*\(/,
  timers: /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/,
  'the process': /\bprocess\s*(?:\?\s*)?[.[]|=\s*process\b|\bglobalThis\b|\bimport\s*\.\s*meta\b/,
  'the machine’s language': /\blocaleCompare\b|\bIntl\b|\btoLocale\w*\s*\(\s*\)/,
  'a network or a console': /\bfetch\s*\(|\bconsole\s*\./,
}

/** Package names are strings, so this pattern needs the strings. */
const NODE = /['"]node:[\w/]+['"]/

const impurities = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) => {
    const code = bareCode(text)
    const found = Object.entries(IMPURE)
      .map(([what, pattern]) => ({ what, word: pattern.exec(code)?.[0] }))
      .concat({ what: 'node', word: NODE.exec(withoutComments(text))?.[0] })
    return found.flatMap(({ what, word }) => (word ? [`${path} has ${what}: ${word.trim()}`] : []))
  })

const CLOCK_READERS =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])|(?<!\bnew\s+)\bDate\s*\(|\bperformance\b|\bhrtime\b|\bTemporal\b/g

/** Every place with the pattern, as `file: how`, each once. */
const findPlaces = (files: readonly SourceFile[], pattern: RegExp): string[] => [
  ...new Set(
    files.flatMap(({ path, text }) =>
      [...bareCode(text).matchAll(pattern)].map(([how]) => `${path}: ${how}`),
    ),
  ),
]

describe('purity', () => {
  const shipped = sourceFiles().filter((file) => !isTest(file))
  const world = shipped.filter(({ path }) => /^(?:domain|kernel)\//.test(path))

  test('reads the whole world', () => {
    expect(world.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['kernel/kernel.ts', 'domain/transfers.ts', 'domain/world.ts']),
    )
  })

  test('domain and kernel use no time, random numbers, waiting or machine', () => {
    expect(impurities(world)).toEqual([])
  })

  test('reads machine time in one place, and durations only for the log and for slices of work', () => {
    expect(findPlaces(shipped, CLOCK_READERS)).toEqual([
      'http/pipeline/exchange-log.ts: performance',
      'lib/machine-clock.ts: Date.now',
      'lib/slices.ts: performance',
    ])
  })

  test('one file parses times, because Date.parse reads some texts in the machine’s zone', () => {
    expect(findPlaces(shipped, /\bDate\s*\.\s*parse\b/g)).toEqual(['kernel/time.ts: Date.parse'])
  })
})

describe('the scanner of purity', () => {
  const planted = (text: string): SourceFile[] => [{ path: 'domain/planted.ts', text }]

  test.each([
    ['const now = Date.now()', 'machine time'],
    ['const now = Date . now', 'machine time'],
    ['const now = new Date()', 'machine time'],
    ['const now = new Date( )', 'machine time'],
    ['const now = new Date', 'machine time'],
    ['const text = Date()', 'machine time'],
    ['const at = performance.now()', 'another clock'],
    ['const n = Math.random()', 'random numbers'],
    ['const id = crypto.randomUUID()', 'random numbers'],
    ["import { randomBytes } from '@noble/hashes/utils.js'", 'random numbers'],
    ["import { readFileSync } from 'node:fs'", 'node'],
    ["const fs = await import('node:fs')", 'node'],
    ['const f = async () => 1', 'waiting'],
    ['for await (const a of b) {}', 'waiting'],
    ['const f = (): Promise<void> => g()', 'waiting'],
    ['setTimeout(f, 10)', 'timers'],
    ['const port = process.env.PORT', 'the process'],
    ["const port = process['env']", 'the process'],
    ['const { env } = process', 'the process'],
    [`const text = \`at \${Date.now()}\``, 'machine time'],
    ['list.sort((a, b) => a.localeCompare(b))', 'the machine’s language'],
    ["fetch('https://example.com')", 'a network or a console'],
  ])('sees %s', (text, what) => {
    expect(impurities(planted(text))).toEqual(
      expect.arrayContaining([expect.stringContaining(`domain/planted.ts has ${what}: `)]),
    )
  })

  test.each([
    'const text = new Date(ms).toISOString()',
    "const last = Date.parse('9999-12-31T23:59:59.999Z')",
    '// Date.now() would be wrong here',
    '/**\n * No Math.random, no async.\n */',
    "throw new Error('await the process.exit of Math.random')",
    "const processed = payout.status === 'PAYOUT_PROCESSED'",
    "limit.toLocaleString('en')",
    'const then = step.then',
  ])('lets %s be', (text) => expect(impurities(planted(text))).toEqual([]))

  test.each([
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date'],
    ['Date()', 'Date('],
    ['performance.now()', 'performance'],
    ['process.hrtime.bigint()', 'hrtime'],
  ])('sees another reader of machine time: %s', (text, how) => {
    const found = findPlaces(planted(`const now = ${text}`), CLOCK_READERS)
    expect(found).toEqual([`domain/planted.ts: ${how}`])
  })
})
