import { RISKS } from '../contract/assumptions/stakes.js'
import type { QuestionsReport, SettledQuestion } from './report.js'
import {
  ANSWERS,
  ANSWERS_TITLE,
  answersFile,
  exampleTitle,
  exchangeText,
  introduction,
  type Numbered,
  numbered,
  RISK_TITLES,
  relyingWords,
  SETTLED_TITLE,
  TITLE,
} from './words.js'

/** The report as a page to send or to keep beside the code. */
export const markdownOf = (report: QuestionsReport): string => {
  const { open, settled } = report
  const questions = numbered(report)
  const parts = [
    `# ${TITLE}`,
    introduction(report),
    ...RISKS.flatMap((risk) => {
      const these = questions.filter(({ question }) => question.risk === risk)
      return these.length === 0 ? [] : [`## ${RISK_TITLES[risk]}`, ...these.flatMap(section)]
    }),
    ...(settled.length > 0 ? [`## ${SETTLED_TITLE}`, settled.map(settledLine).join('\n')] : []),
    ...(open.length > 0
      ? [`## ${ANSWERS_TITLE}`, ANSWERS, fenced('yaml', answersFile(report))]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const section = ({ question: it, number, shownAt }: Numbered): string[] => [
  `### ${number}. ${escaped(it.question)}`,
  `\`${it.id}\`: ${relyingWords(it)}.`,
  [
    `- **We assume:** ${escaped(it.assumed.description)} (\`${it.assumed.name}\`)`,
    ...it.others.map(
      ({ name, description }) => `- **Or is it:** ${escaped(description)} (\`${name}\`)`,
    ),
    `- **If the service reads it otherwise,** ${escaped(it.consequence)}.`,
    `- **What the assumption rests on:** ${escaped(it.basis)}`,
  ].join('\n'),
  ...(it.example ? [exampleTitle(it.example, shownAt)] : []),
  ...(it.example && shownAt === undefined ? [fenced('http', exchangeText(it.example))] : []),
]

const settledLine = ({ id, question, assumed, settled }: SettledQuestion): string => {
  const { reading, said_by, when, link } = settled
  // As addresses write them, without the brackets that would end it here.
  const source =
    link === undefined ? escaped(said_by) : `[${escaped(said_by)}](<${new URL(link).href}>)`
  const otherwise = assumed.name === reading ? '' : `; this world reads it as \`${assumed.name}\``
  return `- \`${id}\`: ${escaped(question)} \`${reading}\`, says ${source}, ${when}${otherwise}.`
}

/** A fence that is longer than every run of backticks in the text. */
const fenced = (language: string, text: string): string => {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text without meaning for Markdown, nor for the HTML that it may hold. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>&]/g, (it) => `\\${it}`).replace(/\s+/g, ' ')
