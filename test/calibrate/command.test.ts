import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../cli/run-in-process.js'
import { makeFolder } from '../cli/sandramp.js'
import { startProbe } from './play-probe.js'
import { openService } from './recorded-service.js'

let har: { log: { entries: unknown[]; _sandramp: { complete: boolean } } }

beforeAll(async () => {
  const service = await openService({ 'payout.repeat': 'conflict', 'users.list': 'paged' }, 1)
  await startProbe(service, ['read', 'payout']).resume()
  await service.sandbox.close()
  har = { log: { entries: service.entries, _sandramp: { complete: true } } }
})

const PERSON = 'users.list: { reading: array, said_by: Ada, when: 2026-05-04 }\n'

const openFolder = (files: Readonly<Record<string, string>> = {}) =>
  makeFolder({ 'traffic.har': JSON.stringify(har), ...files })

describe('sandramp calibrate', () => {
  test('writes the confirmed readings, and keeps the answers of persons', async () => {
    const cwd = openFolder({ 'readings.yaml': PERSON })
    const ran = await runHere(
      ['calibrate', 'traffic.har', '--out', 'readings.yaml', '--report', 'verdicts.md'],
      cwd,
    )
    expect(ran).toMatchObject({
      code: 0,
      stderr: 'sandramp: readings.yaml: users.list: array in the file, paged in the traffic\n',
    })
    expect(ran.stdout).toContain('- `payout.repeat` = `conflict`: refused as a conflict\n')
    const answers = readFileSync(join(cwd, 'readings.yaml'), 'utf8')
    expect(answers).toMatch(/^# Contract 1\.0\.0; traffic of https:\/\/live\.example, 2026-/)
    expect(answers).toContain(
      'payout.repeat:\n  reading: conflict\n  said_by: sandramp calibrate, ',
    )
    expect(answers).toContain('said_by: Ada')
    const report = readFileSync(join(cwd, 'verdicts.md'), 'utf8')
    expect(report).toMatch(/ {2}- #\d+ 2026-\S+ POST \/payment\/api\/v1\/payout 409\n/)
    const again = await runHere(
      ['run', '--readings', 'readings.yaml', '--allow-idle', '--', 'true'],
      cwd,
    )
    expect(again, again.stderr).toMatchObject({ code: 0 })
  })

  test('returns 3 when the traffic differs from the expected answers', async () => {
    const expected = `payout.repeat: { reading: current, said_by: Ada, when: 2026-05-04 }\n`
    const cwd = openFolder({ 'expected.yaml': expected })
    const ran = await runHere(['calibrate', 'traffic.har', '--expect', 'expected.yaml'], cwd)
    expect(ran).toMatchObject({ code: 3 })
    expect(ran.stderr).toContain('payout.repeat: current in the file, conflict in the traffic')
  })

  test('reads a recording whose end is missing', async () => {
    const lines = har.log.entries.map((entry) => `${JSON.stringify(entry)},`)
    const text = ['{"log":{"version":"1.2","entries":[', ...lines, '{"startedDate'].join('\n')
    const ran = await runHere(['calibrate', 'cut.har'], openFolder({ 'cut.har': text }))
    expect(ran.stdout).toContain('a recording that may lack requests')
  })

  test.each([
    ['no file', [], 2, 'Missing argument. Expected a HAR file.'],
    ['a missing file', ['none.har'], 2, 'there is no such file'],
    ['text', ['text.har'], 2, 'text.har is not JSON'],
    ['other JSON', ['other.har'], 2, 'other.har has no log.entries'],
    ['an address', ['traffic.har', '--against', 'x'], 2, 'Invalid --against: got "x"'],
    ['a report', ['traffic.har', '--report', 'r.pdf'], 2, '.md, .json'],
    ['facts', ['traffic.har', '--facts', 'facts.yaml'], 2, 'facts.yaml:1:1'],
    [
      'another service',
      ['traffic.har', '--against', 'http://a.example'],
      1,
      'no request of the service',
    ],
    ['an empty recording', ['empty.har'], 1, 'no request of the service'],
  ])('%s: returns an error', async (_, args, code, words) => {
    const cwd = openFolder({
      'text.har': 'x',
      'other.har': '{}',
      'facts.yaml': 'poor: x\n',
      'empty.har': '{"log":{"entries":[{"request":{}}]}}',
    })
    const ran = await runHere(['calibrate', ...args], cwd)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(words)
  })
})
