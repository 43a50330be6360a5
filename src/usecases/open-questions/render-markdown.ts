import { type Block, buildBriefReport, buildFullReport, type Inline, TITLE } from './document.js'
import type { QuestionsReport } from './report.js'

export const renderMarkdown = (report: QuestionsReport): string => render(buildFullReport(report))

export const renderBriefMarkdown = (report: QuestionsReport): string =>
  render(buildBriefReport(report))

const render = (blocks: readonly Block[]): string =>
  `${[`# ${TITLE}`, ...blocks.flatMap(renderBlock)].join('\n\n')}\n`

const renderBlock = (block: Block): string[] => {
  switch (block.kind) {
    case 'heading':
      return [`## ${block.text}`]
    case 'paragraph':
      return [block.text.map(renderInline).join('')]
    case 'terms':
      return [
        block.terms
          .map(
            ({ term, text }) => `- **${renderInline(term)}:** ${text.map(renderInline).join('')}`,
          )
          .join('\n'),
      ]
    case 'code':
      return [fence(block.language, block.text)]
    case 'question':
      return [`### ${escapeMarkdown(block.title)}`, ...block.blocks.flatMap(renderBlock)]
    case 'table':
      return [
        [
          row(block.columns),
          row(block.columns.map(() => '---')),
          ...block.rows.map((cells) => row(cells.map(renderCell))),
        ].join('\n'),
      ]
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const renderCell = (lines: readonly string[]): string =>
  lines.map(escapeMarkdown).join('<br>').replaceAll('|', '\\|')

const renderInline = (it: Inline): string => {
  if (typeof it === 'string') return escapeMarkdown(it)
  if ('code' in it) return `\`${it.code}\``
  // URL escapes the angle brackets that would end the address here.
  return `[${escapeMarkdown(it.link)}](<${new URL(it.href).href}>)`
}

/** The fence must be longer than every run of backticks in the text. */
const fence = (language: string, text: string): string => {
  const runs = text.match(/`+/g) ?? []
  const marks = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${marks}${language}\n${text}\n${marks}`
}

const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<>&]/g, (it) => `\\${it}`).replace(/\s+/g, ' ')
