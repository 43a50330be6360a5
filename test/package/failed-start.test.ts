import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../readme/markdown.js'

const run = promisify(execFile)

/** Pretends an older Node version. */
const OLD =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})"

const failing = async (...args: string[]) =>
  run(process.execPath, args).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const SENTENCE = 'Sandramp needs Node 20.19 or newer, this is Node 20.18.3.'

test.each(['scripts/start.js', 'dist/cli.js'])(
  '%s refuses an older Node in one line',
  async (file) => {
    const { code, stderr } = await failing('--import', OLD, join(root, file), '--version')
    expect(stderr.replace('sandramp: ', '')).toBe(`${SENTENCE}\n`)
    expect(code).toBe(2)
  },
)

test('the library refuses an older Node with an error that says so', async () => {
  const library = pathToFileURL(join(root, 'dist', 'index.js')).href
  const script = `import('${library}').catch(({ message }) => { console.error(message); process.exit(1) })`
  const { stderr } = await failing('--import', OLD, '--input-type=module', '-e', script)
  expect(stderr).toBe(`${SENTENCE}\n`)
})

test('npm start without installed dependencies says to run npm ci, in one line', async () => {
  const folder = makeFolder()
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  expect(await failing(join(folder, 'scripts', 'start.js'))).toEqual({
    code: 2,
    stderr: 'The dependencies are not installed: run npm ci first.\n',
  })
})

test.each([
  ['start', 'dist', 'scenarios'],
  ['run happy-path -- true', 'dist', 'scenarios'],
  ['start', 'dist scenarios', 'openapi'],
])('%s of a package with only %s names the folder %s in one line', async (args, parts, missing) => {
  const folder = makeFolder()
  for (const part of parts.split(' '))
    cpSync(join(root, part), join(folder, part), { recursive: true })
  const { code, stderr } = await failing(join(folder, 'dist', 'cli.js'), ...args.split(' '))
  const sentence = `sandramp: Sandramp is incomplete: ${join(folder, missing)} does not exist. `
  expect(stderr.startsWith(sentence), stderr).toBe(true)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(code).toBe(2)
})

const PROGRAM = `
import { createSandbox } from ${JSON.stringify(join(root, 'dist', 'index.js'))}
createSandbox().catch(({ message }) => console.error(message))`

test.each([
  [
    'esm',
    /^Sandramp is incomplete: .*shipped\.json does not exist\. .* external in your bundler\.\n$/,
  ],
  ['cjs', /^Error: Sandramp cannot be bundled\. Mark sandramp as external in your bundler\.$/m],
] as const)('a bundle of the library says that it cannot be bundled: %s', async (format, words) => {
  const folder = makeFolder()
  const stdin = { contents: PROGRAM, resolveDir: folder }
  const file = join(folder, 'out', format === 'esm' ? 'app.mjs' : 'app.cjs')
  const options = { bundle: true, platform: 'node', logLevel: 'silent' } as const
  await build({ stdin, format, outfile: file, ...options })
  expect((await failing(file)).stderr).toMatch(words)
})
