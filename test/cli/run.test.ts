import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { payoutRequest } from '../support/requests.js'
import { CLI, isRunning, makeFolder, type Ran, runCli, startCli, startProgram } from './sandramp.js'
import { parseXml } from './xml.js'

const SCENARIO = `
name: bad-day
title: Payouts fail
rules:
  - when: payout.created
    then: [{ after: 30s, move: PAYOUT_FAILED, reason: limit_exceeded }]
  - when: request
    if: { operation: listUsers }
    limit: 1
    then: [{ respond: { status: 503 } }]
  - when: user.created
    then: [{ stop: true }]
expect:
  - { payouts: { status: PAYOUT_FAILED }, count: { lte: 1 } }
  - { requests: { operation: listUsers, status: 503 }, after: { payouts: {} } }
  - { audit: clean }
`.trimStart()

/** Pays once and prints the id, reads the users once, and prints what it was told. */
const PAY = `
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_CLOCK_URL: clock, SANDRAMP_SEED: seed } = process.env
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const body = ${JSON.stringify(JSON.stringify(payoutRequest()))}
const paid = await fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body })
const users = await fetch(url + '/onboarding/api/v1/users/all', { headers })
const { now } = await (await fetch(clock)).json()
const { id } = await paid.json()
console.log(JSON.stringify({ paid: paid.status, users: users.status, now, id, seed }))
`

const folderOf = (files: Record<string, string> = {}) =>
  makeFolder({ 'bad-day.yaml': SCENARIO, 'pay.mjs': PAY, ...files })

const told = ({ stdout }: Ran) => JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '{}')

const node = process.execPath

