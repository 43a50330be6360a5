import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runHere } from '../cli/run-in-process.js'
import { makeFolder } from '../cli/sandramp.js'
import { type Entry, FULL_KEY, openService } from './recorded-service.js'

afterEach(() => vi.restoreAllMocks())

/** A service with a port, facts about it, and the probe that asks it. */
const openProbe = async () => {
  const service = await openService({ 'payout.repeat': 'conflict' }, 1)
  const { url } = await service.sandbox.listen()
  const { users, accounts, keys, payouts } = service.facts
  const facts = { users, accounts, keys: { ...keys, live: ['x'] }, payouts }
  const cwd = makeFolder({ 'facts.yaml': JSON.stringify(facts) })
  const run = (service: string, ...flags: string[]) => {
    // Each look at the clock takes a second, so that the probe need not wait.
    let now = Date.parse('2026-06-15T09:00:00Z')
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1_000
      return now
    })
    return runHere(['probe', '--url', service, '--facts', 'facts.yaml', ...flags], cwd)
  }
  const read = (file: string) => {
    const text = readFileSync(join(cwd, file), 'utf8')
    const { entries, _sandramp } = JSON.parse(text).log
    const calls = (entries as Entry[]).map(
      ({ request: { method, url } }) => `${method} ${new URL(url).pathname}`,
    )
    return { text, calls, writes: calls.filter((it) => it.startsWith('POST')), about: _sandramp }
  }
  return { ...service, url, cwd, run, read }
}

describe('the probe', () => {
  test('sends writes and payouts only with their switches, and resumes a recording', async () => {
    const { run, read, sandbox, cwd, url } = await openProbe()
    expect(await run(url, '--out', 'a.har')).toMatchObject({ code: 0, stderr: '' })
    const reads = read('a.har')
    expect(reads.writes).toEqual([])
    expect(await run(url, '--allow-writes', '--resume', 'a.har', '--out', 'b.har')).toMatchObject({
      code: 0,
    })
    const both = read('b.har')
    expect(both.writes.length).toBeGreaterThan(15)
    expect(both.writes).not.toContain('POST /payment/api/v1/payout')
    const all = ['--allow-writes', '--allow-payouts', '--resume', 'b.har', '--out', 'b.har']
    const ran = await run(url, ...all)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('25 hours after the payouts: --resume b.har')
    const { text, writes, about } = read('b.har')
    expect(new Set(writes.slice(both.writes.length))).toEqual(
      new Set(['POST /payment/api/v1/payout']),
    )
    expect(about).toMatchObject({ complete: true })
    expect(text).not.toContain(FULL_KEY)
    await sandbox.close()
    const judged = await runHere(['calibrate', 'b.har', '--facts', 'facts.yaml'], cwd)
    expect(judged.stdout).toContain('`payout.repeat` = `conflict`')
  })

  test('prints its plan and sends nothing, and stops when the service is busy', async () => {
    const { run, read, sandbox } = await openProbe()
    await sandbox.close()
    let calls = 0
    const busy = createServer((_, response) => {
      response.writeHead(++calls === 3 ? 429 : 200).end('[]')
    }).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
    const plan = await run(url, '--plan')
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    expect(plan.stdout).toMatch(
      /^reads: \d+ requests at most\nwrites: \d+ requests at most, with --allow-writes\npayouts: /,
    )
    expect(plan.stdout).toContain('largest 99999999.00')
    expect(plan.stdout).toContain('POST /payment/api/v1/payout: payout.balance')
    expect(calls).toBe(0)
    const ran = await run(url, '--out', 'a.har')
    busy.close()
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('stopped: status 429. --resume a.har continues')
    expect(read('a.har').calls).toHaveLength(3)
  })

  test.each([
    ['another host', ['--url', 'https://staging.example'], 'Expected staging.example, typed once'],
    ['a live host', ['--url', 'https://api.live.example', '--host', 'api.live.example'], '--url'],
    ['a live key', ['--url', 'http://127.0.0.1:1'], 'keys.full of the facts is a live key'],
    ['no facts', ['--url', 'http://127.0.0.1:1', '--facts', 'none.yaml'], 'none.yaml'],
  ])('refuses %s', async (_, args, words) => {
    const keys = { full: FULL_KEY, live: [FULL_KEY] }
    const cwd = makeFolder({ 'facts.yaml': JSON.stringify({ keys }) })
    const facts = args.includes('--facts') ? [] : ['--facts', 'facts.yaml']
    const ran = await runHere(['probe', ...args, ...facts, '--out', 'a.har'], cwd)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(words)
  })
})
