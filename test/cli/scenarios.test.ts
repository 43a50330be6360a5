import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { docsFolder, scenariosFolder } from '../../src/lib/paths.js'
import { missing } from '../support/invalid.js'
import { runHere } from './run-in-process.js'
import { SHORT_SCENARIO } from './sample-scenario.js'
import { makeFolder } from './sandramp.js'

describe('sandramp scenarios', () => {
  test('lists the bundled scenarios', async () => {
    const { code, stdout } = await runHere(['scenarios'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^happy-path +\S.*$/m)
  })

  test.each(['happy-path', 'happy-path.yaml:12', 'happy-path/2', 'own.yaml:2'])(
    'show prints the file that a report names: %s',
    async (place) => {
      const cwd = makeFolder({ 'own.yaml': SHORT_SCENARIO })
      const text = place.startsWith('own')
        ? SHORT_SCENARIO
        : readFileSync(join(scenariosFolder, 'happy-path.yaml'), 'utf8')
      const shown = await runHere(['scenarios', 'show', place], cwd)
      expect(shown).toEqual({ code: 0, stdout: text, stderr: '' })
    },
  )

  test.each([
    [['show'], missing('scenario', 'sandramp scenarios show <name…>')],
    [['show', 'stuck'], 'Did you mean "stuck-in-conversion-processed" or "stuck-in-'],
  ])('%j returns 2 and says what exists', async (args, words) => {
    const ran = await runHere(['scenarios', ...args])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(words)
  })

  test('checks files and reports their errors', async () => {
    const cwd = makeFolder({
      'bad-day.yaml': SHORT_SCENARIO,
      'broken.yaml': SHORT_SCENARIO.replace('status: PAYOUT_FAILED', 'status: FAILED'),
    })
    expect(await runHere(['scenarios', 'bad-day.yaml'], cwd)).toEqual({
      code: 0,
      stdout: 'ok      bad-day.yaml\n',
      stderr: '',
    })
    const { code, stdout } = await runHere(
      ['scenarios', 'broken.yaml', 'bad-day.yaml', 'nope'],
      cwd,
    )
    expect(code).toBe(2)
    expect(stdout).toMatch(
      /^broken {2}broken\.yaml\n {10}broken\.yaml:4:\d+: Invalid expect\.0\.payouts/,
    )
    expect(stdout).toMatch(/\nok {6}bad-day\.yaml\nbroken {2}nope\n {10}No scenario and no file/)
  })
  test('escapes control characters of a file', async () => {
    const cwd = makeFolder({ 'a.yaml': 'name: a\n"ti\\e[2Jtle\\u009b1m\\u202e": 1\n' })
    const { code, stdout } = await runHere(['scenarios', 'a.yaml', 'no\u001b]0;x\u0007'], cwd)
    expect(code).toBe(2)
    expect(stdout).toContain('a.yaml:2:1: Unknown field "ti\\u001b[2Jtle\\u009b1m\\u202e"')
    expect(stdout).toContain('broken  no\\u001b]0;x\\u0007\n')
    const none = await runHere(['start', '--scenario', 'no\u001b[2J'], cwd)
    expect(none.stderr).toContain('no\\u001b[2J')
    expect(stdout + none.stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u)
  })

  test('rejects two scenarios of one name, and accepts a file that is named twice', async () => {
    const cwd = makeFolder({ 'a.yaml': SHORT_SCENARIO, 'b.yaml': SHORT_SCENARIO })
    expect(await runHere(['scenarios', 'a.yaml', 'b.yaml', 'a.yaml'], cwd)).toEqual({
      code: 2,
      stdout:
        'ok      a.yaml\nbroken  b.yaml\n' +
        '          Two scenarios are named bad-day: a.yaml and b.yaml. Expected each name once.\n' +
        `More: ${pathToFileURL(join(docsFolder, 'reference', 'scenarios.md'))}\n`,
      stderr: '',
    })
  })
})
