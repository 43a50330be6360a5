import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { parseIfJson } from '../lib/json.js'
import { templatesFolder } from '../lib/paths.js'
import { FileError, readText } from '../lib/read-file.js'
import { print } from './print.js'

interface Runner {
  readonly package?: string
  /** Of the test kit. */
  readonly entry: string
  /** Behind the name of the test. */
  readonly extension: string
  readonly command: string
}

/** The first one that package.json has. Node's own needs no package. */
const RUNNERS: readonly Runner[] = [
  { package: 'vitest', entry: 'vitest', extension: 'test.mjs', command: 'npx vitest run' },
  { package: 'ts-jest', entry: 'jest', extension: 'test.ts', command: 'npx jest' },
  { package: 'jest', entry: 'jest', extension: 'test.js', command: 'npx jest' },
  {
    package: '@playwright/test',
    entry: 'playwright',
    extension: 'spec.mjs',
    command: 'npx playwright test',
  },
  { entry: 'node-test', extension: 'test.mjs', command: 'node --test' },
]

const TEST_FOLDERS = ['tests', 'test', '__tests__', 'e2e']

/** Writes a first test, a scenario and, if wanted, a workflow. Existing files stay. */
export const init = (withWorkflow: boolean): void => {
  const { entry, extension, command: runner } = findRunner()
  const folder = TEST_FOLDERS.find(existsSync) ?? 'tests'
  const test = `${folder}/sandramp.${extension}`
  const scenario = `${folder}/scenarios/slow-payout.yaml`
  const command = `${runner} ${test}`
  const repository = findAbove('.git') ?? '.'
  const inside = toPath(repository, '.')
  const words: Readonly<Record<string, string>> = {
    ...{ command, folder, import: formatImport(entry, extension) },
    bin: posix.join(toPath('.', findAbove(BIN) ?? '.'), BIN),
    defaults: inside && `    defaults: { run: { working-directory: ${inside} } }\n`,
    reports: posix.join(inside, 'reports'),
  }
  const read = (name: string) =>
    readFileSync(join(templatesFolder, name), 'utf8').replace(
      /\{\{(\w+)\}\}/g,
      (_, word) => words[word] ?? '',
    )
  const files = {
    [test]: read('first-test.js'),
    [scenario]: read('slow-payout.yaml'),
    ...(withWorkflow && { [posix.join(toPath('.', repository), WORKFLOW)]: read('github.yml') }),
  }
  const lines = Object.entries(files).map(([file, text]) => `${write(file, text)}  ${file}`)
  const next = ['', 'Try next:', ...['', ` ${scenario}`].map((it) => formatRun(it, command))]
  print(`${[...lines, ...next].join('\n')}\n`)
}

const WORKFLOW = '.github/workflows/sandramp.yml'
/** In a monorepo it may be that of the root. */
const BIN = 'node_modules/.bin/sandramp'

const toPath = (from: string, to: string): string => relative(from, to).replaceAll(sep, '/')

/** The nearest folder that contains a file: this one, or one above it. */
const findAbove = (name: string): string | undefined => {
  const parts = process.cwd().split(sep)
  const folders = parts.map((_, i) => parts.slice(0, parts.length - i).join(sep) + sep)
  return folders.find((it) => existsSync(join(it, name)))
}

/** Jest loads no ES modules without a flag; ts-jest compiles them. */
const formatImport = (entry: string, extension: string): string => {
  const from = `'sandramp/${entry}'`
  return extension === 'test.js'
    ? `const { test } = require(${from})`
    : `import { test } from ${from}`
}

const formatRun = (scenario: string, command: string): string =>
  `  npx sandramp run${scenario} -- ${command}`

const MANIFEST = 'package.json'

const findRunner = (): Runner => {
  const manifest = parseIfJson(existsSync(MANIFEST) ? readText(MANIFEST, 'a JSON file') : '{}')
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new FileError({ problem: `${MANIFEST} cannot be used`, expected: 'a JSON object in it' })
  const { dependencies, devDependencies } = manifest as Readonly<Record<string, object>>
  const installed = Object.keys({ ...dependencies, ...devDependencies })
  const isInstalled = (it: Runner) => it.package === undefined || installed.includes(it.package)
  const runner = RUNNERS.find(isInstalled) as Runner
  const isTyped = existsSync('tsconfig.json') || installed.includes('typescript')
  // Node runs TypeScript only since 22.18.
  if (!isTyped || !runner.package) return runner
  return { ...runner, extension: runner.extension.replace('mjs', 'ts') }
}

const write = (file: string, text: string): 'wrote' | 'kept ' => {
  if (existsSync(file)) return 'kept '
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return 'wrote'
}
