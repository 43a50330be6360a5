import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  findFileLinks,
  findLinks,
  listAnchors,
  pages,
  parseBlocks,
  readText,
  root,
} from './markdown.js'

const readme = readText('README.md')

describe('links of a page lead to files and headings', () => {
  test.each(pages)('%s', (page) => {
    const broken = findLinks(readText(page)).filter((link) => {
      const [file = '', anchor] = link.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      if (!existsSync(join(root, path))) return true
      return anchor !== undefined && !listAnchors(readText(path)).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})

test('every picture is shown on a page', () => {
  const shown = pages.flatMap((page) =>
    findFileLinks(readText(page)).map((target) => join(dirname(page), target)),
  )
  const pictures = readdirSync(join(root, 'docs/screenshots'))
  expect(pictures.length).toBeGreaterThan(10)
  expect(pictures.filter((it) => !shown.includes(join('docs/screenshots', it)))).toEqual([])
})

test('the README has at most 130 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(131)
})

test('the README shows the two commands, and package.json has their scripts', () => {
  const commands = parseBlocks(readme, 'Start')
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  expect(Object.keys(JSON.parse(readText('package.json')).scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'dev', 'check']),
  )
})

test('compose.md shows compose.yaml, whose volume is the folder of the data file', () => {
  const file = readText('compose.yaml')
  const [shown] = parseBlocks(readText('docs/recipes/compose.md'))
    .filter(({ language }) => language === 'yaml')
    .map(({ text }) => text)
  expect(file).toContain(`\n${shown}\n`)
  const { services, volumes } = parse(file)
  expect(services.sandramp).toMatchObject({
    environment: { SANDRAMP_DATA: '/data/state.json' },
    volumes: ['data:/data'],
    read_only: true,
  })
  expect(Object.keys(volumes)).toEqual(['data'])
})

test('the keys of service-api.md are those of the fixtures', () => {
  const keys = (text: string) => [...new Set(text.match(/\bSandramp\w{24}\b/g))].sort()
  expect(keys(readText('docs/reference/service-api.md'))).toEqual(
    keys(readText('fixtures/README.md')),
  )
})

describe('every TypeScript block of a page is a test in test/readme/examples', () => {
  const folder = join(root, 'test/readme/examples')
  const examples = readdirSync(folder).map((file) =>
    readFileSync(join(folder, file), 'utf8')
      .replaceAll('../../../src/index.js', 'sandramp')
      .replaceAll('../../../src/runners/vitest.js', 'sandramp/vitest')
      .trim(),
  )
  const shown = pages.flatMap((page) =>
    parseBlocks(readText(page))
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({ page, line, text })),
  )
  test.each(shown)('$page, line $line', ({ text }) => {
    expect(examples).toContain(text)
  })
})
