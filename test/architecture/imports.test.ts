import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importsOf, isTest, type SourceFile, sourceFiles, targetOf } from './source.js'

/**
 * The rooms of src/, top to bottom. A room may import from rooms on lower floors only, so rooms that
 * share a floor do not know each other. docs/architecture.md draws the same list.
 */
const FLOORS = [
  ['generate'],
  ['sweep'],
  ['cli', 'runners'],
  ['index'],
  ['app', 'kit'],
  ['api/routing'],
  ['api/service', 'api/control', 'api/reference', 'console'],
  ['http/transport'],
  ['http/pipeline'],
  ['http/operation'],
  ['activity'],
  ['runtime'],
  ['worlds'],
  ['scenarios/docs'],
  ['scenarios/verify'],
  ['scenarios/evaluate'],
  ['scenarios/language'],
  ['scenarios/faults'],
  ['history'],
  ['calibrate'],
  ['assumptions/register'],
  ['contract'],
  ['assumptions'],
  ['domain'],
  ['assumptions/use'],
  ['assumptions/ids'],
  ['kernel'],
  ['lib'],
]

/** Pure packages: decimal arithmetic, a heap, hashing, base encodings and schemas. */
const PURE_PACKAGES = ['big.js', 'tinyqueue', '@noble/hashes', '@scure/base', 'zod']

/** The parts of lib/ that touch no machine. */
const PURE_MODULES = ['lib/app-error', 'lib/text']

const ROOMS = FLOORS.flat().sort((a, b) => b.length - a.length)

const withoutExtension = (path: string): string => path.replace(/\.[jt]sx?$/, '')

/** The room of a file: the longest name that its path begins with. */
const findRoom = (path: string): string | undefined =>
  ROOMS.find((room) => withoutExtension(path) === room || path.startsWith(`${room}/`))

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room))

const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')

const findImports = (
  files: readonly SourceFile[],
  isWrong: (file: SourceFile, from: string) => boolean,
): string[] => [
  ...new Set(
    files.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => isWrong(file, from))
        .map(({ from }) => `${file.path} imports ${from}`),
    ),
  ),
]

/** The command line loads this command of a higher room when it is called. */
const LAZY = 'cli/other-commands.ts imports ../sweep/sweep.js'

const findUpward = (files: readonly SourceFile[]): string[] =>
  findImports(files, (file, from) => {
    if (!from.startsWith('.') || isGenerated(file, from)) return false
    if (`${file.path} imports ${from}` === LAZY) return false
    const [here, there] = [findRoom(file.path), findRoom(targetOf(file, from))]
    if (here === undefined || there === undefined) return true
    return here !== there && floorOf(there) <= floorOf(here)
  })

/** Types that `npm run documents` writes, and the version. */
const isGenerated = (file: SourceFile, from: string): boolean =>
  /^\.\.\/(generated\/|package\.json$)/.test(targetOf(file, from))

/** The kit is a client: it knows the server by its API alone. */
const findServerInKit = (files: readonly SourceFile[]): string[] =>
  findImports(files, (file, from) => {
    if (!from.startsWith('.') || isGenerated(file, from)) return false
    const target = targetOf(file, from)
    if (file.path.startsWith('kit/')) return !target.startsWith('kit/')
    return file.path.startsWith('runners/') && !/^(runners\/|index$)/.test(target)
  })

/** It judges recordings alone, so that no behaviour of the sandbox decides what the service does. */
const findSandboxInCalibrate = (files: readonly SourceFile[]): string[] =>
  findImports(
    files.filter(({ path }) => path.startsWith('calibrate/')),
    (file, from) =>
      from.startsWith('.') &&
      !isGenerated(file, from) &&
      !/^(?:calibrate|lib|kernel\/time|assumptions\/(?!use))/.test(targetOf(file, from)),
  )

const isPure = (path: string): boolean => /^(?:domain|kernel)\//.test(path)

const findImpure = (files: readonly SourceFile[]): string[] =>
  findImports(
    files.filter(({ path }) => isPure(path)),
    (file, from) => {
      if (!from.startsWith('.')) return !PURE_PACKAGES.includes(packageOf(from))
      const target = targetOf(file, from)
      return target.startsWith('lib/') && !PURE_MODULES.includes(target)
    },
  )

const findOutside = (files: readonly SourceFile[]): string[] =>
  findImports(
    files,
    (file, from) =>
      from.startsWith('.') && targetOf(file, from).startsWith('../') && !isGenerated(file, from),
  )

const findUndeclared = (files: readonly SourceFile[], packages: readonly string[]): string[] =>
  findImports(files, (_, from) => !/^\.|^node:/.test(from) && !packages.includes(packageOf(from)))

const VAGUE = /^(?:utils?|helpers?|services|types?)$/

