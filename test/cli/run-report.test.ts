import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { payoutRequest } from '../support/requests.js'
import { runHere } from './run-in-process.js'
import { folderOf, SCENARIO, SHORT_SCENARIO } from './sample-scenario.js'
import { parseXml } from './xml.js'

const node = process.execPath

describe('the report of a run', () => {
  test.each([
    ['exits with 3', [node, '-e', 'process.exit(3)'], 'exit code 3'],
    ['is killed', ['sh', '-c', 'kill -KILL $$'], 'killed by SIGKILL'],
  ])('fails when the command %s', async (_, command, words) => {
    const ran = await runHere(['run', 'happy-path', '--', ...command])
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain(`\nFAILED: the command: ${words}\n`)
  })

  test.each([
    [
      1,
      1,
      'ok        createPayout requests, each trouble repaired: 1 (at least 1), 1 of 1 trouble not repaired, as the command failed',
    ],
    [
      0,
      3,
      'MISSED    createPayout requests, each trouble repaired: 1 (at least 1), 1 of 1 trouble not repaired',
    ],
  ])('excuses a command with exit code %i from repairs, or not', async (exit, code, line) => {
    const pay = `import { fetch } from './fetch.mjs'
await fetch(process.env.SANDRAMP_URL + '/payment/api/v1/payout', {
  method: 'POST',
  headers: { 'x-api-key': process.env.SANDRAMP_API_KEY, 'content-type': 'application/json' },
  body: '${JSON.stringify(payoutRequest())}',
})
process.exitCode = ${exit}`
    const limited = `name: limited
title: The first payout gets 429
rules:
  - { when: request, if: { operation: createPayout }, limit: 1, then: [{ respond: { status: 429 } }] }
expect:
  - { requests: { operation: createPayout }, repaired: true }
`
    const cwd = folderOf({ 'pay.mjs': pay, 'limited.yaml': limited })
    const ran = await runHere(['run', 'limited.yaml', '--', 'node', 'pay.mjs'], cwd)
    expect(ran, ran.stdout).toMatchObject({ code, stderr: '' })
    expect(ran.stdout).toContain(line)
  })

  test('misses a call that the command armed and nothing took', async () => {
    const body = JSON.stringify({ operation: 'createPayout', then: { drop: 'after' } })
    const arm = `import { fetch } from './fetch.mjs'
for (const path of ['/_sandbox/next', '/onboarding/api/v1/users/all'])
  await fetch(process.env.SANDRAMP_URL + path, {
    headers: { 'x-api-key': process.env.SANDRAMP_API_KEY, 'content-type': 'application/json' },
    ...(path.endsWith('next') && { method: 'POST', body: '${body}' }),
  })`
    const ran = await runHere(['run', '--', 'node', 'arm.mjs'], folderOf({ 'arm.mjs': arm }))
    expect(ran).toMatchObject({ code: 3, stderr: '' })
    expect(ran.stdout).toContain(
      'MISSED    createPayout loseResponse was never taken; the client called listUsers  armed as',
    )
  })

  test('passes without a scenario if the audit of every world is clean, rejections or not', async () => {
    const pay = (key: string, amount: string) => `
await fetch(process.env.SANDRAMP_URL + '/payment/api/v1/payout', {
  method: 'POST',
  headers: { 'x-api-key': '${key}', 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(payoutRequest())}).replace('1500.00', '${amount}'),
})`
    const keys = ['SandboxWorldOfATestAlone00000001', 'SandboxWorldOfATestAlone00000002']
    const pays = keys.map((key) => pay(key, '1500.00') + pay(key, '99999999.00'))
    const files = { 'pay.mjs': `import { fetch } from './fetch.mjs'${pays.join('')}` }
    const cwd = folderOf(files)
    for (const scenarios of [[], ['happy-path']]) {
      const args = ['run', ...scenarios, '--junit', 'r.xml', '--', 'node', 'pay.mjs']
      const ran = await runHere(args, cwd)
      expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain(`${['\nsandramp run', ...scenarios].join(' ')}\n`)
      expect(ran.stdout).toMatch(/requests: 4\n {12}worlds by key: 2\n/)
      expect(ran.stdout).toMatch(/ {2}ok {8}.*2 worlds.* {2}happy-path\.yaml:\d+\n/)
      expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('tests="2" failures="0"')
    }
  })

  test('applies --reading, and repeats it in the command to run again', async () => {
    const script = `
      const answer = await fetch(process.env.SANDRAMP_URL + '/_sandbox/assumptions/payout.repeat')
      process.exit((await answer.json()).active === 'conflict' ? 7 : 0)`
    const flags = ['--reading', 'payout.repeat=conflict', '--reading', 'users.list=paged']
    const ran = await runHere(['run', 'happy-path', ...flags, '--', node, '-e', script])
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain('exit code 7')
    expect(ran.stdout).toContain(flags.join(' '))
  })

  test('contains no API key', async () => {
    const key = 'OurOwnKeyForSomeTests00000000001'
    const files = ['--junit', 'report.xml', '--report', 'questions.json']
    const command = ['--', 'sh', '-c', 'test "$SANDRAMP_API_KEY" != "$WANTED"']
    for (const [flags, env] of [
      [['--api-key', key], {}],
      [[], { SANDRAMP_API_KEY: key }],
    ] as const) {
      const cwd = folderOf()
      const args = ['run', 'happy-path', '--seed', '-1', ...flags, ...files, ...command]
      vi.stubEnv('WANTED', key)
      const ran = await runHere(args, cwd, env)
      vi.unstubAllEnvs()
      expect(ran.code).toBe(1)
      expect(ran.stdout).toContain(
        ` --seed=-1 --api-key "$\{SANDRAMP_API_KEY:-AnyKeyWillDoHere0000000000000001}" -- sh -c `,
      )
      const written = ['report.xml', 'questions.json'].map((it) =>
        readFileSync(join(cwd, it), 'utf8'),
      )
      expect([ran.stdout, ran.stderr, ...written].join('\n')).not.toContain(key)
    }
  })

  test('logs only the requests of the command', async () => {
    const cwd = folderOf()
    const flags = ['--log', 'json', '--report', 'q.md']
    const ran = await runHere(['run', 'bad-day.yaml', ...flags, '--', 'node', 'pay.mjs'], cwd)
    const logged = [...ran.stdout.matchAll(/^\{"time".*\}$/gm)].map(([line]) => JSON.parse(line))
    expect(logged.map(({ operation }) => operation)).toEqual([
      'createPayout',
      'listUsers',
      'getClock',
    ])
    const paid = { record: expect.stringMatching(/^payout [\da-f-]{36}$/), amount: '1500.00 NGN' }
    expect(logged[0]).toMatchObject(paid)
  })

  test('names the steps that came after the command, where it missed a request', async () => {
    const expected = `expect:
  - { requests: { operation: createPayout, response: { status: PAYOUT_FAILED } } }
  - { users: {} }`
    const cwd = folderOf({
      'bad-day.yaml': SCENARIO.replace(/expect:[\s\S]*/, expected),
      'see.mjs': `import './pay.mjs'
import { fetch } from './fetch.mjs'
const { SANDRAMP_CLOCK_URL: clock } = process.env
const headers = { 'content-type': 'application/json' }
await fetch(clock + '/advance', { method: 'POST', headers, body: '{"by":"31s"}' })`,
    })
    const step = /Scenario bad-day marked .* as Failed: limit_exceeded .*\(bad-day\.yaml:4\)/
    const args = ['run', 'bad-day.yaml', '--junit', 'r.xml', '--', 'node']
    const { stdout, code } = await runHere([...args, 'pay.mjs'], cwd)
    expect(code).toBe(3)
    const [, missed, other] = stdout.split(/^ {2}MISSED/m)
    expect(missed).toContain(
      'the command ended before 1 step of rules; it can advance the clock at SANDRAMP_CLOCK_URL:\n',
    )
    expect(missed).toMatch(step)
    expect(other).not.toMatch(step)
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toMatch(step)
    const seen = await runHere([...args, 'see.mjs'], cwd)
    expect(seen.code).toBe(3)
    expect(seen.stdout).not.toMatch(step)
  })

  test('counts delayed requests of a client that gave up', async () => {
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
import { fetch } from './fetch.mjs'
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
    const ran = await runHere(['run', 'late.yaml', '--', 'node', 'leave.mjs'], cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
  })

  test('lists refused steps with their reason', async () => {
    const rules = '  - when: payout.moved\n    then: [{ move: PAYOUT_FAILED }]\n'
    const cwd = folderOf({ 'over.yaml': `name: over\ntitle: Too late\nrules:\n${rules}` })
    const { code, stdout } = await runHere(['run', 'over.yaml', '--', 'node', 'pay.mjs'], cwd)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(
      /\n {2}refused {3}1 × a step of over\/0 {2}over\.yaml:4\n {14}payout .* is PAYOUT_FAILED and cannot/,
    )
  })

  test('counts the resets of the world', async () => {
    const reset = 'node pay.mjs && node reset.mjs && node reset.mjs'
    const cwd = folderOf({
      'reset.mjs': `import { fetch } from './fetch.mjs';await fetch(process.env.SANDRAMP_URL + '/_sandbox/reset', { method: 'POST' })`,
    })
    const ran = await runHere(['run', 'bad-day.yaml', '--', 'sh', '-c', reset], cwd)
    expect(ran.stdout).toContain('            exit code 0, ')
    expect(ran.stdout).toMatch(
      / s, requests: 0\n {12}resets: 2; only activity after the last one is checked\n\n/,
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
    const ran = await runHere(['run', 'endless.yaml', '--', 'node', 'pay.mjs'], cwd)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(
      /FAILED {4}Timers .* rule 1 of scenario endless \(endless\.yaml:6\)\./,
    )
    expect(ran.stdout).toContain('\nFAILED: timers did not come to rest\n')
  })

  test('fails when the kernel stopped a rule while the command ran', async () => {
    const rules = `
  - when: payout.created
    then: [{ credit: {} }]
  - when: balance.credited
    then: [{ credit: { currency: USD, amount: 1 } }]`
    const endless = `name: endless\ntitle: Never at rest\nrules:${rules}\n`
    const cwd = folderOf({ 'endless.yaml': endless })
    const ran = await runHere(['run', 'endless.yaml', '--', 'sh', '-c', 'node pay.mjs; true'], cwd)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('rule 1 of scenario endless (endless.yaml:6). The changes stay')
  })

  test('writes a JUnit report', async () => {
    const missed = SCENARIO.replace('{ audit: clean }', '{ users: { last_name: "<A & \\"B\\">" } }')
    const cwd = folderOf({ 'bad-day.yaml': missed })
    const command = [node, '-e', '/* <&>\t"" */ process.exit(1)']
    const ran = await runHere(
      ['run', 'bad-day.yaml', '--junit', 'out/report.xml', '--', ...command],
      cwd,
    )
    expect(ran.code).toBe(1)
    const root = parseXml(readFileSync(join(cwd, 'out', 'report.xml'), 'utf8'))
    expect(root).toMatchObject({ name: 'testsuites', attributes: { tests: '4', failures: '3' } })
    const cases = root.children[0]?.children.filter(({ name }) => name === 'testcase') ?? []
    expect(cases.map(({ attributes }) => attributes)).toMatchObject([
      { classname: 'sandramp.command', name: expect.stringContaining('/* <&>\t"" */') },
      { classname: 'sandramp.bad-day' },
      { classname: 'sandramp.bad-day' },
      {
        classname: 'sandramp.bad-day',
        name: 'bad-day: users with last_name "<A & \\"B\\">": at least 1',
      },
    ])
    // The schema of Jenkins' xunit plugin accepts no others.
    for (const { attributes } of cases)
      expect(['classname', 'name', 'time']).toEqual(Object.keys(attributes))
    const messages = cases.map(({ children }) => children[0]?.attributes.message)
    const missing = (line: number) =>
      expect.stringMatching(new RegExp(`^bad-day\\.yaml:${line}: .*: 0 \\(at least 1\\)$`))
    expect(messages).toEqual(['exit code 1', undefined, missing(14), missing(15)])
  })

  test('shows request paths as they were sent, and escapes control characters', async () => {
    const expected = 'expect: [{ requests: { path: /payment/nope }, count: 1 }]'
    const rules = 'rules: [{ when: request, if: { path: /payment/no }, then: [{ drop: after }] }]'
    const cwd = folderOf({ 'odd.yaml': `name: odd\ntitle: Odd\n${rules}\n${expected}\n` })
    const call = `const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key } = process.env
      fetch(url + '/payment/x%1b%5b2J%0a%c2%9b1m', { headers: { 'x-api-key': key } })`
    const files = ['--junit', 'r.xml', '--report', 'q.md']
    const ran = await runHere(['run', 'odd.yaml', ...files, '--', node, '-e', call], cwd)
    const written = ['r.xml', 'q.md'].map((it) => readFileSync(join(cwd, it), 'utf8'))
    for (const text of [ran.stdout, ...written]) {
      expect(text).toContain('GET /payment/x%1b%5b2J%0a%c2%9b1m')
      expect(text).not.toMatch(/(?!\n)\p{Cc}/u)
    }
  })

  test.each([
    ['run', 'happy-path', '--allow-idle', '--junit', 'out/report.xml', '--report', 'out/q.md'],
    ['readings', '--allow-idle', '--junit', 'out/report.xml'],
  ])('is written even if the command removes its folder: %s', async (...args) => {
    const cwd = folderOf()
    const ran = await runHere([...args, '--', 'rm', '-r', 'out'], cwd)
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(join(cwd, 'out', 'report.xml'), 'utf8')).toContain('</testsuites>')
  })

  test('shows the paths of scenarios as they were passed', async () => {
    const cwd = folderOf()
    mkdirSync(join(cwd, 'qa'))
    writeFileSync(join(cwd, 'qa', 'day.yaml'), SCENARIO)
    const { stdout } = await runHere(['run', 'qa/day.yaml', '--', 'node', 'pay.mjs'], cwd)
    for (const place of [
      'bad-day/0  qa/day.yaml:4',
      'bad-day/2  qa/day.yaml:10',
      ' qa/day.yaml:15',
    ])
      expect(stdout).toContain(`${place}\n`)
    expect(stdout).not.toMatch(/ {2}day\.yaml/)
  })

  test.each([['run'], ['run', 'happy-path'], ['readings']])(
    'fails when nothing called the service, unless --allow-idle is set: %s',
    async (...args) => {
      const words = 'nothing called the service'
      const { code, stdout } = await runHere([...args, '--', 'true'])
      expect(stdout).toContain(
        `requests: 0\n            ${words}: does the command know of SANDRAMP_URL?\n`,
      )
      expect(stdout).toMatch(/FAILED: .*nothing called the service/)
      expect(code).toBe(1)
      const allowed = await runHere([...args, '--allow-idle', '--', 'true'])
      expect(allowed, allowed.stdout).toMatchObject({ code: 0 })
      const call = "fetch(process.env.SANDRAMP_URL + '/payment/api/v1/x')"
      const { stdout: other } = await runHere([...args, '--', node, '-e', call])
      expect(other).toContain('requests: 1\n')
      expect(other).not.toContain(words)
    },
  )

  test.each([
    ['//onboarding/api/v1/users/all', 'does the base URL end in a slash?'],
    ['/api/v1/users', 'its paths begin with /payment/ or /onboarding/'],
  ])('names the path of requests that missed the service: %s', async (path, hint) => {
    const cwd = folderOf()
    const call = `for (let n = 0; n < 3; n++) await fetch(process.env.SANDRAMP_URL + '${path}')`
    const flags = ['--input-type=module', '-e', call]
    const args = ['run', 'happy-path', '--junit', 'r.xml', '--', node, ...flags]
    const { code, stdout } = await runHere(args, cwd)
    const words = `3 requests outside the service's paths, such as ${path}: ${hint}`
    expect(stdout).toContain(`requests: 0\n            nothing called the service: ${words}\n`)
    expect(stdout).toContain('\nFAILED: nothing called the service\n')
    expect(code).toBe(1)
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain(`${words}; --allow-idle lets`)
  })

  test('has a JUnit failure when nothing called the service, with the proxy as a possible reason', async () => {
    const cwd = folderOf()
    vi.stubEnv('https_proxy', 'http://user:secret@proxy.example')
    const ran = await runHere(['run', 'bad-day.yaml', '--junit', 'r.xml', '--', 'true'], cwd)
    vi.unstubAllEnvs()
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('-- true\n')
    const hint = 'https_proxy is set: does the client ignore NO_PROXY?'
    expect(ran.stdout).toContain(`SANDRAMP_URL? ${hint}\n`)
    const report = readFileSync(join(cwd, 'r.xml'), 'utf8')
    expect(report).toContain('<failure message="nothing called the service"')
    expect(report).toContain(hint)
    expect(report).not.toContain('proxy.example')
  })

  test.each<[Record<string, string>, string]>([
    [{}, 'NO_PROXY=a.example no_proxy= '],
    [{ http_proxy: 'p:1' }, 'NO_PROXY=a.example,LOCAL no_proxy=a.example,LOCAL '],
    [{ ALL_PROXY: 'p:1', no_proxy: 'b' }, 'NO_PROXY=a.example,LOCAL no_proxy=b,LOCAL '],
    [{ HTTPS_PROXY: 'p:1', NO_PROXY: '*' }, 'NO_PROXY=* no_proxy=* '],
  ])('lets the command bypass a proxy, and hides the control token: %j', async (env, expected) => {
    const all = { NO_PROXY: 'a.example', SANDRAMP_CONTROL_TOKEN: 'secret', ...env }
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
    const cwd = folderOf()
    const line = 'echo "NO_PROXY=$NO_PROXY no_proxy=$no_proxy $SANDRAMP_CONTROL_TOKEN" > seen'
    const ran = await runHere(['run', 'happy-path', '--allow-idle', '--', 'sh', '-c', line], cwd)
    vi.unstubAllEnvs()
    expect(ran.code).toBe(0)
    const seen = readFileSync(join(cwd, 'seen'), 'utf8')
    expect(seen.replaceAll('127.0.0.1,localhost,::1', 'LOCAL')).toBe(`${expected}\n`)
  })

  test('fails when no rule of a named scenario fired, unless --allow-idle is set', async () => {
    const list = `import { fetch } from './fetch.mjs'
await fetch(process.env.SANDRAMP_URL + '/payment/api/v1/nothing')`
    const cwd = folderOf({ 'list.mjs': list })
    writeFileSync(
      join(cwd, 'short.yaml'),
      SHORT_SCENARIO.replace('{ status: PAYOUT_FAILED }', '{}, count: { lte: 1 }'),
    )
    const ran = await runHere(['run', 'short.yaml', '--', 'node', 'list.mjs'], cwd)
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('\nFAILED: no rule of bad-day fired\n')
    const flags = ['--allow-idle', '--', 'node', 'list.mjs']
    expect(await runHere(['run', 'short.yaml', ...flags], cwd)).toMatchObject({ code: 0 })
  })

  describe('with worlds by key', () => {
    const keys = ['SandboxWorldOfATestAlone00000001', 'SandboxWorldOfATestAlone00000002']
    /** Pays once in the first world, and the given number of times in the second. */
    const payInWorlds = (times: number) => `
import { fetch } from './fetch.mjs'
const body = (n) => JSON.stringify({ ...${JSON.stringify(payoutRequest())}, customer_payout_id: 'c0ffee00-0000-4000-8000-00000000000' + n })
const pay = (key, n) => fetch(process.env.SANDRAMP_URL + '/payment/api/v1/payout', { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: body(n) })
await pay('${keys[0]}', 1)
for (let n = 0; n < ${times}; n++) await pay('${keys[1]}', n)`
    const armInWorlds = `
const then = { delay_ms: 0 }
for (const key of ${JSON.stringify(keys)}) await fetch(process.env.SANDRAMP_URL + '/_sandbox/next', { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: JSON.stringify({ operation: 'createPayout', then }) })`
    const once = SHORT_SCENARIO.replace('PAYOUT_FAILED } }]', 'PAYOUT_FAILED }, count: 1 }]')

    test('passes when every world meets the expectations', async () => {
      const script = payInWorlds(1).replace('await pay', `${armInWorlds}\nawait pay`)
      const cwd = folderOf({ 'once.yaml': once, 'pay.mjs': script })
      const ran = await runHere(['run', 'once.yaml', '--', 'node', 'pay.mjs'], cwd)
      expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain('requests: 2\n            worlds by key: 2\n')
      expect(ran.stdout).toContain('2 × next-1/0  in several worlds\n')
      expect(ran.stdout).toContain('2 × bad-day/0')
      expect(ran.stdout).toContain(': exactly 1, in all 2 worlds')
    })

    test.each([
      ['passes for a client that repeats the id', true],
      ['fails for a blind one, and names its world', false],
    ])('judges a scenario in the worlds where it began: %s', async (_, isRight) => {
      const script = `
import { fetch } from './fetch.mjs'
const call = async (path, key, body) => {
  const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) }
  return fetch(process.env.SANDRAMP_URL + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}
const open = async (name) => (await (await call('/_sandbox/worlds', undefined, { name, clock: 'manual' })).json()).key
await call('/onboarding/api/v1/users/all', await open('lists users'))
const key = await open('pays')
const pay = () => call('/payment/api/v1/payout', key, ${JSON.stringify(payoutRequest())})
await pay().catch(${isRight ? 'pay' : '() => {}'})`
      const cwd = folderOf({ 'pay.mjs': script })
      const ran = await runHere(['run', 'committed-then-cut', '--', 'node', 'pay.mjs'], cwd)
      expect(ran.code, ran.stdout).toBe(isRight ? 0 : 3)
      expect(ran.stdout).toMatch(
        / {2}(ok {4}|MISSED) {4}createPayout requests.* in the world "pays" /,
      )
      expect(ran.stdout).toContain('audit: clean, in all 2 worlds')
    })

    test('fails when the command deleted all worlds that it used', async () => {
      const remove = `
const url = process.env.SANDRAMP_URL + '/_sandbox/worlds'
const { items } = await (await fetch(url)).json()
const { id } = items.find(({ last_four }) => last_four === '0002')
await fetch(url + '/' + id, { method: 'DELETE' })`
      const pay = payInWorlds(1).replace(`await pay('${keys[0]}', 1)`, '')
      const cwd = folderOf({ 'pay.mjs': pay + remove })
      const ran = await runHere(['run', 'happy-path', '--', 'node', 'pay.mjs'], cwd)
      expect(ran.code, ran.stdout).toBe(1)
      expect(ran.stdout).toContain('\nFAILED: every world that the command called is deleted, so ')
      expect(ran.stdout).not.toContain('does the command know of SANDRAMP_URL?')
    })

    test('fails when a client pays twice in one of them, and --report covers all of them', async () => {
      const cwd = folderOf({ 'once.yaml': once, 'pay.mjs': payInWorlds(2) })
      const flags = ['--report', 'questions.json']
      const ran = await runHere(['run', 'once.yaml', ...flags, '--', 'node', 'pay.mjs'], cwd)
      expect(ran, ran.stdout).toMatchObject({ code: 3, stderr: '' })
      expect(ran.stdout).toMatch(/MISSED .*: 2 \(exactly 1\) in the world of the key …0002/)
      expect(ran.stdout).toMatch(/\n {2}questions \d+ open \(/)
      const report = JSON.parse(readFileSync(join(cwd, 'questions.json'), 'utf8'))
      expect(report.requests).toBe(3)
      const question = report.open.find(({ id }: { id: string }) => id === 'payout.source')
      expect(question).toMatchObject({ hits: 3, example: { status: 200 } })
    })
  })

  test('writes through a symbolic link', async () => {
    const cwd = folderOf()
    symlinkSync('report.xml', join(cwd, 'link.xml'))
    const ran = await runHere(
      ['run', 'happy-path', '--allow-idle', '--junit', 'link.xml', '--', 'true'],
      cwd,
    )
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(lstatSync(join(cwd, 'link.xml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('</testsuites>')
  })

  test('fails when a report cannot be written in the end, and writes the others', async () => {
    const files = ['--junit', 'report.xml', '--report', 'questions.md']
    const cwd = folderOf()
    const args = ['run', 'happy-path', '--allow-idle', ...files, '--', 'mkdir', 'report.xml']
    const ran = await runHere(args, cwd)
    expect(ran).toMatchObject({
      code: 1,
      stderr: 'sandramp: --junit: report.xml cannot be written: it is a folder\n',
    })
    expect(readFileSync(join(cwd, 'questions.md'), 'utf8')).toMatch(/^# Open questions/)
  })
})

describe('the questions of a run', () => {
  test.each([
    ['out/questions.md', /^# Open questions of our integration\n/],
    ['questions.JSON', /^\{\n {2}"at": /],
  ])('are written to %s', async (file, beginning) => {
    const cwd = folderOf()
    const ran = await runHere(
      ['run', 'bad-day.yaml', '--report', file, '--', 'node', 'pay.mjs'],
      cwd,
    )
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(
      /\n {2}questions \d+ open \(\d+ high, .*\), \d+ high not exercised: \S+\n\npassed\n$/,
    )
    expect(ran.stdout).toContain(`: ${file}\n`)
    expect(readFileSync(join(cwd, file), 'utf8')).toMatch(beginning)
  })

  test('are counted apart from settled ones, also with --strict', async () => {
    const answers = 'payout.fee: { reading: on_top, said_by: Support, when: 2026-05-04 }'
    const cwd = folderOf({ 'answers.yaml': answers })
    const flags = ['--strict', '--log', 'json', '--readings', 'answers.yaml', '--report', 'q.md']
    const ran = await runHere(['run', 'magic-values', ...flags, '--', 'node', 'pay.mjs'], cwd)
    expect(ran.stdout).toContain('"status":501')
    expect(ran.stdout).toMatch(
      / {2}questions \d+ open \(.*\), 1 settled, \d+ high not exercised: q\.md\n/,
    )
  })

  test('of a run without requests are empty', async () => {
    const cwd = folderOf()
    const flags = ['--allow-idle', '--report', 'q.md']
    const ran = await runHere(['run', 'happy-path', ...flags, '--', 'true'], cwd)
    expect(ran.stdout).toContain('  questions no requests received: q.md\n')
    expect(readFileSync(join(cwd, 'q.md'), 'utf8')).toContain(
      '\nThe sandbox has logged no request, so',
    )
  })
})
