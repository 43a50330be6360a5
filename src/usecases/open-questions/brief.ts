import { escaped as escapedHtml, renderPage } from './html.js'
import { escaped as escapedMarkdown } from './markdown.js'
import type { Question, QuestionsReport } from './report.js'
import {
  countsInWords,
  introduction,
  LEFT_OUT_TITLE,
  requestsInWords,
  TITLE,
} from './report-text.js'

/** So many questions fit on one screen. */
const MAX_QUESTIONS = 10

/** A question on one line, with a box to tick for each reading. */
interface Row {
  readonly risk: string
  readonly question: string
  readonly guess: string
  readonly alternatives: readonly string[]
  readonly cost: string
}

/** The report on one screen: what costs most, exercised or not, and a box for each reading. */
interface Brief {
  readonly rows: readonly Row[]
  /** Sentences below the rows. */
  readonly notes: readonly string[]
}

const buildBrief = ({ open, unexercised, left_out }: QuestionsReport): Brief => {
  const high = open.filter(({ risk }) => risk === 'high')
  const rest = open.filter(({ risk }) => risk !== 'high')
  const rows = [...high, ...unexercised, ...rest].map(toRow)
  const more = rows.length - MAX_QUESTIONS
  const topics = left_out.map(({ topic }) => topic.toLowerCase()).join(', ')
  return {
    rows: rows.slice(0, MAX_QUESTIONS),
    notes: [
      ...(more > 0 ? [`The full report has ${more} more.`] : []),
      `${LEFT_OUT_TITLE}: ${topics}.`,
    ],
  }
}

const toRow = ({ risk, hits, question, assumed, others, consequence }: Question): Row => ({
  risk: hits === 0 ? `${risk}, not exercised` : risk,
  question,
  guess: ticked(assumed.description),
  alternatives: others.map(({ description }) => ticked(description)),
  cost: consequence,
})

const ticked = (reading: string): string => `☐ ${reading}`

const COLUMNS = ['Risk', 'Question', 'Our guess', 'Or is it', 'If our guess is wrong']
const TICK = 'Please tick the reading that is right.'

export const briefMarkdown = (report: QuestionsReport): string => {
  const { rows, notes } = buildBrief(report)
  const lines = rows.map(({ risk, question, guess, alternatives, cost }) =>
    line([risk, question, guess, alternatives.join('<br>'), cost].map(cell)),
  )
  const table = [line(COLUMNS), line(COLUMNS.map(() => '---')), ...lines].join('\n')
  const parts = [
    `# ${TITLE}`,
    ...(rows.length === 0 ? [introduction(report)] : [`${countsInWords(report)}. ${TICK}`, table]),
    ...notes,
  ]
  return `${parts.join('\n\n')}\n`
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const cell = (text: string): string =>
  text.split('<br>').map(escapedMarkdown).join('<br>').replaceAll('|', '\\|')

export const briefHtml = (report: QuestionsReport): string => {
  const { rows, notes } = buildBrief(report)
  return renderPage([
    `<p class="faint">${countsInWords(report)}. ${requestsInWords(report)}.</p>`,
    ...(rows.length === 0
      ? [`<p>${escapedHtml(introduction(report))}</p>`]
      : [`<p>${TICK}</p>`, '<table>', HEADER, ...rows.map(htmlRow), '</table>']),
    ...notes.map((it) => `<p class="faint">${escapedHtml(it)}</p>`),
  ])
}

const HEADER = `<tr>${COLUMNS.map((it) => `<th>${it}</th>`).join('')}</tr>`

/** Narrow screens show each cell below the name of its column. */
const htmlRow = ({ risk, question, guess, alternatives, cost }: Row): string => {
  const cells = [[risk], [question], [guess], alternatives, [cost]]
  const html = cells.map((lines, i) => {
    return `<td data-column="${COLUMNS[i]}">${lines.map(escapedHtml).join('<br>')}</td>`
  })
  return `<tr>${html.join('')}</tr>`
}
