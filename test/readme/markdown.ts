import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)
    .sort()

/** Every Markdown page of the repository. */
export const pages = [
  'README.md',
  'FIDELITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'llms.txt',
  'fixtures/README.md',
  ...markdownIn('docs'),
]

/** A fenced block: its language, its text, and the line that it begins on. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
  /** The file that the sentence before the block names last, such as `pay.mjs`. */
  readonly file?: string
}

const FILE = /`([\w.-]+\.(?:yaml|mjs|js|ts|py|java|go))`/g

const fileNamedBefore = (lines: readonly string[], fence: number): string | undefined => {
  const before = lines.slice(0, fence).findLast((line) => line !== '') ?? ''
  return [...before.matchAll(FILE)].at(-1)?.[1]
}

/** The fenced blocks of a page, or of one of its sections. */
export const parseBlocks = (page: string, section?: string): Block[] => {
  const blocks: Block[] = []
  const lines = page.split('\n')
  let inside = section === undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (section !== undefined && line.startsWith('## ')) inside = line === `## ${section}`
    const language = /^```(\w*)$/.exec(line)?.[1]
    if (language === undefined) continue
    const start = i
    while (++i < lines.length && lines[i] !== '```');
    if (!inside) continue
    const file = fileNamedBefore(lines, start)
    const text = lines.slice(start + 1, i).join('\n')
    blocks.push({ language, text, line: start + 1, ...(file && { file }) })
  }
  return blocks
}

const SHELLS = ['bash', 'sh', 'json', 'text', '']

/** The files that a page shows: each is named in the sentence before its block. */
export const findFiles = (page: string): Record<string, string> =>
  Object.fromEntries(
    parseBlocks(page).flatMap(({ language, text, file }) =>
      file && !SHELLS.includes(language) ? [[file, `${text}\n`]] : [],
    ),
  )

const START = /^(?:npm start --|npx sandramp start) (.+)$/m

/** The flags of the start command that a page shows last before its first commands. */
export const findStartFlags = (page: string): string[] => {
  const blocks = parseBlocks(page)
  const first = blocks.findIndex(({ language }) => language === 'bash')
  const start = blocks
    .slice(0, first)
    .findLast(({ language, text }) => language === 'sh' && START.test(text))
  return START.exec(start?.text ?? '')?.[1]?.split(' ') ?? []
}

/** Commands, and the answer that the page shows below them. */
export interface Step {
  readonly commands: string
  readonly shown: string
  readonly line: number
}

/** The bash blocks in order, each with the answer block that follows it, if one does. */
export const toSteps = (blocks: readonly Block[]): Step[] =>
  blocks.flatMap(({ language, text, line }, i) => {
    if (language !== 'bash') return []
    const next = blocks[i + 1]
    const shown = next && ['json', 'text'].includes(next.language) ? next.text : ''
    return [{ commands: text, shown, line }]
  })

/** Whether the output is what a page shows: spaces do not count, `…` stands for anything. */
export const matchesShown = (shown: string, output: string): boolean => {
  const squeezed = (text: string) => text.replace(/\s+/g, '')
  const parts = squeezed(shown)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(squeezed(output))
}

/** The links of a page into the repository, such as `reference/cli.md#logs`, or `#logs` within the page. */
export const findLinks = (page: string): string[] =>
  [...page.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** The links of a page that lead to a file of the repository. */
export const findFileLinks = (page: string): string[] =>
  findLinks(page)
    .map((target) => target.split('#')[0] ?? '')
    .filter((target) => target !== '')

/** The anchors that GitHub gives the headings of a page. */
export const listAnchors = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
