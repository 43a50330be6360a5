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

test('the README or docs/README.md links every page of docs', () => {
  const linked = ['README.md', 'docs/README.md'].flatMap((page) =>
    findFileLinks(readText(page)).map((target) => join(dirname(page), target)),
  )
  const own = pages.filter((page) => page.startsWith('docs/') && !page.includes('decisions/'))
  expect(own.filter((page) => !linked.includes(page))).toEqual([])
})

test('every picture is shown on a page', () => {
  const shown = pages.flatMap((page) =>
    findFileLinks(readText(page)).map((target) => join(dirname(page), target)),
  )
  const pictures = readdirSync(join(root, 'docs/screenshots'))
  expect(pictures.length).toBeGreaterThan(10)
  expect(pictures.filter((it) => !shown.includes(join('docs/screenshots', it)))).toEqual([])
})

test('the README has at most 110 lines, and its table at most ten rows', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(110)
  expect(readme.match(/^\|/gm)?.length).toBeLessThanOrEqual(10 + 2)
})

test.each([
  ['Start a sandbox', 'npm ci && npm start'],
  ['Work on Sandramp', 'npm ci && npm test'],
])('the README shows under "%s" the command %s', (section, command) => {
  const commands = parseBlocks(readme, section).filter(({ language }) => language === 'sh')
  expect(commands.map(({ text }) => text)).toEqual([command])
  const { scripts } = JSON.parse(readText('package.json'))
  expect(scripts).toHaveProperty(command.replace('npm ci && npm ', ''))
})

test('docker.md shows compose.yaml, whose volume is the folder of the data file', () => {
  const file = readText('compose.yaml')
  const [shown] = parseBlocks(readText('docs/hosting/docker.md'))
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

describe('every TypeScript block of a page is in a test of test/readme/examples', () => {
  const folder = join(root, 'test/readme/examples')
  const examples = readdirSync(folder).map((file) =>
    readFileSync(join(folder, file), 'utf8')
      .replaceAll('../../../src/index.js', 'sandramp')
      .replaceAll('../../../src/runners/vitest.js', 'sandramp/vitest'),
  )
  // The test of the README fails, as it says: test/package/runners.test.ts runs it.
  const green = pages.filter((page) => page !== 'README.md')
  const shown = green.flatMap((page) =>
    parseBlocks(readText(page))
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({ page, line, text })),
  )
  test.each(shown)('$page, line $line', ({ text }) => {
    expect(examples.filter((it) => it.includes(text))).toHaveLength(1)
  })
})
