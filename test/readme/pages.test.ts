import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, isShown, readText, root, stepsOf } from './markdown.js'
import { type Played, play } from './run-in-bash.js'
import { type Started, startBuilt } from './start-built.js'

const folder = mkdtempSync(join(tmpdir(), 'sandramp-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const scenario = blocksOf(readText('docs/scenarios.md')).find((it) => it.language === 'yaml')?.text
const badDay = join(folder, 'bad-day.yaml')
writeFileSync(badDay, scenario ?? '')

/** Whether this machine has what the pages are typed into. A machine with Node alone has not. */
const canPlay = ['bash', 'curl'].every((it) => spawnSync(it, ['--version']).status === 0)

/** Pages whose commands are typed into bash as they stand, each against a fresh sandbox. */
const pages = [
  { path: 'README.md', section: 'Tour', flags: [] },
  { path: 'docs/control.md', flags: ['--clock', 'manual'] },
  { path: 'docs/worlds.md', flags: ['--clock', 'manual'] },
  { path: 'docs/readings.md', flags: ['--clock', 'manual'] },
  { path: 'docs/questions.md', flags: ['--clock', 'manual'] },
  { path: 'docs/scenarios.md', flags: ['--clock', 'manual', '--scenario', badDay] },
]

describe.skipIf(!canPlay).each(pages)('the commands of $path', ({ path, section, flags }) => {
  const steps = stepsOf(blocksOf(readText(path), section))
  let sandbox: Started
  let played: Played

  beforeAll(async () => {
    sandbox = await startBuilt('--log', 'silent', ...flags)
    played = await play(steps, sandbox.url)
  })
  afterAll(async () => {
    expect(await sandbox.stop()).toBe(0)
  })

  test.each(steps.map((step, i) => ({ ...step, i })))('line $line', ({ commands, shown, i }) => {
    const output = played.outputs[i] ?? ''
    expect(isShown(shown, output), `${commands}\n\nshown:\n${shown}\n\ncame:\n${output}`).toBe(true)
  })

  test('print no errors', () => {
    expect(played.errors).toBe('')
  })

  test('hold nothing that an interactive shell would read otherwise', () => {
    expect(steps.filter(({ commands }) => /!|^\s*#/m.test(commands))).toEqual([])
  })
})

test.skipIf(!canPlay)(
  'the tour ends where it began: the fixtures, and a clock that runs',
  async () => {
    const sandbox = await startBuilt('--log', 'silent')
    await play(stepsOf(blocksOf(readText('README.md'), 'Tour')), sandbox.url)
    const read = async (path: string) => (await fetch(`${sandbox.url}/_sandbox/${path}`)).json()
    expect(await read('users')).toMatchObject({ pagination: { total_elements: 8 } })
    expect(await read('clock')).toMatchObject({ mode: 'real', pending: 0 })
    expect(await sandbox.stop()).toBe(0)
  },
)

test('a scenario that cannot be used stops the start as docs/scenarios.md shows', () => {
  writeFileSync(badDay, scenario?.replace('move: FUNDS_RECEIVED', 'move: FUNDS_RECEIVD') ?? '')
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli.js'), '--port', '0', '--scenario', 'bad-day.yaml'],
    { encoding: 'utf8', cwd: folder },
  )
  const shown = /^sandramp: bad-day.yaml:.*$/m.exec(readText('docs/scenarios.md'))?.[0] ?? ''
  expect(status).toBe(2)
  expect(isShown(shown, stderr), stderr).toBe(true)
})
