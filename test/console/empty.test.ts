import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { textOf } from '../support/console-visit.js'

const EMPTY = /<div class="empty"><p>(.*?)<\/p>(?:<div class="command">.*?<code>(.*?)<\/code>)?/gs

const run = promisify(execFile)

const MONEY = ['payouts', 'transfers', 'offramps', 'deposits']
const PEOPLE = [...MONEY, 'wallets', 'instructions', 'accounts', 'balances', 'users']

interface Consent {
  readonly used_by?: string | null
}

/** The examples of a page, and its sandbox. These lists of the fixtures are empty. */
const openEmpty = async (lists: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-empty-'))
  cpSync('fixtures', folder, { recursive: true })
  for (const list of lists) writeFileSync(join(folder, `${list}.json`), '[]')
  if (lists.includes('users')) {
    const consents: Consent[] = JSON.parse(readFileSync('fixtures/consents.json', 'utf8'))
    const unused = consents.filter(({ used_by }) => !used_by)
    writeFileSync(join(folder, 'consents.json'), JSON.stringify(unused))
  }
  const sandbox = await createSandbox({ fixtures: folder, clock: 'manual', seed: 'tests' })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })
  const { url } = await sandbox.listen({ port: 0 })
  return async (path: string) => {
    const html = await (await fetch(new URL(path, url))).text()
    return [...html.matchAll(EMPTY)].map(([, words = '', command]) => ({
      words: textOf(words),
      command: command && textOf(command),
    }))
  }
}

test.each([
  ['/payouts', MONEY],
  ['/wallets', [...MONEY, 'wallets']],
  ['/offramps', [...MONEY, 'instructions']],
  ['/transfers', MONEY],
  ['/users', PEOPLE],
  ['/deposits', MONEY],
  ['/deposits?matched=offramp', MONEY],
  ['/deposits?matched=wallet', MONEY],
])('the example on an empty %s page creates a record', async (path, lists) => {
  const examplesOn = await openEmpty(lists)
  const [example, ...others] = await examplesOn(path)
  expect(example?.words).toMatch(/:$/)
  const { stdout } = await run('sh', ['-c', `${example?.command} -s -w '%{http_code}'`])
  expect(stdout, example?.command).toMatch(/20[01]$/)
  expect(await examplesOn(path)).toHaveLength(others.length)
})