const findVagueNames = (files: readonly SourceFile[]): string[] =>
  files
    .map(({ path }) => path)
    .filter((path) => path.split('/').some((part) => VAGUE.test(part.replace(/\..*$/, ''))))

const file = (path: string, text: string): SourceFile => ({ path, text })

describe('imports of src/', () => {
  const files = sourceFiles()
  const shipped = files.filter((it) => !isTest(it))
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { devDependencies: Record<string, string> }

  test('the scanner reads every module and its imports', () => {
    const paths = shipped.map(({ path }) => path)
    expect(paths).toContain('kernel/kernel.ts')
    expect(paths).toContain('cli.ts')
    expect(shipped.flatMap(importsOf).length).toBeGreaterThan(paths.length)
  })

  test('every import points to a lower floor', () => expect(findUpward(shipped)).toEqual([]))
  test('the kit imports only generated types, and a runner only the library', () =>
    expect(findServerInKit(shipped)).toEqual([]))
  test('calibrate imports only the register of readings', () =>
    expect(findSandboxInCalibrate(shipped)).toEqual([]))
  test('domain and kernel import only pure modules', () => expect(findImpure(shipped)).toEqual([]))
  test('shipped files import nothing from outside src but generated types and the version', () =>
    expect(findOutside(shipped)).toEqual([]))
  test('package.json names every imported package', () =>
    expect(findUndeclared(shipped, Object.keys(devDependencies))).toEqual([]))
  test('no file has a vague name', () => expect(findVagueNames(files)).toEqual([]))
  test('src/ has three files at its root', () =>
    expect(
      shipped
        .map(({ path }) => path)
        .filter((path) => !path.includes('/'))
        .sort(),
    ).toEqual(['app.ts', 'cli.ts', 'index.ts']))
})

describe('the scanner of imports', () => {
  test.each([
    "import { a } from '../app.js'",
    "import type { A } from '../http/pipeline/handler.js'",
    "export { a } from '../contract/user.js'",
    "export * from '../api/service/payouts.js'",
    "import '../cli.js'",
    "import {\n  a, // first\n  b,\n} from '../api/control/users.js'",
    "const later = () => import('../app.js')",
    "import { a } from '../attic/a.js'",
  ])('finds that the domain points up with %s', (text) =>
    expect(findUpward([file('domain/a.ts', text)])).toHaveLength(1),
  )

  test.each([
    ['api/service', 'api/control'],
    ['api/control', 'api/service'],
    ['console', 'api/service'],
    ['api/service', 'console'],
  ])('finds that %s imports %s on the same floor', (here, there) => {
    const depth = '../'.repeat(here.split('/').length)
    const planted = file(`${here}/a.ts`, `import { a } from '${depth}${there}/index.js'`)
    expect(findUpward([planted])).toHaveLength(1)
  })

  test.each(['node:fs', 'hono', '@noble/ciphers', 'big.jsx', '../lib/read-file.js'])(
    'finds that the domain imports %s, which is not pure',
    (name) =>
      expect(findImpure([file('domain/a.ts', `import { a } from '${name}'`)])).toHaveLength(1),
  )

  test('finds an import of test/', () => {
    const planted = file('runtime/a.ts', "import { a } from '../../test/laws/a.js'")
    expect(findOutside([planted])).toHaveLength(1)
  })

  test.each([
    ['kit/a.ts', '../lib/text.js'],
    ['runners/a.ts', '../runtime/options.js'],
  ])('finds that %s imports the server by %s', (path, from) =>
    expect(findServerInKit([file(path, `import { a } from '${from}'`)])).toHaveLength(1),
  )

  test('finds that calibrate imports the sandbox', () => {
    const planted = file('calibrate/a.ts', "import { a } from '../domain/payouts.js'")
    expect(findSandboxInCalibrate([planted])).toHaveLength(1)
  })

  test('finds a package that package.json does not name', () => {
    const planted = file('http/pipeline/a.ts', "import Ajv from 'ajv'\nimport { Hono } from 'hono'")
    expect(findUndeclared([planted], ['hono'])).toEqual(['http/pipeline/a.ts imports ajv'])
  })

  test('ignores comments and strings', () => {
    const text = [
      "// import { a } from '../app.js'",
      "/* import { a } from '../app.js' */",
      "const url = 'http://example.com' // import('../app.js')",
      'const text = "import { a } from \'../app.js\'"',
    ]
    expect(findUpward([file('domain/a.ts', text.join('\n'))])).toEqual([])
  })

  test.each(['utils.ts', 'http/helpers.ts', 'services/a.ts', 'domain/types.ts', 'helper.test.ts'])(
    'finds the vague name %s',
    (path) => expect(findVagueNames([file(path, '')])).toEqual([path]),
  )
})