describe.concurrent('a run', () => {
  test('passes when the command and all expectations do', async () => {
    const cwd = folderOf()
    const ran = await runCli(['run', 'bad-day.yaml', '--seed', 's', '--', 'node', 'pay.mjs'], cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(told(ran)).toMatchObject({ paid: 200, users: 503, seed: 's' })
    expect(ran.stdout).toMatch(
      / {2}command {3}node pay\.mjs\n {12}exit code 0, \d\.\d{3} s, requests: 2\n/,
    )
    expect(ran.stdout).toContain('  fired     1 × bad-day/0  bad-day.yaml:4\n')
    expect(ran.stdout).toContain('            1 × bad-day/1  bad-day.yaml:6\n')
    expect(ran.stdout).toContain('  never     bad-day/2  bad-day.yaml:10\n')
    expect(ran.stdout).toMatch(/ok {8}at most 1 payout .* 1 was found {2}bad-day\.yaml:13$/m)
    expect(ran.stdout).toMatch(/\npassed\n$/)
  })

  test('fails when an expectation does, tells what came near, and can be repeated', async () => {
    const missed = SCENARIO.replace('{ audit: clean }', '{ payouts: { status: PAYOUT_PROCESSED } }')
    const cwd = folderOf({ 'bad-day.yaml': missed })
    const ran = await runCli(
      ['run', 'bad-day.yaml', '--clock', 'manual', '--', 'node', 'pay.mjs'],
      cwd,
    )
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    const { id, seed } = told(ran)
    expect(ran.stdout).toMatch(/MISSED {4}at least 1 payout .* 0 were found {2}bad-day\.yaml:15$/m)
    expect(ran.stdout).toContain(`payout ${id.slice(0, 8)}… PAYOUT_FAILED\n`)
    expect(ran.stdout).toContain('status: wanted PAYOUT_PROCESSED, came PAYOUT_FAILED\n')
    expect(ran.stdout).toContain('\nFAILED: 1 of 3 expectations missed\n')
    const repeat = /^repeat it exactly:\n {2}(.*)\n$/m.exec(ran.stdout)?.[1] ?? ''
    expect(repeat).toBe(
      `node ${CLI} run bad-day.yaml --seed ${seed} --clock manual -- node pay.mjs`,
    )
    const again = await startProgram('sh', ['-c', repeat], cwd).ended
    expect(told(again), again.stdout + again.stderr).toEqual(told(ran))
    expect(again.code).toBe(1)
  })

  test('fails when the command does', async () => {
    const ran = await runCli(['run', 'happy-path', '--', node, '-e', 'process.exit(3)'])
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('\nFAILED: the command: exit code 3\n')
    expect(ran.stdout).toContain(`-- ${node} -e 'process.exit(3)'\n`)
  })

  test('reads what the contract leaves open as it is told, and can be repeated so', async () => {
    const script = `
      const answer = await fetch(process.env.SANDRAMP_URL + '/_sandbox/assumptions/payout.repeat')
      process.exit((await answer.json()).active === 'conflict' ? 7 : 0)`
    const flags = ['--reading', 'payout.repeat=conflict', '--reading', 'users.list=paged']
    const ran = await runCli(['run', 'happy-path', ...flags, '--', node, '-e', script])
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain('exit code 7')
    expect(ran.stdout).toContain(flags.join(' '))
  })

  test('fails when the command is killed', async () => {
    const ran = await runCli(['run', 'happy-path', '--', 'sh', '-c', 'kill -KILL $$'])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('\nFAILED: the command: killed by SIGKILL\n')
  })

  test('counts what a client did that gave up while a rule made it wait', async () => {
    const delayed = `
name: late
title: The answer takes minutes
rules:
  - when: request
    if: { operation: createPayout }
    then: [{ delay_ms: 300000 }]
expect:
  - { requests: { operation: createPayout, status: 200 }, count: 1 }
  - { payouts: { status: PAYOUT_PROCESSED }, count: 1 }
`
    const leave = `
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key } = process.env
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const body = ${JSON.stringify(JSON.stringify(payoutRequest()))}
fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body })
for (let command = ''; command !== 'rule.fire'; ) {
  const { items } = await (await fetch(url + '/_sandbox/journal?size=1')).json()
  command = items[0].command
}
process.exit(0)`
    const cwd = folderOf({ 'late.yaml': delayed, 'leave.mjs': leave })
    const ran = await runCli(['run', 'late.yaml', '--', 'node', 'leave.mjs'], cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
  })

  test('tells which steps were passed over, and why', async () => {
    const rules = '  - when: payout.moved\n    then: [{ move: PAYOUT_FAILED }]\n'
    const cwd = folderOf({ 'over.yaml': `name: over\ntitle: Too late\nrules:\n${rules}` })
    const { code, stdout } = await runCli(['run', 'over.yaml', '--', 'node', 'pay.mjs'], cwd)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(
      /\n {2}refused {3}1 × a step of over\/0 {2}over\.yaml:4\n {14}payout .* is PAYOUT_PROCESSED and cannot/,
    )
  })

  test('fails when timers never come to rest, and names the rule', async () => {
    const rules = [
      '  - when: payout.created',
      '    then: [{ after: 1h, credit: {} }]',
      '  - when: balance.credited',
      '    then: [{ credit: { currency: USD, amount: 1 } }]',
    ].join('\n')
    const endless = `name: endless\ntitle: Never at rest\nrules:\n${rules}\n`
    const cwd = folderOf({ 'endless.yaml': endless })
    const ran = await runCli(['run', 'endless.yaml', '--', 'node', 'pay.mjs'], cwd)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/FAILED {4}rule 1 of scenario endless \(endless\.yaml:6\) was still/)
    expect(ran.stdout).toContain('\nFAILED: timers did not come to rest\n')
  })

  test('fails when a rule had to be stopped while the command ran', async () => {
    const rules = `
  - when: payout.created
    then: [{ credit: {} }]
  - when: balance.credited
    then: [{ credit: { currency: USD, amount: 1 } }]`
    const endless = `name: endless\ntitle: Never at rest\nrules:${rules}\n`
    const cwd = folderOf({ 'endless.yaml': endless })
    const ran = await runCli(['run', 'endless.yaml', '--', 'sh', '-c', 'node pay.mjs; true'], cwd)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain(
      'rule 1 of scenario endless (endless.yaml:6) kept setting off timers',
    )
  })

  test('writes a report in the form of JUnit', async () => {
    const missed = SCENARIO.replace('{ audit: clean }', '{ users: { last_name: "<A & \\"B\\">" } }')
    const cwd = folderOf({ 'bad-day.yaml': missed })
    const command = [node, '-e', '/* <&>\t"\u0007" */ process.exit(1)']
    const ran = await runCli(
      ['run', 'bad-day.yaml', '--junit', 'out/report.xml', '--', ...command],
      cwd,
    )
    expect(ran.code).toBe(1)
    const root = parseXml(readFileSync(join(cwd, 'out', 'report.xml'), 'utf8'))
    expect(root).toMatchObject({ name: 'testsuites', attributes: { tests: '4', failures: '3' } })
    const cases = root.children[0]?.children.filter(({ name }) => name === 'testcase') ?? []
    expect(cases.map(({ attributes }) => attributes)).toMatchObject([
      { classname: 'sandramp.command', name: expect.stringContaining('/* <&>\t"\ufffd" */') },
      { classname: 'sandramp.bad-day', file: 'bad-day.yaml', line: '13' },
      { classname: 'sandramp.bad-day', file: 'bad-day.yaml', line: '14' },
      {
        classname: 'sandramp.bad-day',
        name: 'at least 1 user with last_name "<A & \\"B\\">" was expected',
      },
    ])
    const messages = cases.map(({ children }) => children[0]?.attributes.message)
    const missing = expect.stringMatching(/, 0 were found$/)
    expect(messages).toEqual(['exit code 1', undefined, missing, missing])
  })

  test.each([
    ['run', 'happy-path', '--junit', 'out/report.xml', '--report', 'out/questions.md'],
    ['readings', '--junit', 'out/report.xml'],
  ])('writes its reports though the command clears their folder away: %s', async (...args) => {
    const cwd = folderOf()
    const ran = await runCli([...args, '--', 'rm', '-r', 'out'], cwd)
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(join(cwd, 'out', 'report.xml'), 'utf8')).toContain('</testsuites>')
  })

  test('tells where its scenarios lie as they were given', async () => {
    const cwd = folderOf()
    mkdirSync(join(cwd, 'qa'))
    writeFileSync(join(cwd, 'qa', 'day.yaml'), SCENARIO)
    const args = ['run', 'qa/day.yaml', '--junit', 'report.xml', '--', 'node', 'pay.mjs']
    const { stdout } = await runCli(args, cwd)
    for (const place of [
      'bad-day/0  qa/day.yaml:4',
      'bad-day/2  qa/day.yaml:10',
      ' qa/day.yaml:15',
    ])
      expect(stdout).toContain(`${place}\n`)
    expect(stdout).not.toMatch(/ {2}day\.yaml/)
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain(' file="qa/day.yaml" line="13"')
  })

  test.each([['run', 'happy-path'], ['readings']])(
    'says that it looks at no world by key: %s',
    async (...args) => {
      const key = 'SandboxWorldOfATestAlone00000001'
      const read = `await fetch(process.env.SANDRAMP_URL + '/onboarding/api/v1/users/all', { headers: { 'x-api-key': '${key}' } })`
      const { stdout } = await runCli([...args, '--', node, '--input-type=module', '-e', read])
      expect(stdout).toMatch(/requests: 0\n {12}worlds by key: 1, of which nothing is counted or/)
      const { stdout: other } = await runCli([...args, '--', 'true'])
      expect(other).not.toContain('worlds by key')
    },
  )

  test('writes to what stands in place of a file, and leaves it there', async () => {
    const cwd = folderOf()
    symlinkSync('report.xml', join(cwd, 'link'))
    const ran = await runCli(['run', 'happy-path', '--junit', 'link', '--', 'true'], cwd)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('</testsuites>')
  })

  test('fails when a report cannot be written in the end, and writes the others', async () => {
    const files = ['--junit', 'report.xml', '--report', 'questions.md']
    const cwd = folderOf()
    const ran = await runCli(['run', 'happy-path', ...files, '--', 'mkdir', 'report.xml'], cwd)
    expect(ran).toMatchObject({
      code: 1,
      stderr: 'sandramp: --junit: report.xml cannot be written: it is a folder\n',
    })
    expect(readFileSync(join(cwd, 'questions.md'), 'utf8')).toMatch(/^# Open questions/)
  })
})

describe.concurrent('the questions of a run', () => {
  test.each([
    ['questions.md', /^# Open questions of our integration\n/],
    ['out/questions.html', /^<!doctype html>\n/],
    ['questions.JSON', /^\{\n {2}"at": /],
  ])('are written to %s', async (file, beginning) => {
    const cwd = folderOf()
    const ran = await runCli(
      ['run', 'bad-day.yaml', '--report', file, '--', 'node', 'pay.mjs'],
      cwd,
    )
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/\n {2}questions \d+ open \(\d+ high, .*\): \S+\n\npassed\n$/)
    expect(ran.stdout).toContain(`: ${file}\n`)
    expect(readFileSync(join(cwd, file), 'utf8')).toMatch(beginning)
  })

  test('are told apart from those that are settled, and from what --strict refuses', async () => {
    const answers = 'payout.fee: { reading: on_top, said_by: Support, when: 2026-05-04 }'
    const cwd = folderOf({ 'answers.yaml': answers })
    const flags = ['--strict', '--readings', 'answers.yaml', '--report', 'q.md']
    const ran = await runCli(['run', 'magic-values', ...flags, '--', 'node', 'pay.mjs'], cwd)
    expect(told(ran)).toMatchObject({ paid: 501 })
    expect(ran.stdout).toMatch(/ {2}questions \d+ open \(.*\), 1 settled: q\.md\n/)
  })
})

describe.concurrent('what cannot be used', () => {
  const broken = SCENARIO.replace('PAYOUT_FAILED }', 'PAYOUT_FALED }')
  const files = { 'broken.yaml': broken, 'no-program': 'x' }
  const touch = ['--', 'touch', 'ran']

  test.each<[string, string[], ...string[]]>([
    ['no scenario', touch, 'no scenario came; accepted: sandramp run <scenario…> -- <command…>'],
    ['no --', ['bad-day.yaml'], 'no command came behind --'],
    ['nothing behind --', ['bad-day.yaml', '--'], 'no command came behind --'],
    ['an unknown flag', ['bad-day.yaml', '--jnit', 'x', ...touch], 'did you mean --junit?'],
    [
      'a flag of start',
      ['bad-day.yaml', '--host', 'x', ...touch],
      'unknown flag --host; sandramp start has it',
    ],
    ['a timeout', ['bad-day.yaml', '--timeout', 'soon', ...touch], '--timeout: "soon" came'],
    ['a timeout of nothing', ['bad-day.yaml', '--timeout', '0s', ...touch], 'above zero'],
    ['a port', ['bad-day.yaml', '--port', 'x', ...touch], '--port: "x" came'],
    ['a clock', ['bad-day.yaml', '--clock', 'x', ...touch], '--clock: "x" came'],
    ['a folder', ['.', ...touch], '. cannot be read: it is a folder; accepted: a scenario'],
    ['an unknown scenario', ['hapy-path', ...touch], 'did you mean happy-path?'],
    [
      'an unknown assumption',
      ['bad-day.yaml', '--reading', 'payout.repaet=x', ...touch],
      '--reading: "payout.repaet"',
      'did you mean payout.repeat?',
    ],
    ['a broken scenario', ['broken.yaml', ...touch], 'broken.yaml:13:', 'mean PAYOUT_FAILED?'],
    [
      'two of one name',
      ['bad-day.yaml', './bad-day.yaml', ...touch],
      'two scenarios are named bad-day, bad-day.yaml and ./bad-day.yaml; accepted: each name once',
    ],
    [
      'a report within a file',
      ['bad-day.yaml', '--junit', 'broken.yaml/x', ...touch],
      '--junit: broken.yaml/x cannot be written: a folder on the way to it is a file; accepted: ',
    ],
    [
      'a folder in place of a report',
      ['bad-day.yaml', '--junit', '.', ...touch],
      '--junit: . cannot be written: it is a folder; accepted: the path of a file',
    ],
    ['a form of questions', ['bad-day.yaml', '--report', 'q.pdf', ...touch], '.md, .html, .json'],
    [
      'a page',
      ['bad-day.yaml', '--report', 'broken.yaml/q.md', ...touch],
      '--report: broken.yaml/q',
    ],
    ['no such command', ['bad-day.yaml', '--', 'no-such'], 'there is no command no-such'],
    ['a command', ['bad-day.yaml', '--', './no-program'], './no-program cannot be executed'],
  ])('%s: exit code 2, and the command never ran', async (_, args, ...words) => {
    const cwd = folderOf(files)
    const ran = await runCli(['run', ...args], cwd)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    for (const word of words) expect(ran.stderr).toContain(word)
    expect(() => readFileSync(join(cwd, 'ran'))).toThrow('ENOENT')
  })

  test('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const args = ['run', 'bad-day.yaml', '--port', String(port), ...touch]
    const ran = await runCli(args, folderOf())
    server.close()
    const said = `sandramp: --port: port ${port} is taken; accepted: another, or 0 for a free one\n`
    expect(ran).toMatchObject({ code: 2, stderr: said })
  })
})

/** Prints its pid and that of a child of its own, and would go on for ever. */
const FAMILY = 'sleep 600 & echo "child $! of $$ ready"; wait'
/** The same, but deaf to signals that ask; a child inherits that. */
const DEAF = `trap '' INT TERM HUP; ${FAMILY}`

const READY = /child (\d+) of \d+ ready/

describe.concurrent('no process is left', () => {
  const gone = (pid: string) => vi.waitUntil(() => !isRunning(Number(pid)), { timeout: 60_000 })

  test('by a command that has ended', async () => {
    const command = ['sh', '-c', 'sleep 600 & echo "child $! of $$ ready"']
    const { printed, ended } = startCli(['run', 'happy-path', '--', ...command])
    const pid = await printed(READY)
    expect((await ended).code).toBe(0)
    await gone(pid)
  })

  test.runIf(process.platform === 'linux')('by a daemon that left the group', async () => {
    const daemon = `setsid sh -c 'sleep 600 >/dev/null 2>&1 & echo "child $! of $$ ready"'`
    const { printed, ended } = startCli(['run', 'happy-path', '--', 'sh', '-c', daemon])
    const pid = await printed(READY)
    expect((await ended).code).toBe(0)
    await gone(pid)
  })

  test('by a command that takes too long', async () => {
    const args = ['run', 'happy-path', '--timeout', '1s', '--', 'sh', '-c', FAMILY]
    const { printed, ended } = startCli(args)
    const pid = await printed(READY)
    const { code, stdout } = await ended
    expect(code).toBe(1)
    expect(stdout).toContain('FAILED: the command: ended after 1s, its --timeout\n')
    expect(stdout).toContain('--timeout 1s -- sh -c')
    await gone(pid)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s, which is passed on', async (signal, expected) => {
    const { child, printed, ended } = startCli(['run', 'happy-path', '--', 'sh', '-c', FAMILY])
    const pid = await printed(READY)
    child.kill(signal)
    const { code, stderr } = await ended
    expect(code).toBe(expected)
    expect(stderr).toContain(`${signal} came`)
    await gone(pid)
  })

  test('after a second signal, by a command that is deaf to the first', async () => {
    const { child, printed, ended } = startCli(['run', 'happy-path', '--', 'sh', '-c', DEAF])
    const pid = await printed(READY)
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect([130, 143]).toContain((await ended).code)
    await gone(pid)
  })

  test('when sandramp itself is killed', async () => {
    // By the time that it answers a request, it has seen to everything.
    const script = `const { spawn } = require('node:child_process')
      const { pid } = spawn('sleep', ['600'], { stdio: 'inherit' })
      fetch(process.env.SANDRAMP_URL + '/_sandbox/health').then(() => {
        console.log('child ' + pid + ' of ' + process.pid + ' ready')
      })`
    const { child, printed, ended } = startCli(['run', 'happy-path', '--', node, '-e', script])
    const pid = await printed(READY)
    child.kill('SIGKILL')
    await gone(pid)
    await ended
  })
})

describe.concurrent('sandramp scenarios', () => {
  test('lists what is shipped', async () => {
    const { code, stdout } = await runCli(['scenarios'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^happy-path +\S.*$/m)
  })

  test('checks files', async () => {
    const cwd = folderOf()
    writeFileSync(join(cwd, 'broken.yaml'), SCENARIO.replace('PAYOUT_FAILED }', 'FAILED }'))
    expect(await runCli(['scenarios', 'bad-day.yaml'], cwd)).toEqual({
      code: 0,
      stdout: 'ok      bad-day.yaml\n',
      stderr: '',
    })
    const { code, stdout } = await runCli(['scenarios', 'broken.yaml', 'bad-day.yaml', 'nope'], cwd)
    expect(code).toBe(2)
    expect(stdout).toMatch(/^broken {2}broken\.yaml\n {10}broken\.yaml:13:\d+: expect\.0\.payouts/)
    expect(stdout).toMatch(/\nok {6}bad-day\.yaml\nbroken {2}nope\n {10}no scenario and no file/)
  })
})

describe.concurrent('the command line', () => {
  test.each([
    [['--help'], 'Usage: sandramp [start] [flags]'],
    [['help'], 'Usage: sandramp [start] [flags]'],
    [['help', 'start'], 'Usage: sandramp [start] [flags]'],
    [['help', 'run'], 'Usage: sandramp run <scenario…>'],
    [['help', 'readings'], 'Usage: sandramp readings [<scenario…>]'],
    [['help', 'scenarios'], 'Usage: sandramp scenarios'],
    [['run', '--help'], 'Usage: sandramp run <scenario…>'],
    [['readings', '--help'], 'Usage: sandramp readings [<scenario…>]'],
    [['scenarios', '--help'], 'Usage: sandramp scenarios'],
    [['--version'], '0.'],
  ])('%j', async (args, words) => {
    const ran = await runCli(args)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(words)
  })

  test.each([
    [
      ['rnu'],
      'unknown command rnu; accepted: start, run, readings, scenarios, help; did you mean run?',
    ],
    [['help', 'rnu'], 'unknown command rnu; accepted: start, run, readings, scenarios, help; did'],
    [['help', 'run', 'readings'], 'unexpected "readings"; help takes one command'],
    [['--port', '1', '--port=2'], '--port came twice; accepted: once'],
    [['--junit', 'x'], 'unknown flag --junit; sandramp run and sandramp readings have it'],
    [['--scenario', '.'], '--scenario: . cannot be read: it is a folder; accepted: a scenario'],
    [['--scenario', 'no'], '--scenario: no scenario and no file is named no; accepted: a file'],
    [['--readings', '.'], '--readings: . cannot be read: it is a folder; accepted: a file of'],
    [['--fixtures', 'no'], '--fixtures: no is not a folder; accepted: a folder of fixtures'],
    [['--api-key', 'short'], '--api-key: 5 characters came; accepted: exactly 32'],
    [['--control-token', 'a b'], '--control-token: 3 characters came; accepted: visible ASCII'],
    [['--port', '0', '--host', '192.0.2.1'], '--host: "192.0.2.1" is no address of this machine'],
    [['--seed', 's', 'run'], 'run goes before its flags'],
    [['start', '--', 'now'], 'unexpected "now"; start takes flags only'],
    [['scenarios', '--all'], 'unknown flag --all; sandramp readings has it'],
    [['--reading', 'payout.fee'], 'accepted: <id>=<reading>, such as payout.repeat=conflict'],
    [['--reading', 'payout.fee=free'], 'payout.fee: "free" came; accepted: on_top, deducted'],
  ])('%j is refused', async (args, words) => {
    const ran = await runCli(args)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(words)
  })

  test.each<[Record<string, string>, string]>([
    [{ PORT: 'abc' }, 'PORT: "abc" came; accepted: a number from 0 to 65535'],
    [{ PORT: '0', HOST: '192.0.2.1' }, 'HOST: "192.0.2.1" is no address of this machine; accepted'],
    [{ SANDRAMP_CLOCK: 'x' }, 'SANDRAMP_CLOCK: "x" came; accepted: real, manual, or a speed'],
    [{ SANDRAMP_API_KEY: 'short' }, 'SANDRAMP_API_KEY: 5 characters came; accepted: exactly 32'],
    [{ SANDRAMP_SCENARIOS: 'no' }, 'SANDRAMP_SCENARIOS: no scenario and no file is named no;'],
    [{ SANDRAMP_READINGS: 'x' }, 'SANDRAMP_READINGS: "x" came; accepted: <id>=<reading>'],
    [{ SANDRAMP_READINGS_FILE: '.' }, 'SANDRAMP_READINGS_FILE: . cannot be read: it is a folder'],
    [{ SANDRAMP_DATA: '.' }, 'SANDRAMP_DATA: . is not a file; accepted: the path of a file'],
  ])('%j is refused under that name', async (env, words) => {
    const ran = await runCli([], makeFolder(), env)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^sandramp: [A-Z_]+: /)
    expect(ran.stderr).toContain(`sandramp: ${words}`)
  })
})
