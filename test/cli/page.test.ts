import { expect, test } from 'vitest'
import { blocksOf, isShown, readText } from '../readme/markdown.js'
import { makeFolder, runCli } from './sandramp.js'

const blocks = blocksOf(readText('docs/run.md'))
const textOf = (language: string) => blocks.find((it) => it.language === language)?.text ?? ''

test('the report of docs/run.md is the one that is printed', async () => {
  const cwd = makeFolder({ 'hiccup.yaml': textOf('yaml'), 'pay.mjs': textOf('js') })
  const [, ...args] = textOf('sh').split(' ')
  const { code, stdout, stderr } = await runCli(args, cwd)
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(isShown(textOf('text'), stdout), stdout).toBe(true)
})
