import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBlocks, readText, root } from '../readme/markdown.js'

/** A project with a copy of the package and the test runners of this one. */
const folder = mkdtempSync(join(tmpdir(), 'sandramp-runners-'))

const runWith = (variables: NodeJS.ProcessEnv, program: string, ...args: readonly string[]) => {
  const { PATH } = process.env
  const env = { PATH, NO_COLOR: '1', ...variables }
  const options = { cwd: folder, encoding: 'utf8', env } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { status, output: stdout + stderr }
}

const run = (program: string, ...args: readonly string[]) => runWith({}, program, ...args)

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true })
  // A link would lead the runners to the modules of this repository.
  for (const name of ['package.json', 'dist', 'fixtures', 'scenarios', 'openapi'])
    cpSync(join(root, name), join(folder, 'node_modules', 'sandramp', name), { recursive: true })
  for (const name of ['vitest', '@playwright/test']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const writeTest = (file: string, entry: string): void =>
  writeFileSync(
    join(folder, file),
    `import * as kit from 'sandramp/${entry}'
    const { test } = kit
    const options = { readings: ['error.codes=status'] }
    if (kit.configure) kit.configure(options)
    else test.use({ sandbox: options })
    const pay = (world, overrides) => world.fetch('/payment/api/v1/payout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...world.build.payout(), ...overrides }),
    })
    test('pays once', async ({ world }) => {
      await pay(world)
      await world.expect({ payouts: {}, count: 1 })
    })
    test('pays twice', async ({ world }) => {
      await pay(world)
      await pay(world, { amount: 'x' })
      await world.expect({ payouts: {}, count: 2 })
    })`,
  )

test.each([
  ['vitest', 'a.test.js', [join('node_modules', 'vitest', 'vitest.mjs'), 'run']],
  ['playwright', 'b.spec.js', [join('node_modules', '@playwright', 'test', 'cli.js'), 'test', 'b']],
  ['node-test', 'c.js', ['--test', 'c.js']],
] as const)(
  'sandramp/%s gives each test a world with the configured readings, and reports the requests of a failed one',
  (entry, file, command) => {
    writeTest(file, entry)
    const { status, output } = run(process.execPath, ...command)
    rmSync(join(folder, file))
    expect(status).toBe(1)
    expect(output).toMatch(/1 passed|pass 1/)
    expect(output).toMatch(/1 failed|fail 1/)
    expect(output).toContain('World of the test "pays twice"')
    expect(output).toContain('POST createPayout  200\n')
    expect(output).toContain('POST createPayout  400  400 Invalid amount: got "x".')
    expect(output).toContain('MISSED  payouts: 1 (exactly 2)')
  },
)

test('the first test of the README fails with the report that it shows', () => {
  const [, program, report] = parseBlocks(readText('README.md'))
  writeFileSync(join(folder, 'shown.test.ts'), program?.text ?? '')
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  const { output } = run(process.execPath, vitest, 'run', 'shown', '--testTimeout=120000')
  const withoutIds = (text = '') => text.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f-]{27}|…)/g, 'id')
  expect(withoutIds(output)).toContain(withoutIds(report?.text))
  expect(output).toMatch(
    /^ {2}paid twice: 1,500\.00 NGN, .+ after the answer was lost, with a new id$/m,
  )
})

test('a test fails if no call takes what it armed, unless that is optional', () => {
  const test = (name: string, options: string) => `
    test('${name}', async ({ world }) => {
      await world.next('createPayout'${options}).loseResponse()
    })`
  const texts = [test('armed', ''), test('optional', ', { optional: true }')]
  writeFileSync(join(folder, 'd.js'), `import { test } from 'sandramp/node-test'${texts.join('')}`)
  const { output } = run(process.execPath, '--test', 'd.js')
  expect(output).toMatch(/pass 1\n.*fail 1\n/)
  const complaint = 'createPayout loseResponse was never taken; the client called nothing'
  expect(output).toContain(complaint)
})

test('sandramp/jest gives a test of a table its world and its row', () => {
  const program = `
    globalThis.test = (name, body) => {}
    globalThis.test.each = (rows) => (name, body) => rows.map((row) => body(...[row].flat()))
    globalThis.expect = { getState: () => ({ currentTestName: 'adds' }) }
    const { test: own, withWorld } = require('sandramp/jest')
    own.each([[1, 2]])('adds', async ({ world }, a, b) => console.log(world.name, a + b))
    test.each([3])('adds', withWorld(async (world, a) => console.log(world.name, a + 1)))
  `
  const { output } = run(process.execPath, '--input-type=commonjs', '-e', program)
  expect(output).toBe('adds 3\nadds 4\n')
})

test('a sandbox in process takes the variables of a server, and a failed test shows refused requests', () => {
  const listUsers = (name: string, key: string) => `
    test('${name}', async ({ world }) => {
      await world.fetch('/onboarding/api/v1/users/all', { headers: { 'x-api-key': ${key} } })
      const body = JSON.stringify(world.build.consent())
      const headers = { 'content-type': 'application/json', 'x-api-key': ${key} }
      const made = await world.fetch('/onboarding/api/v1/tnc', { method: 'POST', headers, body })
      if (made.status !== 201) throw new Error('no consent')
    })`
  const texts = [listUsers('right key', 'world.key'), listUsers('wrong key', "'undefined'")]
  writeFileSync(join(folder, 'e.js'), `import { test } from 'sandramp/node-test'${texts.join('')}`)
  const runTests = (readings: string) =>
    runWith({ SANDRAMP_READINGS: readings }, process.execPath, '--test', 'e.js').output
  const output = runTests('created.status=created')
  expect(output).toMatch(/pass 1\n.*fail 1\n/)
  expect(output).toContain('2 requests were refused: 403 4100 Invalid API key format')
  expect(runTests('payout.repeat')).toContain(
    'SANDRAMP_READINGS: Invalid reading: got "payout.repeat".',
  )
})

test('sandramp/jest names the world after the test, from CommonJS', () => {
  const program = `
    const tests = []
    globalThis.test = (name, body) => tests.push({ name, body })
    globalThis.expect = { getState: () => ({ currentTestName: 'suite pays once' }) }
    const { test } = require('sandramp/jest')
    test('pays once', async ({ world }) => console.log(world.name, (await world.audit()).ok))
    const [{ name, body }] = tests
    console.log(name, body.length)
    body()
  `
  const { output } = run(process.execPath, '--input-type=commonjs', '-e', program)
  expect(output).toBe('pays once 0\nsuite pays once true\n')
})
