import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { missing } from '../support/invalid.js'
import { runHere } from './run-in-process.js'
import { folderOf, SHORT_SCENARIO } from './sample-scenario.js'
import { parseXml } from './xml.js'

const CLEAN = `
name: clean-day
title: Payouts are processed
rules: [{ when: payout.created, then: [{ move: PAYOUT_PROCESSED }] }]
expect: [{ payouts: { status: PAYOUT_PROCESSED }, count: 1 }]
`.trimStart()

/** The scenarios expect different outcomes of the payout: they cannot pass in one sandbox. */
const folder = (files: Record<string, string> = {}) => {
  const cwd = folderOf(files)
  mkdirSync(join(cwd, 'qa'))
  writeFileSync(join(cwd, 'qa', 'bad.yaml'), SHORT_SCENARIO)
  writeFileSync(join(cwd, 'qa', 'clean.yaml'), CLEAN)
  return cwd
}

const pay = ['--', 'node', 'pay.mjs']

describe('sandramp run --each', () => {
  test('runs each file of a pattern in its own sandbox', async () => {
    const cwd = folder()
    const args = ['run', '--each', 'qa/*.yaml', '--jobs', '2', '--junit', 'all.xml', ...pay]
    const ran = await runHere(args, cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/^ {2}passed {2}bad-day {4}[\d.]+ s {2}requests: 2$/m)
    expect(ran.stdout).toMatch(/^ {2}passed {2}clean-day {2}[\d.]+ s {2}requests: 2$/m)
    expect(ran.stdout).toMatch(/\npassed: 2 of 2 cases\n$/)
    const root = parseXml(readFileSync(join(cwd, 'all.xml'), 'utf8'))
    expect(root.attributes).toMatchObject({ tests: '4', failures: '0' })
    const suites = root.children.map(({ attributes }) => attributes.name)
    expect(suites).toEqual(['bad-day', 'clean-day'])
  })

  test('finds the files below ** without following links that lead back up', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'qa', 'node_modules'))
    writeFileSync(join(cwd, 'qa', 'node_modules', 'other.yaml'), CLEAN)
    symlinkSync('..', join(cwd, 'qa', 'up'))
    symlinkSync('../qa/bad.yaml', join(cwd, 'qa', 'same.yaml'))
    symlinkSync('loop', join(cwd, 'qa', 'loop'))
    const list = async (pattern: string) => {
      const ran = await runHere(['run', '--each', pattern, '--allow-idle', '--', 'true'], cwd)
      return [...ran.stdout.matchAll(/ run (\S+) --seed/g)].map(([, file]) => file).sort()
    }
    const found = ['bad-day.yaml', 'qa/bad.yaml', 'qa/clean.yaml', 'qa/same.yaml']
    expect(await list('**/*.yaml')).toEqual(found)
    expect(await list('qa/**/node_modules/*.yaml')).toEqual(['qa/node_modules/other.yaml'])
  })

  test.skipIf(process.getuid?.() === 0)('skips an unreadable folder in one line', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'locked'), { mode: 0 })
    const ran = await runHere(['run', '--each', '**/clean.yaml', ...pay], cwd)
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('sandramp: locked is skipped: this user has no right to it\n')
    expect(ran.stderr.match(/locked/g)).toHaveLength(1)
  })

  test('exits with 3 and prints the report of the case that misses an expectation', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'qa', 'clean.yaml'), CLEAN.replace('count: 1', 'count: 2'))
    const ran = await runHere(['run', '--each', 'qa/bad.yaml', 'qa/clean.yaml', ...pay], cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 3 })
    expect(ran.stdout).toMatch(/^ {2}FAILED {2}clean-day .* 1 of 1 expectations missed$/m)
    expect(ran.stdout).toContain('MISSED    payouts with status PAYOUT_PROCESSED: 1 (exactly 2)')
    expect(ran.stdout).toMatch(/repeat it exactly:\n {2}.* run qa\/clean\.yaml --seed /)
    expect(ran.stdout).toMatch(/\nFAILED: 1 of 2 cases\n$/)
  })

  test.each<[string[], string]>([
    [['--each', 'qa/*.yml'], 'No file matches qa/*.yml.'],
    [['--each', 'qa/*.yaml', '--port', '1'], '--port was given for several cases'],
    [['--each', 'qa/*.yaml', '--suite', 's.yaml'], '--each was given with --suite'],
    [['--suite', 's.yaml', 'qa/bad.yaml'], 'qa/bad.yaml was given with --suite'],
    [['--suite', 's.yaml'], `s.yaml:1:9: ${missing('cases.0.scenario')}`],
    [['--suite', 'slow.yaml'], 'above zero, at most 24d.'],
    [['--suite', 'none.yaml'], 'none.yaml cannot be read'],
    [['--each'], missing('scenario')],
    [['--each', 'qa/*.yaml', '--', 'no-such'], 'command not found: no-such'],
  ])('rejects %j', async (args, words) => {
    const cwd = folder({
      's.yaml': 'cases: [{ scenaro: qa/bad.yaml }]\n',
      'slow.yaml': 'cases: [{ scenario: qa/bad.yaml, timeout: 30d }]\n',
    })
    const ran = await runHere(['run', ...args, ...(args.includes('--') ? [] : pay)], cwd)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(words)
  })
})

