import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, fileLinksOf, readText, root } from './markdown.js'

const readme = readText('README.md')

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)

const pages = [
  'README.md',
  'FIDELITY.md',
  'CHANGELOG.md',
  'fixtures/README.md',
  ...markdownIn('docs'),
]

describe('links lead to files', () => {
  test.each(pages)('%s', (page) => {
    const missing = fileLinksOf(readText(page)).filter(
      (target) => !existsSync(join(root, dirname(page), target)),
    )
    expect(missing).toEqual([])
  })
})

test('every picture is shown on a page', () => {
  const shown = pages.flatMap((page) =>
    fileLinksOf(readText(page)).map((target) => join(dirname(page), target)),
  )
  const pictures = readdirSync(join(root, 'docs/screenshots'))
  expect(pictures.length).toBeGreaterThan(20)
  expect(pictures.filter((it) => !shown.includes(join('docs/screenshots', it)))).toEqual([])
})

test('the two commands stand there, and their scripts exist', () => {
  const commands = blocksOf(readme, 'Start').map(({ text }) => text)
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  expect(Object.keys(JSON.parse(readText('package.json')).scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'dev', 'check']),
  )
})

test('the table of flags says what --help says', () => {
  const help = execFileSync(process.execPath, [join(root, 'dist/cli.js'), '--help'], {
    encoding: 'utf8',
  })
  const wanted = [...help.matchAll(/^ {2}(--\S+(?: \S+)*) {2,}(.+?)(?: \[(\w+)\])?$/gm)].map(
    ([, flag = '', text = '', variable]) =>
      `| \`${flag.replaceAll('|', '\\|')}\` | ${variable ? `\`${variable}\` ` : ''}| ${text} |`,
  )
  const shown = readme.split('\n').filter((line) => line.startsWith('| `--'))
  expect(wanted.length).toBeGreaterThan(5)
  expect(shown.join('\n')).toBe(wanted.join('\n'))
})

test('the keys that the README shows are those of the fixtures', () => {
  const keys = (text: string) => [...new Set(text.match(/\bSandramp\w{24}\b/g))].sort()
  expect(keys(readme)).toEqual(keys(readText('fixtures/README.md')))
})

describe('TypeScript that a page shows is a test of its own', () => {
  const folder = join(root, 'test/readme/examples')
  const examples = readdirSync(folder).map((file) =>
    readFileSync(join(folder, file), 'utf8').replaceAll('../../../src/index.js', 'sandramp').trim(),
  )
  const shown = pages.flatMap((page) =>
    blocksOf(readText(page))
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({ page, line, text })),
  )
  test.each(shown)('$page, line $line', ({ text }) => {
    expect(examples).toContain(text)
  })
})
