import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFileLinks, parseBlocks, root } from '../readme/markdown.js'

/** The packed package, vendored in an empty project. */

const folder = mkdtempSync(join(tmpdir(), 'sandramp-package-'))
const packageFolder = join(folder, 'node_modules', 'sandramp')

const run = (program: string, args: readonly string[], cwd = folder): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' })

let packedBytes = 0

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const vendor = join(folder, 'vendor')
  mkdirSync(vendor)
  // Without building: other tests use dist/ at the same time.
  const packed = run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', vendor],
    root,
  )
  packedBytes = statSync(join(vendor, packed.trim())).size
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./vendor/${packed.trim()}`])
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Pictures, and pages and documents that only the repository has. */
const LEFT_OUT = /^(?:docs\/(?:screenshots|decisions|architecture\.md)|openapi\/.*-3\.0\.json)/

test('the packed package is smaller than 2.6 MB, without pictures, pages for contributors and OpenAPI 3.0', () => {
  expect(packedBytes).toBeLessThan(2_600_000)
  const files = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => LEFT_OUT.test(file))).toEqual([])
})

test('the package has no dependencies', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !/^\./.test(name))
  expect(installed).toEqual(['sandramp'])
})

test('npm ci installs the vendored package on a machine with an empty cache', () => {
  const checkout = join(folder, 'checkout')
  for (const name of ['package.json', 'package-lock.json', 'vendor'])
    cpSync(join(folder, name), join(checkout, name), { recursive: true })
  const cache = join(checkout, 'cache')
  run('npm', ['ci', '--offline', '--cache', cache, '--no-audit', '--no-fund'], checkout)
  const program = join(checkout, 'node_modules', '.bin', 'sandramp')
  expect(run(program, ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('the package contains the pytest plugin in its own version, without its tests', () => {
  const files = readdirSync(join(packageFolder, 'clients', 'python')).sort()
  expect(files).toEqual(['pyproject.toml', 'sandramp_bodies.py', 'sandramp_pytest.py'])
  const read = (file: string) => readFileSync(join(packageFolder, file), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  expect(read('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`)
})

