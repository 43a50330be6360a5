import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { textOf } from '../support/console-visit.js'
import { users } from '../support/fixture-ids.js'

const EMPTY = /<div class="empty"><p>(.*?)<\/p>(?:<div class="command">.*?<code>(.*?)<\/code>)?/gs

const run = promisify(execFile)

/** What somebody does, and what there can be. */
const RECORDS = [
  'accounts',
  'balances',
  'consents',
  'deposits',
  'instructions',
  'offramps',
  'payouts',
  'transfers',
  'users',
  'wallets',
]
const TERMS = ['chains', 'rails', 'rates', 'tokens']

/** A sandbox over fixtures in which these lists are empty, and its pages by their own address. */
const openEmpty = async (lists: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-empty-'))
  cpSync('fixtures', folder, { recursive: true })
  for (const list of lists) writeFileSync(join(folder, `${list}.json`), '[]')
  const sandbox = await createSandbox({ fixtures: folder, clock: 'manual', seed: 'tests' })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })
  const { url } = await sandbox.listen({ port: 0 })
  const emptyOn = async (path: string) => {
    const html = await (await fetch(new URL(path, url))).text()
    return [...html.matchAll(EMPTY)].map(([, words = '', command]) => ({
      words: textOf(words),
      command: command && textOf(command),
    }))
  }
  return { sandbox, emptyOn }
}

test.each([
  ['/payouts', 5],
  ['/wallets', 4],
  ['/offramps', 6],
  ['/transfers', 6],
  ['/users', 2],
  ['/deposits', 1],
  ['/deposits?matched=offramp', 6],
  ['/deposits?matched=wallet', 5],
])(
  '%s leads from an empty world to a first record by %d commands that work',
  async (path, most) => {
    const { emptyOn } = await openEmpty([...RECORDS])
    let steps = 0
    for (let empty = await emptyOn(path); empty.length > 0; empty = await emptyOn(path)) {
      const [next] = empty
      expect(next?.words).toMatch(/:$/)
      expect(++steps).toBeLessThanOrEqual(most)
      const { stdout } = await run('sh', ['-c', `${next?.command} -s -w '%{http_code}'`])
      expect(stdout, next?.command).toMatch(/20[01]$/)
    }
    expect(steps).toBe(most)
  },
)

const PAGES = ['/payouts', '/wallets', '/offramps', '/transfers', '/users', '/deposits']

test('where no API key is there, one is created first', async () => {
  const { sandbox, emptyOn } = await openEmpty([...RECORDS, ...TERMS, 'api-keys'])
  for (const path of PAGES) for (const { words } of await emptyOn(path)) expect(words).toMatch(/:$/)
  const [next] = await emptyOn('/users')
  expect(next?.words).toContain('No API key is there to call with either. Create one:')
  await run('sh', ['-c', `${next?.command} -s`])
  expect(sandbox.tables.api_keys.size).toBe(1)
})

test('where no command would help, whole sentences tell why', async () => {
  const people = ['users', 'consents']
  const { emptyOn } = await openEmpty([...TERMS, ...RECORDS.filter((it) => !people.includes(it))])
  const told = async (path: string) => (await emptyOn(path))[0]
  expect(await told('/payouts')).toEqual({
    words:
      'No payout is like this. The fixtures have no rail that reaches banks, so there can be none.',
  })
  expect(await told('/wallets')).toEqual({
    words: 'No wallet is here. The fixtures have no chain for another one.',
  })
  expect(await told('/offramps')).toEqual({
    words: 'None yet. The fixtures have no token, so no crypto can be expected anywhere.',
  })
  expect(await told(`/wallets?user_id=${users.offboarded}`)).toEqual({
    words: 'No wallet is here. Felix Brandt is offboarded, which is for good.',
  })
  expect((await told(`/wallets?user_id=${users.paused}`))?.words).toContain(
    'is paused, and only active users can have any. Move this one to active:',
  )
})
