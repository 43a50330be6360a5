import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { payoutRequest } from '../support/requests.js'
import { runHere } from './in-process.js'
import { makeFolder } from './sandramp.js'
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

/** Pays once, and reads the users once. */
const PAY = `
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key } = process.env
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const body = ${JSON.stringify(JSON.stringify(payoutRequest()))}
await fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body })
await fetch(url + '/onboarding/api/v1/users/all', { headers })
`

const folderOf = (files: Record<string, string> = {}) =>
  makeFolder({ 'bad-day.yaml': SCENARIO, 'pay.mjs': PAY, ...files })

const node = process.execPath

describe('the report of a run', () => {
  test('fails when the command does', async () => {
    const ran = await runHere(['run', 'happy-path', '--', node, '-e', 'process.exit(3)'])
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('\nFAILED: the command: exit code 3\n')
    expect(ran.stdout).toContain(`-- ${node} -e 'process.exit(3)'\n`)
  })

  test('reads what the contract leaves open as it is told, and can be repeated so', async () => {
    const script = `
      const answer = await fetch(process.env.SANDRAMP_URL + '/_sandbox/assumptions/payout.repeat')
      process.exit((await answer.json()).active === 'conflict' ? 7 : 0)`
    const flags = ['--reading', 'payout.repeat=conflict', '--reading', 'users.list=paged']
    const ran = await runHere(['run', 'happy-path', ...flags, '--', node, '-e', script])
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain('exit code 7')
    expect(ran.stdout).toContain(flags.join(' '))
  })

  test('fails when the command is killed', async () => {
    const ran = await runHere(['run', 'happy-path', '--', 'sh', '-c', 'kill -KILL $$'])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('\nFAILED: the command: killed by SIGKILL\n')
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
    const ran = await runHere(['run', 'endless.yaml', '--', 'sh', '-c', 'node pay.mjs; true'], cwd)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain(
      'rule 1 of scenario endless (endless.yaml:6) kept setting off timers',
    )
  })

  test('writes a report in the form of JUnit', async () => {
    const missed = SCENARIO.replace('{ audit: clean }', '{ users: { last_name: "<A & \\"B\\">" } }')
    const cwd = folderOf({ 'bad-day.yaml': missed })
    const command = [node, '-e', '/* <&>\t"\u0007" */ process.exit(1)']
    const ran = await runHere(
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
})

describe('the questions of a run', () => {
  test.each([
    ['questions.md', /^# Open questions of our integration\n/],
    ['out/questions.html', /^<!doctype html>\n/],
    ['questions.JSON', /^\{\n {2}"at": /],
  ])('are written to %s', async (file, beginning) => {
    const cwd = folderOf()
    const ran = await runHere(
      ['run', 'bad-day.yaml', '--report', file, '--', 'node', 'pay.mjs'],
      cwd,
    )
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/\n {2}questions \d+ open \(\d+ high, .*\): \S+\n\npassed\n$/)
    expect(ran.stdout).toContain(`: ${file}\n`)
    expect(readFileSync(join(cwd, file), 'utf8')).toMatch(beginning)
  })
})