describe('sandramp run --suite', () => {
  const SUITE = `
cases:
  - scenario: bad.yaml
    env: { GREETING: hello, TIMES: 2 }
    readings: { payout.fee: deducted }
    clock: manual
    timeout: 60s
  - name: three seeds
    scenario: [clean.yaml]
    seeds: 3
`
  const SAY = `
await import('./pay.mjs')
const { GREETING, TIMES, SANDRAMP_URL } = process.env
const { active } = await (await fetch(SANDRAMP_URL + '/_sandbox/assumptions/payout.fee')).json()
const { mode } = await (await fetch(process.env.SANDRAMP_CLOCK_URL)).json()
console.log('said', GREETING, TIMES, active, mode)
process.exit(GREETING ? 5 : 0)`

  test('runs each case with its own settings, once per seed', async () => {
    const cwd = folder({ 'say.mjs': SAY })
    writeFileSync(join(cwd, 'qa', 'suite.yaml'), SUITE)
    const suite = ['--suite', 'qa/suite.yaml', '--junit', 'r.xml']
    const args = ['run', ...suite, '--seed', 's', '--', 'node', 'say.mjs']
    const ran = await runHere(args, cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain('said hello 2 deducted manual')
    expect(ran.stdout).toMatch(/^ {2}FAILED {2}bad-day .* the command: exit code 5$/m)
    expect(ran.stdout).toMatch(/^ {2}passed {2}three seeds .* requests: 6 {2}seeds: 3$/m)
    expect(ran.stdout).toMatch(
      / {2}GREETING=hello TIMES=2 \S+ \S+ run qa\/bad\.yaml --seed s --timeout 60s --clock manual --reading payout\.fee=deducted -- node say\.mjs\n/,
    )
    const suites = parseXml(readFileSync(join(cwd, 'r.xml'), 'utf8')).children
    const bad = 'bad-day GREETING=hello TIMES=2 payout.fee=deducted clock=manual'
    const three = [1, 2, 3].map((n) => `three seeds (seed ${n} of 3)`)
    expect(suites.map(({ attributes }) => attributes.name)).toEqual([bad, ...three])
    const cases = suites.flatMap(({ children }) =>
      children.filter(({ name }) => name === 'testcase'),
    )
    const names = cases.map(({ attributes }) => `${attributes.classname} ${attributes.name}`)
    expect(names).toContain(`sandramp.command ${bad}: node say.mjs`)
    expect(new Set(names).size).toBe(names.length)
    const properties = suites[0]?.children[0]?.children.map(({ attributes }) => attributes)
    expect(properties).toEqual([
      { name: 'seed', value: 's' },
      { name: 'scenario', value: 'bad-day' },
      { name: 'readings', value: 'payout.fee=deducted' },
    ])
  })
})

test('the JUnit report names the scenario, unfired and refused rules, and the number of requests', async () => {
  const rules = `
  - when: payout.moved
    then: [{ move: PAYOUT_FAILED }]
  - when: user.created
    then: [{ stop: true }]`
  const text = `name: odd\ntitle: Odd\nrules:${rules}\nexpect: [{ audit: clean }]\n`
  const cwd = folderOf({ 'odd.yaml': text })
  await runHere(['run', 'odd.yaml', '--junit', 'r.xml', ...pay], cwd)
  const [suite] = parseXml(readFileSync(join(cwd, 'r.xml'), 'utf8')).children
  const [, command, audit] = suite?.children ?? []
  expect(command?.attributes.name).toBe('odd: node pay.mjs')
  expect(audit?.attributes.name).toBe('odd: audit: clean')
  const said = command?.children[0]
  expect(said?.name).toBe('system-out')
  expect(said?.text).toContain('requests: 2\n')
  expect(said?.text).toContain(' × odd/0 odd.yaml:4')
  expect(said?.text).toContain('never fired: odd/1 odd.yaml:6')
  expect(said?.text).toMatch(/refused: 1 × a step of odd\/0 odd\.yaml:4: payout .* cannot become/)
})
