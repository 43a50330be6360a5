import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** A fenced block: its language, its text, and the line that it begins on. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

/** The fenced blocks of a page, or of one of its sections. */
export const blocksOf = (page: string, section?: string): Block[] => {
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
    if (inside)
      blocks.push({ language, text: lines.slice(start + 1, i).join('\n'), line: start + 1 })
  }
  return blocks
}

/** Commands, and the answer that the page shows below them. */
export interface Step {
  readonly commands: string
  readonly shown: string
  readonly line: number
}

/** The bash blocks in order, each with the answer block that follows it, if one does. */
export const stepsOf = (blocks: readonly Block[]): Step[] =>
  blocks.flatMap(({ language, text, line }, i) => {
    if (language !== 'bash') return []
    const next = blocks[i + 1]
    const shown = next && ['json', 'text'].includes(next.language) ? next.text : ''
    return [{ commands: text, shown, line }]
  })

/** Whether the output is what a page shows: spaces do not count, `…` stands for anything. */
export const isShown = (shown: string, output: string): boolean => {
  const squeezed = (text: string) => text.replace(/\s+/g, '')
  const parts = squeezed(shown)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(squeezed(output))
}

/** The links of a page that lead to a file of the repository. */
export const fileLinksOf = (page: string): string[] =>
  [...page.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
