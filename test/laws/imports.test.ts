import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importsOf, isTest, type SourceFile, sourceFiles, targetOf } from './source.js'

/**
 * The rooms of src/ from the ground up. A room may use those on floors below it and nothing else, so
 * rooms that share a floor, such as the faces, do not know of one another.
 */
const FLOORS = [
  ['world'],
  ['clock', 'memory-pressure', 'json-path'],
  [
    'zod-errors',
    'read-file',
    'json-error',
    'persistence',
    'control-token',
    'suggest',
    'clock-mode',
    'paths',
    'rate-limit',
    'readonly-tables',
    'duplicate-keys',
    'ring',
    'secrets',
    'shell-quote',
    'slices',
    'ansi',
    'lazy',
  ],
  ['journal', 'clock-scheduler', 'readings', 'redact', 'yaml'],
  ['exchanges'],
  ['fixtures', 'scenarios', 'answers-file', 'live-world'],
  ['base-world', 'world-key-index', 'bundled-data', 'store'],
  ['world-registry'],
  ['world-factory'],
  ['sandbox'],
  ['contract', 'sandbox-internals', 'options'],
  ['http', 'build-sandbox', 'questions', 'reference', 'advance-target', 'tls'],
  ['console', 'control', 'service', 'listen-options', 'request-logger', 'static-routes'],
  ['openapi'],
  ['routing'],
  ['app', 'server'],
  ['index'],
  ['cli', 'recorded-answers'],
  ['generated-files'],
]

/** Decimal arithmetic, a heap, hashing and base encodings: pure, all of them. */
const PURE = ['big.js', 'tinyqueue', '@noble/hashes', '@scure/base']

const roomOf = (path: string): string => path.split('/', 1)[0]?.replace(/\.tsx?$/, '') ?? ''

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')

const eachImport = (
  files: readonly SourceFile[],
  wrong: (file: SourceFile, from: string) => string | undefined,
): string[] =>
  files.flatMap((file) =>
    importsOf(file).flatMap(({ from }) => {
      const complaint = wrong(file, from)
      return complaint === undefined ? [] : [`${file.path} imports ${from}: ${complaint}`]
    }),
  )

const arrowsUp = (files: readonly SourceFile[]): string[] =>
  eachImport(files, (file, from) => {
    if (!from.startsWith('.')) return undefined
    const here = roomOf(file.path)
    const there = roomOf(targetOf(file, from))
    if (floorOf(here) < 0) return `${here} has no floor; give it one in this test`
    if (here === there || (floorOf(there) >= 0 && floorOf(there) < floorOf(here))) return undefined
    return `${here} may not use ${there}`
  })

const impurePackages = (files: readonly SourceFile[]): string[] =>
  eachImport(
    files.filter(({ path }) => path.startsWith('world/')),
    (_, from) =>
      from.startsWith('.') || PURE.includes(packageOf(from))
        ? undefined
        : 'the world has only itself and pure libraries',
  )

const waysOut = (files: readonly SourceFile[]): string[] =>
  eachImport(files, (file, from) =>
    from.startsWith('.') && targetOf(file, from).startsWith('../')
      ? 'src stands without the folders around it'
      : undefined,
  )

const strangers = (files: readonly SourceFile[], packages: readonly string[]): string[] =>
  eachImport(files, (_, from) =>
    from.startsWith('.') || from.startsWith('node:') || packages.includes(packageOf(from))
      ? undefined
      : 'package.json does not name it',
  )

/** Circles of modules that load one another; types load nothing. */
const circles = (files: readonly SourceFile[]): string[] => {
  const uses = new Map<string, string[]>()
  for (const file of files) {
    const loaded = importsOf(file).filter(({ from, typeOnly }) => from.startsWith('.') && !typeOnly)
    uses.set(
      file.path.replace(/\.tsx?$/, ''),
      loaded.map(({ from }) => targetOf(file, from)),
    )
  }
  const found: string[] = []
  const done = new Set<string>()
  const walk = (module: string, way: readonly string[]): void => {
    if (way.includes(module)) found.push([...way.slice(way.indexOf(module)), module].join(' → '))
    if (done.has(module) || way.includes(module)) return
    for (const next of uses.get(module) ?? []) walk(next, [...way, module])
    done.add(module)
  }
  for (const module of uses.keys()) walk(module, [])
  return found
}

const BANNED = /^(?:utils?|helpers?|services|types?)$/

const vagueNames = (files: readonly SourceFile[]): string[] =>
  files
    .map(({ path }) => path)
    .filter((path) => path.split('/').some((part) => BANNED.test(part.replace(/\..*$/, ''))))