test('the package contains all link targets of its pages except what it leaves out', () => {
  const pages = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', join('docs', 'reference', 'console.md')]),
  )
  const missing = pages.flatMap((page) =>
    findFileLinks(readFileSync(join(packageFolder, page), 'utf8'))
      .map((target) => join(dirname(page), target))
      .filter((target) => !LEFT_OUT.test(target) && !existsSync(join(packageFolder, target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(missing).toEqual([])
})

test('the package contains the licenses of bundled packages', () => {
  const licenses = readFileSync(join(packageFolder, 'dist', 'LICENSES.txt'), 'utf8')
  for (const name of ['hono', 'zod', 'big.js']) expect(licenses).toMatch(`\n${name} `)
})

test('package.json has main and types for tools that do not read exports', () => {
  const described = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { exports, main, types } = described as Record<string, unknown>
  expect(exports).toMatchObject({ '.': { import: { types, default: main } } })
})

test('the package runs alone', () => {
  const program = `
    import { createSandbox } from 'sandramp'
    const sandbox = await createSandbox({ clock: 'manual' })
    const { url } = await sandbox.listen({ tls: true })
    const answer = await sandbox.fetch('/_sandbox/health')
    console.log(url.slice(0, 8), answer.status)
    await sandbox.close()
  `
  expect(run(process.execPath, ['--input-type=module', '-e', program])).toBe('https:// 200\n')
})

test('the library serves plain requests without loading undici or http2', () => {
  const program = `
    import { get } from 'node:http'
    // Newer versions of Node load some of it with that alone.
    const before = process.moduleLoadList.length
    const { createSandbox } = await import('sandramp')
    const sandbox = await createSandbox({ clock: 'manual' })
    const { url } = await sandbox.listen()
    for (const path of ['/_sandbox/health', '/onboarding/api/v1/users/all']) {
      const headers = { 'x-api-key': 'SandrampFullAccessKey00000000001' }
      await new Promise((resolve) => get(url + path, { headers, agent: false }, (answer) => {
        console.log(answer.statusCode)
        answer.resume().on('end', resolve)
      }))
    }
    const loaded = process.moduleLoadList.slice(before)
    console.log(loaded.filter((name) => /undici|http2/.test(name)))
    await sandbox.close()
  `
  expect(run(process.execPath, ['--input-type=module', '-e', program])).toBe('200\n200\n[]\n')
})

test('errors of the library have names that Node prints', () => {
  const program = `
    import { inspect } from 'node:util'
    import { createSandbox } from 'sandramp'
    const wrong = [{ clok: 1 }, { fixtures: 'docs' }, { scenarios: ['none'] }, { data: 'spoiled.json' }]
    for (const options of wrong) {
      await createSandbox(options).catch((error) => console.log(inspect(error).split(':', 1)[0]))
    }
  `
  writeFileSync(join(folder, 'spoiled.json'), '[')
  const shown = run(process.execPath, ['--input-type=module', '-e', program])
  expect(shown).toBe('OptionError\nOptionError\nOptionError\nDataError\n')
})

test('the library can be required from CommonJS without a flag or a warning', () => {
  const program = `
    const { createSandbox } = require('sandramp')
    process.on('warning', (warning) => console.log(String(warning)))
    createSandbox().then(async ({ fetch }) => console.log((await fetch('/openapi.json')).status))
  `
  const args = ['--input-type=commonjs', '-e', program]
  expect(run(process.execPath, args)).toBe('200\n')
})

describe('the types of the package', () => {
  const NAMES = (
    'Advance ApiError AssumptionId BalanceEntry connect ConnectOptions ConsentRequest ' +
    'createSandbox Currency CustodyWallet CustodyWalletRequest Duration Entry Exchange ' +
    'ExpectationError Expected LoggedExchange OfframpAudit OfframpInstruction OfframpRequest ' +
    'Outcome Payout PayoutRequest ReadingOf Sandbox SandboxClient SandboxError SandboxOptions ' +
    'SandboxPayout SandboxTransfer SandboxUser SandboxWorld ScenarioName Transfer ' +
    'TransferAudit User UserRequest'
  ).split(' ')

  const PROGRAM = `
import { createSandbox, type Entry, type Exchange, type Expected, type Payout, type SandboxOptions } from 'sandramp'
const log = ({ status }: Exchange) => console.log(status)
const options: SandboxOptions = { clock: 'manual', readings: ['payout.fee=deducted'], log }
const sandbox = await createSandbox(options)
const world = await sandbox.world('test')
const body = { currency: 'NGN', customer_payout_id: { starts_with: 'a' } }
const expected: Expected[] = [
  { requests: { operation: 'createPayout', body }, count: { lte: 3 } },
  { payouts: {}, sum: { amount: { lte: 1500 } } },
]
await world.expect(expected, { until: 'idle' })
const last: Entry | undefined = (await sandbox.defaultWorld.journal()).at(-1)
const [request] = await world.requests({ status: '4xx' })
const [shown] = request?.shown[0] ?? ['none']
const { amount } = await world.credit('ada', '1', 'USD')
const { url } = await sandbox.listen({ tls: { cert: 'a.pem', key: 'b.pem' } })
console.log(last?.seq, last?.events[0]?.amount, shown.length, amount.toFixed(2), url, await world.now())
const payout = (await (await world.fetch('/payment/api/v1/payout')).json()) as Payout
await world.assume('payout.fee', 'deducted')
console.log(payout.status === 'PAYOUT_FAILED', world.users.ada.id, world.accounts['own']?.id)
// A generated client has no null and no readonly list in a body.
const user: { metadata?: string; documents?: { document_back?: string }[] } = world.build.user()
console.log(user)
await sandbox[Symbol.asyncDispose]()
// @ts-expect-error There is no such reading.
await world.assume('payout.fee', 'none')
// @ts-expect-error There is no such field.
await world.expect({ payouts: { amout: 1 }, count: 1 })
// @ts-expect-error There is no such operation.
world.next('createPayouts')
// @ts-expect-error The next call has no fault.
await world.next('createPayout')
// @ts-expect-error There is no such option.
await createSandbox({ clok: 'manual' })
// @ts-expect-error There is no such noun.
await world.expect([{ payers: {} }])
`

  const CONFIGURE = ['vitest', 'jest', 'node-test']
    .map(
      (runner) => `
import { configure as ${runner.slice(0, 4)} } from 'sandramp/${runner}'
${runner.slice(0, 4)}({ cors: 'http://localhost:5173' })
// @ts-expect-error The clock is always manual.
${runner.slice(0, 4)}({ clock: 'real' })
`,
    )
    .join('')

  test.each(['nodenext', 'preserve'])('pass the strictest check, as %s', (module) => {
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    const compilerOptions = {
      target: 'es2022',
      module,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: [],
      noEmit: true,
    }
    const config = { compilerOptions, files: ['program.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    expect(run(tsc, ['-p', folder])).toBe('')
  })

  test('export what a user names, and nothing else', () => {
    const text = readFileSync(join(packageFolder, 'dist', 'index.d.ts'), 'utf8')
    // Without this line, every declaration of the file would be exported.
    expect(text).toMatch(/^export \{ \}$/m)
    const names = text.matchAll(/^export declare \w+ (\w+)/gm)
    expect([...names].map(([, name]) => name)).toEqual(NAMES)
  })

  // TypeScript before version 7 can resolve modules without `exports`.
  test('are the same without exports', () => {
    const { exports, typesVersions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entries = Object.entries<[string]>(typesVersions['*'])
    for (const [entry, [types]] of entries)
      expect(JSON.stringify(exports[`./${entry}`])).toContain(`"types":"${types}"`)
    expect(entries).toHaveLength(4)
  })

  test('compile the TypeScript blocks of the pages and the test of init with the types of Node', () => {
    const readBlocks = (page: string) =>
      parseBlocks(readFileSync(join(packageFolder, page), 'utf8'))
        .filter(({ language }) => language === 'ts')
        .map(({ text }) => text)
    const shown = ['README.md', 'docs/reference/test-kit.md'].flatMap(readBlocks)
    shown.push(readBlocks('docs/recipes/twelve-tests.md').join('\n'))
    const template = readFileSync(join(packageFolder, 'templates', 'first-test.js'), 'utf8')
    shown.push(template.replace('{{import}}', "import { test } from 'sandramp/vitest'"), CONFIGURE)
    const files = shown.map((_, index) => `shown-${index}.ts`)
    for (const [index, file] of files.entries())
      writeFileSync(join(folder, file), shown[index] ?? '')
    const modules = join(root, 'node_modules')
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022'],
      module: 'preserve',
      strict: true,
      skipLibCheck: true,
      typeRoots: [join(modules, '@types')],
      types: ['node'],
      paths: { vitest: [join(modules, 'vitest')] },
      noEmit: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    expect(files.length).toBeGreaterThan(2)
    expect(run(join(modules, '.bin', 'tsc'), ['-p', folder])).toBe('')
  })
})
