import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseBlocks, readText, root } from '../readme/markdown.js'
import { runHere } from './run-in-process.js'
import { makeFolder, runCli, startProgram } from './sandramp.js'

const SCENARIO = 'tests/scenarios/slow-payout.yaml'
const WORKFLOW = '.github/workflows/sandramp.yml'

test.each([
  [
    { devDependencies: { jest: '1', vitest: '1' } },
    'test.mjs',
    "from 'sandramp/vitest'",
    'npx vitest run',
  ],
  [{ devDependencies: { jest: '1' } }, 'test.js', "require('sandramp/jest')", 'npx jest'],
  [
    { dependencies: { '@playwright/test': '1' } },
    'spec.mjs',
    "from 'sandramp/playwright'",
    'npx playwright test',
  ],
  [
    { devDependencies: { vitest: '1', typescript: '1' } },
    'test.ts',
    "from 'sandramp/vitest'",
    'npx vitest run',
  ],
  [{ devDependencies: { 'ts-jest': '1' } }, 'test.ts', "from 'sandramp/jest'", 'npx jest'],
  [{}, 'test.mjs', "from 'sandramp/node-test'", 'node --test'],
])('init writes a test for the runner of %j', async (manifest, extension, words, runner) => {
  const cwd = makeFolder({ 'package.json': JSON.stringify(manifest) })
  const file = `tests/sandramp.${extension}`
  const ran = await runHere(['init', '--ci'], cwd)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  const command = `${runner} ${file}`
  expect(ran.stdout).toBe(
    `wrote  ${file}\nwrote  ${SCENARIO}\nwrote  ${WORKFLOW}\n\nTry next:\n` +
      `  npx sandramp run -- ${command}\n  npx sandramp run ${SCENARIO} -- ${command}\n`,
  )
  const read = (it: string) => readFileSync(join(cwd, it), 'utf8')
  expect(read(file)).toContain(words)
  expect(read(WORKFLOW)).toContain(` -- ${command}\n`)
  expect(read(file) + read(WORKFLOW)).not.toContain('{{')
})

test('init writes the workflow that the recipe for CI shows', async () => {
  const cwd = makeFolder({ 'package.json': '{ "devDependencies": { "vitest": "4" } }' })
  await runHere(['init', '--ci'], cwd)
  const shown = parseBlocks(readText('docs/recipes/ci.md')).map(({ text }) => text)
  expect(shown).toContain(readFileSync(join(cwd, WORKFLOW), 'utf8').trim())
})

test('init in a package of a monorepo writes the workflow at the root, to run in the package', async () => {
  const root = makeFolder()
  const cwd = join(root, 'packages', 'pay')
  const bin = join(root, 'node_modules', '.bin')
  for (const it of [cwd, bin, join(root, '.git')]) mkdirSync(it, { recursive: true })
  writeFileSync(join(bin, 'sandramp'), '')
  const { stdout } = await runHere(['init', '--ci'], cwd)
  expect(stdout).toContain(`wrote  ../../${WORKFLOW}\n`)
  const workflow = readFileSync(join(root, WORKFLOW), 'utf8')
  expect(parse(workflow).jobs.payments).toMatchObject({
    defaults: { run: { 'working-directory': 'packages/pay' } },
    steps: expect.arrayContaining([
      expect.objectContaining({ with: { name: 'sandramp', path: 'packages/pay/reports' } }),
    ]),
  })
  expect(workflow).toContain(' ../../node_modules/.bin/sandramp run\n')
})

test('init writes no workflow without --ci', async () => {
  const cwd = makeFolder()
  await runHere(['init'], cwd)
  expect(readdirSync(cwd)).toEqual(['tests'])
})

test('the test of init passes alone, in a fresh sandbox and in its scenario', async () => {
  const cwd = makeFolder()
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules', 'sandramp'))
  await runHere(['init'], cwd)
  const command = [process.execPath, '--test', 'tests/sandramp.test.mjs'] as const
  expect((await startProgram(command[0], command.slice(1), cwd).ended).code).toBe(0)
  for (const args of [[], [SCENARIO]]) {
    const ran = await runCli(['run', ...args, '--', ...command], cwd)
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    expect(ran.stdout).toMatch(/\npassed\n$/)
  }
})

test('init overwrites nothing, and uses the folder of tests that exists', async () => {
  const cwd = makeFolder()
  mkdirSync(join(cwd, 'test'))
  writeFileSync(join(cwd, 'test', 'sandramp.test.mjs'), 'mine')
  const { stdout } = await runHere(['init'], cwd)
  expect(stdout).toContain('kept   test/sandramp.test.mjs\nwrote  test/scenarios/')
  expect(readFileSync(join(cwd, 'test', 'sandramp.test.mjs'), 'utf8')).toBe('mine')
  expect((await runHere(['init'], cwd)).stdout).not.toContain('wrote')
})

test.each(['{ "a": ', '[]', 'null'])(
  'init refuses %j as package.json, and writes nothing',
  async (text) => {
    const cwd = makeFolder({ 'package.json': text })
    expect(await runHere(['init'], cwd)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'sandramp: package.json cannot be used. Expected a JSON object in it.\n',
    })
    expect(readdirSync(cwd)).toEqual(['package.json'])
  },
)

test('init takes no argument', async () => {
  const ran = await runHere(['init', 'here'])
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid argument') })
})
