import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { payoutRequest } from '../support/requests.js'
import { CLIENT_FETCH } from './client-fetch.js'
import { runHere } from './run-in-process.js'
import { isRunning, makeFolder, startCli } from './sandramp.js'
import { parseXml } from './xml.js'

/** Pays twice with one id, then runs `check`. */
const client = (check: string) => `
import { fetch } from './fetch.mjs'
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_READING: reading } = process.env
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const body = ${JSON.stringify(JSON.stringify(payoutRequest()))}
const pay = () => fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body })
const first = await pay()
const again = await pay()
${check}
`

const FRAGILE = client(`
console.log('paying again under', reading)
if (again.status !== 200) throw new Error('the second call was ' + again.status)
if ((await again.json()).id !== (await first.json()).id) throw new Error('it paid twice')`)

/** Relies on one assumption, which has two other readings. */
const LOST = `
import { fetch } from './fetch.mjs'
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key } = process.env
await fetch(url + '/payment/api/v1/offramp-audit/11111111-1111-4111-8111-0000000000ff', { headers: { 'x-api-key': key } })
`

const answers = (readings: Record<string, string>) =>
  Object.entries(readings)
    .map(([id, reading]) => `${id}: { reading: ${reading}, said_by: Support, when: 2026-05-04 }\n`)
    .join('')

/** Settles two assumptions, so that fewer readings run. */
const FEE_AND_STATUS = answers({ 'payout.fee': 'on_top', 'payout.status': 'processed' })

const STURDY = client('console.log(first.status)')

const folderOf = (files: Record<string, string> = {}) =>
  makeFolder({ ...CLIENT_FETCH, 'fragile.mjs': FRAGILE, 'sturdy.mjs': STURDY, ...files })

const node = process.execPath

describe('sandramp readings', () => {
  test('stops all commands on Ctrl-C', async () => {
    const script = `
      if (process.env.SANDRAMP_READING) {
        require('node:fs').appendFileSync('pids', process.pid + '\\n')
        setInterval(() => {}, 1000)
      } else fetch(process.env.SANDRAMP_URL + '/payment/api/v1/offramp-audit/11111111-1111-4111-8111-0000000000ff', { headers: { 'x-api-key': process.env.SANDRAMP_API_KEY } })`
    const cwd = folderOf()
    const { child, ended } = startCli(['readings', '--jobs', '2', '--', node, '-e', script], cwd)
    const pids = () => readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number)
    await vi.waitUntil(
      () => {
        try {
          return pids().length === 2
        } catch {
          return false
        }
      },
      { timeout: 60_000 },
    )
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain('stopped by SIGINT after 0 readings\n')
    expect(pids().filter(isRunning)).toEqual([])
  })
})