describe('imports', () => {
  const files = sourceFiles()
  const shipped = files.filter((file) => !isTest(file))
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { devDependencies: Record<string, string> }

  it('reads the whole of src', () => {
    const paths = shipped.map(({ path }) => path)
    expect(paths).toContain('world/kernel/kernel.ts')
    expect(paths).toContain('cli.ts')
    expect(shipped.flatMap(importsOf).length).toBeGreaterThan(paths.length)
  })

  it('points every arrow down', () => expect(arrowsUp(shipped)).toEqual([]))
  it('keeps the world to itself and pure libraries', () =>
    expect(impurePackages(shipped)).toEqual([]))
  it('never leaves src, from its tests neither', () => expect(waysOut(files)).toEqual([]))
  it('uses only packages that package.json names', () =>
    expect(strangers(shipped, Object.keys(devDependencies))).toEqual([]))
  it('has no circle of modules', () => expect(circles(shipped)).toEqual([]))
  it('names no file after nothing in particular', () => expect(vagueNames(files)).toEqual([]))
})

describe('the scanner of imports', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text })
  const world = (text: string) => [file('world/planted.ts', text)]

  it.each([
    ["import { a } from '../sandbox.js'", 'world may not use sandbox'],
    ["import type { A } from '../http/handler.js'", 'world may not use http'],
    ["export { a } from '../contract/user.js'", 'world may not use contract'],
    ["export * from '../service/auth.js'", 'world may not use service'],
    ["import '../cli.js'", 'world may not use cli'],
    ["import {\n  a, // first\n  b,\n} from '../control/users.js'", 'world may not use control'],
    ["const later = () => import('../app.js')", 'world may not use app'],
  ])('sees %s', (text, complaint) => {
    expect(arrowsUp(world(text))).toEqual([expect.stringContaining(complaint)])
  })

  it.each([
    ['service', 'control'],
    ['control', 'service'],
    ['console', 'service'],
    ['service', 'console'],
  ])('sees that the face %s imports the face %s', (here, there) => {
    const planted = file(`${here}/planted.ts`, `import { a } from '../${there}/index.js'`)
    expect(arrowsUp([planted])).toEqual([expect.stringContaining(`${here} may not use ${there}`)])
  })

  it('asks for a floor for a new room', () => {
    const [complaint] = arrowsUp([file('attic/a.ts', "import { b } from '../world/b.js'")])
    expect(complaint).toContain('attic has no floor')
  })

  it('lets a room use itself and what is below', () => {
    const text = "import { a } from './a.js'\nimport { b } from '../world/b.js'"
    expect(arrowsUp([file('http/planted.ts', text)])).toEqual([])
  })

  it.each(['node:fs', 'zod', '@noble/ciphers', 'big.jsx'])(
    'sees that the world uses %s',
    (name) => {
      expect(impurePackages(world(`import { a } from '${name}'`))).toHaveLength(1)
    },
  )

  it('lets the world use pure libraries, whole or in part', () => {
    const text = "import Big from 'big.js'\nimport { sha256 } from '@noble/hashes/sha2.js'"
    expect(impurePackages(world(text))).toEqual([])
  })

  it('sees an import of test/', () => {
    const planted = file('scenarios/planted.ts', "import { a } from '../../test/laws/a.js'")
    expect(waysOut([planted])).toHaveLength(1)
    expect(waysOut([file('a.ts', "import { a } from '../test/laws/a.js'")])).toHaveLength(1)
  })

  it('sees a package that is there by chance', () => {
    const planted = file('http/planted.ts', "import Ajv from 'ajv'\nimport { Hono } from 'hono'")
    expect(strangers([planted], ['hono'])).toEqual([expect.stringContaining('imports ajv')])
  })

  it('sees a circle, unless it is of types', () => {
    const back = file('world/b.ts', "import { c } from './kernel/c.js'")
    const on = file('world/kernel/c.ts', "import { a } from '../a.js'")
    expect(circles([file('world/a.ts', "import { b } from './b.js'"), back, on])).toEqual([
      'world/a → world/b → world/kernel/c → world/a',
    ])
    expect(circles([file('world/a.ts', "import type { B } from './b.js'"), back, on])).toEqual([])
    expect(circles([file('world/a.ts', "import { type B } from './b.js'"), back, on])).toEqual([])
  })

  it('is not misled by comments and strings', () => {
    const text = [
      "// import { a } from '../app.js'",
      "/* import { a } from '../app.js' */",
      "const url = 'http://example.com' // import('../app.js')",
      'const text = "import { a } from \'../app.js\'"',
    ]
    expect(arrowsUp(world(text.join('\n')))).toEqual([])
  })

  it.each(['utils.ts', 'http/helpers.ts', 'services/a.ts', 'world/types.ts', 'helper.test.ts'])(
    'sees the name %s',
    (path) => expect(vagueNames([file(path, '')])).toEqual([path]),
  )
})
