import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, isShown, readText, root } from '../readme/markdown.js'
import { makeFolder, runCli } from './sandramp.js'

/** The fenced texts of a page in a language, in order. */
const textsOf = (page: string, language: string): string[] =>
  blocksOf(readText(page))
    .filter((it) => it.language === language)
    .map(({ text }) => text)

const textWith = (page: string, language: string, word: string): string =>
  textsOf(page, language).find((text) => text.includes(word)) ?? ''

/** What stands behind the program's name. */
const argumentsOf = (command: string): string[] => command.split(' ').slice(1)

describe.concurrent('what the pages show is what is printed:', () => {
  test('the report of docs/run.md', async () => {
    const page = 'docs/run.md'
    const cwd = makeFolder({
      'hiccup.yaml': textWith(page, 'yaml', 'name: hiccup'),
      'pay.mjs': textWith(page, 'js', 'fetch'),
    })
    const args = argumentsOf(textWith(page, 'sh', 'hiccup.yaml'))
    const { code, stdout, stderr } = await runCli(args, cwd)
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(isShown(textWith(page, 'text', 'hiccup/0'), stdout), stdout).toBe(true)
  })

  test('the matrix of docs/questions.md', async () => {
    const page = 'docs/questions.md'
    const cwd = makeFolder({ 'pay-twice.mjs': textWith(page, 'js', 'fetch') })
    const { code, stdout } = await runCli(argumentsOf(textWith(page, 'sh', 'pay-twice')), cwd)
    expect(code).toBe(1)
    expect(isShown(textWith(page, 'text', 'sandramp readings'), stdout), stdout).toBe(true)
  })

  test('the answers of docs/questions.md can be used, and the complaint is the one that comes', async () => {
    const page = 'docs/questions.md'
    const answers = textWith(page, 'yaml', 'said_by')
    const script = 'process.exit(0)'
    const run = (text: string) => {
      const cwd = makeFolder({ 'answers.yaml': text })
      const flags = ['--readings', 'answers.yaml']
      return runCli(
        ['run', 'magic-values', '--allow-idle', ...flags, '--', process.execPath, '-e', script],
        cwd,
      )
    }
    expect(await run(answers)).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await run(answers.replace('payout.repeat', 'payout.repeet'))
    expect(code).toBe(2)
    expect(isShown(textWith(page, 'text', 'payout.repeet'), stderr), stderr).toBe(true)
  })

  test('the journey of examples/ arrives', async () => {
    const journey = join(root, 'examples/journey.mjs')
    const { code, stdout } = await runCli(['run', 'magic-values', '--', process.execPath, journey])
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('paid 84 EUR and 1500 NGN\n')
  })
})