describe('the report of sandramp readings', () => {
  test('lists which readings fail for a client in a world by key, and why', async () => {
    const key = 'SandboxWorldOfAnotherTest0000001'
    const keyed = FRAGILE.replace("'x-api-key': key", `'x-api-key': '${key}'`)
    const cwd = folderOf({ 'fragile.mjs': keyed })
    const line = 'readings --junit out/readings.xml --seed s -- node fragile.mjs'
    const { code, stdout, stderr } = await runHere(line.split(' '), cwd)
    expect(code, stdout + stderr).toBe(1)
    expect(stderr).toMatch(/^first run, with the current readings\nother readings: \d+\n1\//)
    expect(stdout).toMatch(
      / {2}first {5}passed, [\d.]+ s, requests: 2\n {12}worlds by key: 1\n {12}relied on 5 of \d+ assum/,
    )
    expect(stdout).toMatch(/^ {2}passed {2}high {4}payout\.repeat=replay +none$/m)
    expect(stdout).toMatch(
      /^ {2}FAILED {2}high {4}payout\.repeat=conflict +createPayout, request 2: 200 became 409 4090$/m,
    )
    expect(stdout).toMatch(
      /^ {2}FAILED {2}high {4}payout\.repeat=second +createPayout, request 2: id was "<id \d>", is "<id \d>"$/m,
    )
    expect(stdout).toMatch(/^ {2}passed {2}high {4}payout\.fee=deducted +none$/m)
    expect(stdout).toContain(
      '\nFAILED payout.repeat=conflict\n  What happens when a customer_payout',
    )
    expect(stdout).toContain('paying again under payout.repeat=conflict\n')
    expect(stdout).toContain('Error: the second call was 409\n')
    expect(stdout).toContain('--seed s --reading payout.repeat=second -- node fragile.mjs\n')
    expect(stdout).toMatch(/\nFAILED: it survives \d+ of \d+ other readings\n$/)

    const root = parseXml(readFileSync(join(cwd, 'out', 'readings.xml'), 'utf8'))
    expect(root).toMatchObject({ name: 'testsuites', attributes: { failures: '2', errors: '0' } })
    const cases = root.children[0]?.children.filter(({ name }) => name === 'testcase') ?? []
    const failed = cases.filter(({ children }) => children.length > 0)
    expect(failed.map(({ attributes }) => attributes.name)).toEqual([
      'payout.repeat=conflict',
      'payout.repeat=second',
    ])
    expect(failed[0]?.children[0]?.attributes.message).toBe(
      'the command: exit code 1; first difference: createPayout, request 2: 200 became 409 4090',
    )
  })

  test('--accept lets known failures pass, and names those that no longer fail', async () => {
    const accept = (...readings: string[]) =>
      readings
        .map(
          (it) => `- { id: payout.repeat, reading: ${it}, reason: Ticket 7, date: 2026-05-04 }\n`,
        )
        .join('')
    const files = {
      'one.yaml': accept('conflict', 'replay'),
      'two.yaml': accept('conflict', 'second'),
    }
    const cwd = folderOf({ ...files, 'answers.yaml': FEE_AND_STATUS, 'bad.yaml': accept('later') })
    const play = (file: string) => {
      const flags = `--readings answers.yaml --accept ${file} --junit r.xml`
      return runHere(`readings ${flags} -- node fragile.mjs`.split(' '), cwd)
    }
    const one = await play('one.yaml')
    expect(one.code).toBe(1)
    expect(one.stdout).toContain('\n  accepted  high    payout.repeat=conflict ')
    expect(one.stdout).toContain('\nFAILED payout.repeat=second\n')
    expect(one.stdout).not.toContain('\nFAILED payout.repeat=conflict\n')
    expect(one.stdout).toContain('payout.repeat=conflict accepted: Ticket 7 (2026-05-04)\n')
    expect(one.stdout).toContain(
      'payout.repeat=replay did not fail, so it needs no entry: Ticket 7',
    )
    expect(one.stdout).toMatch(/\nFAILED: it survives .*, accepted failures: 1\n$/)
    const two = await play('two.yaml')
    expect(two.code, two.stdout).toBe(0)
    const root = parseXml(readFileSync(join(cwd, 'r.xml'), 'utf8'))
    expect(root.attributes).toMatchObject({ failures: '0', skipped: '2' })
    const bad = await play('bad.yaml')
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringContaining('bad.yaml:1:33: Invalid 0.reading: got "later". Expected current'),
    ])
  })

  test('passes when the command passes under all readings, with --jobs 1', async () => {
    const { code, stdout } = await runHere(
      ['readings', '--jobs', '1', '--', 'node', 'lost.mjs'],
      folderOf({ 'lost.mjs': LOST }),
    )
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/\npassed: it survives every other reading: 2 of 2\n$/)
    expect(stdout).not.toContain('magic')
  })

  test('skips settled assumptions and starts from the chosen readings', async () => {
    const cwd = folderOf({
      'answers.yaml': answers({ 'payout.repeat': 'replay', 'payout.status': 'processed' }),
    })
    const flags = ['--readings', 'answers.yaml', '--reading', 'payout.fee=deducted']
    const { code, stdout } = await runHere(['readings', ...flags, '--', 'node', 'sturdy.mjs'], cwd)
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('relied on 5 of')
    expect(stdout).toContain('2 of them settled; other readings run: 4\n')
    expect(stdout).toMatch(/^ {2}passed +high +payout\.fee=on_top /m)
  })

  test('verifies the expectations of its scenarios in each run', async () => {
    const once = `name: once
title: It pays once
rules: [{ when: payout.created, then: [{ stop: true }] }]
expect: [{ payouts: {}, count: 1 }]
`
    const { code, stdout } = await runHere(
      ['readings', 'once.yaml', '--readings', 'answers.yaml', '--', 'node', 'sturdy.mjs'],
      folderOf({ 'once.yaml': once, 'answers.yaml': FEE_AND_STATUS }),
    )
    expect(code, stdout).toBe(1)
    expect(stdout).toMatch(/^ {2}FAILED {2}high {4}payout\.repeat=second /m)
    expect(stdout).toContain('FAILED: 1 of 1 expectations missed')
    expect(stdout).toMatch(/run once\.yaml --seed \w+ .*--reading payout\.repeat=second -- node/)
  })

  test('passes without further runs when nothing was relied on', async () => {
    const { code, stdout } = await runHere(['readings', '--allow-idle', '--', node, '-e', ''])
    expect(code).toBe(0)
    expect(stdout).toContain('passed: it relied on nothing that has another reading\n')
  })

  test('runs no reading when the first run fails, and prints its output', async () => {
    const cwd = folderOf()
    const script = 'console.log("no luck"); process.exit(3)'
    const args = ['readings', '--junit', 'r.xml', '--', node, '-e', script]
    const { code, stdout, stderr } = await runHere(args, cwd)
    expect(code).toBe(1)
    expect(stderr).toBe('first run, with the current readings\n')
    expect(stdout).toContain('  first     FAILED: the command: exit code 3, ')
    expect(stdout).toContain('            no luck\n')
    expect(stdout).toMatch(/\nFAILED: the command must pass with the current readings/)
    const root = parseXml(readFileSync(join(cwd, 'r.xml'), 'utf8'))
    expect(root.attributes).toMatchObject({ tests: '1', failures: '1' })
  })

  test('--timeout stops a command that hangs under one reading', async () => {
    const script = `${LOST}
      if (process.env.SANDRAMP_READING === 'resource.unknown=empty') setInterval(() => {}, 1000)`
    const cwd = folderOf({ 'hang.mjs': script })
    const { code, stdout } = await runHere(
      ['readings', '--timeout', '3s', '--', node, 'hang.mjs'],
      cwd,
    )
    expect(code).toBe(1)
    expect(stdout).toContain('FAILED: the command: ended after 3s, its --timeout')
    expect(stdout).toContain('FAILED: it survives 1 of 2 other readings\n')
  })
})
