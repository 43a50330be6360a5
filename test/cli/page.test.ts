import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchesShown, parseBlocks, readText, root } from '../readme/markdown.js'
import { keys } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { runHere } from './run-in-process.js'
import { makeFolder, startProgram } from './sandramp.js'

const textsOf = (page: string, language: string): string[] =>
  parseBlocks(readText(page))
    .filter((it) => it.language === language)
    .map(({ text }) => text)

const textWith = (page: string, language: string, word: string): string =>
  textsOf(page, language).find((text) => text.includes(word)) ?? ''

describe('pages and examples:', () => {
  test('the answers file of open-questions.md is valid, and the error of a misspelt id is the one shown', async () => {
    const page = 'docs/reference/open-questions.md'
    const answers = textWith(page, 'yaml', 'said_by')
    const script = 'process.exit(0)'
    const run = (text: string) => {
      const cwd = makeFolder({ 'answers.yaml': text })
      const flags = ['--readings', 'answers.yaml']
      return runHere(
        ['run', 'magic-values', '--allow-idle', ...flags, '--', process.execPath, '-e', script],
        cwd,
      )
    }
    expect(await run(answers)).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await run(answers.replace('payout.repeat', 'payout.repeet'))
    expect(code).toBe(2)
    expect(matchesShown(textWith(page, 'text', 'payout.repeet'), stderr), stderr).toBe(true)
  })

  const play = async (example: string) => {
    const { sandbox } = await openOwnSandbox({ scenarios: ['magic-values'] })
    const { url } = await sandbox.listen({ port: 0 })
    const env = { SANDRAMP_URL: url, SANDRAMP_API_KEY: keys.full }
    const { ended } = startProgram(process.execPath, [join(root, example)], undefined, env)
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.audit().violations).toEqual([])
    return (await ended).stdout
  }

  test('examples/journey.mjs completes an offramp and a payout', async () => {
    expect(await play('examples/journey.mjs')).toContain('paid 84 EUR and 1500 NGN\n')
  })

  test('examples/tour.mjs ends with a clean audit and one payout after a retry', async () => {
    expect(await play('examples/tour.mjs')).toMatch(
      /^Send it again +the same payout, 3450 NGN left\nAudit the ledger +ok$/m,
    )
  })
})
