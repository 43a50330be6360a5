import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findFiles,
  findStartFlags,
  matchesShown,
  pages,
  parseBlocks,
  readText,
  root,
  toSteps,
} from './markdown.js'
import { missingPrograms, type Played, play, prepareFolder, SHOWN_URL } from './run-in-bash.js'
import { startSandbox } from './start-sandbox.js'

/** The progress that `sandramp readings` and `run --each` print to standard error. */
const PROGRESS = /^(first run, |other readings: |cases: |\d+ cells?, about |\d+\/\d+ ).*\n/gm

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'sandramp-pages-'))

/** Pages whose bash blocks are typed into one bash, against a fresh sandbox if they call one. */
const played = pages.flatMap((path) => {
  const page = readText(path)
  const steps = toSteps(parseBlocks(page))
  if (steps.length === 0) return []
  const text = [...steps.map((it) => it.commands), ...Object.values(findFiles(page))].join('\n')
  const missing = missingPrograms(steps)
  const name = missing.length === 0 ? path : `${path} (needs ${missing.join(' and ')})`
  return [{ path, name, page, steps, missing, callsSandbox: text.includes(SHOWN_URL) }]
})

/** Pages wait for real delays, so two of them are typed at a time. */
const typing = pLimit(2)

for (const { path, name, page, steps, missing, callsSandbox } of played) {
  describe.skipIf(missing.length > 0).concurrent(`the commands of ${name}`, () => {
    const folder = makeFolder()
    let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined
    let result: Played

    beforeAll(async () => {
      const files = findFiles(page)
      prepareFolder(folder, files)
      if (callsSandbox) sandbox = await startSandbox(findStartFlags(page), folder)
      const url = sandbox?.url ?? SHOWN_URL
      for (const [file, text] of Object.entries(files))
        writeFileSync(join(folder, file), text.replaceAll(SHOWN_URL, url))
      result = await typing(() => play(steps, folder, url))
    })
    afterAll(async () => {
      await sandbox?.close()
      rmSync(folder, { recursive: true })
    })

    test.each(steps.map((step, i) => ({ ...step, i })))(
      'line $line prints the output that the page shows',
      ({ commands, shown, i }) => {
        const output = result.outputs[i] ?? ''
        const difference = `${commands}\n\nshown:\n${shown}\n\nprinted:\n${output}`
        expect(matchesShown(shown, output), difference).toBe(true)
      },
    )

    test('print no errors', () => {
      expect(result.errors.replace(PROGRESS, '')).toBe('')
    })

    test('contain no characters that an interactive shell expands', () => {
      expect(steps.filter(({ commands }) => /!|^\s*#/m.test(commands))).toEqual([])
    })

    test.runIf(path === 'docs/tour.md')('leave the fixtures and a running clock', async () => {
      const read = async (it: string) => (await fetch(`${sandbox?.url}/_sandbox/${it}`)).json()
      expect(await read('users')).toMatchObject({ pagination: { total_elements: 8 } })
      expect(await read('clock')).toMatchObject({ mode: 'real', pending: 0 })
    })
  })
}

test('every program on a page is a file that a command of the page runs', () => {
  const unused = pages.flatMap((path) => {
    const page = readText(path)
    const commands = parseBlocks(page).filter(({ language }) => ['bash', 'sh'].includes(language))
    return parseBlocks(page)
      .filter(({ language }) => ['js', 'python', 'java', 'go'].includes(language))
      .filter(({ file }) => !file || !commands.some(({ text }) => text.includes(file)))
      .map(({ line }) => `${path}:${line}`)
  })
  expect(unused).toEqual([])
})

test('start rejects an invalid scenario with the error that scenarios.md shows', () => {
  const page = readText('docs/reference/scenarios.md')
  const folder = makeFolder()
  const scenario = findFiles(page)['bad-day.yaml'] ?? ''
  writeFileSync(
    join(folder, 'bad-day.yaml'),
    scenario.replace('move: FUNDS_RECEIVED', 'move: FUNDS_RECEIVD'),
  )
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli.js'), '--port', '0', '--scenario', 'bad-day.yaml'],
    { encoding: 'utf8', cwd: folder },
  )
  const shown = /^sandramp: bad-day.yaml:.*$/m.exec(page)?.[0] ?? ''
  expect(status).toBe(2)
  expect(matchesShown(shown, stderr), stderr).toBe(true)
  rmSync(folder, { recursive: true })
})
