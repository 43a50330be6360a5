import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { RISKS } from '../../assumptions/register/risks.js'
import type { QuestionsReport, SettledQuestion, UnexercisedQuestion } from './report.js'
import {
  ANSWERS,
  ANSWERS_TITLE,
  answersFile,
  exampleTitle,
  exchangeText,
  introduction,
  LEFT_OUT_TITLE,
  LEFT_OUT_WORDS,
  type Numbered,
  numbered,
  RISK_TITLES,
  relyingWords,
  SETTLED_TITLE,
  TITLE,
  UNEXERCISED,
  UNEXERCISED_TITLE,
} from './report-text.js'

/** The report as a page to send or to keep beside the code. */
export const renderMarkdown = (report: QuestionsReport): string => {
  const { settled, unexercised, left_out } = report
  const questions = numbered(report)
  const answers = answersFile(report)
  const parts = [
    `# ${TITLE}`,
    introduction(report),
    ...RISKS.flatMap((risk) => {
      const these = questions.filter(({ question }) => question.risk === risk)
      return these.length === 0 ? [] : [`## ${RISK_TITLES[risk]}`, ...these.flatMap(section)]
    }),
    ...(unexercised.length > 0
      ? [`## ${UNEXERCISED_TITLE}`, UNEXERCISED, unexercised.map(unexercisedLine).join('\n')]
      : []),
    `## ${LEFT_OUT_TITLE}`,
    LEFT_OUT_WORDS,
    left_out.map(({ topic, question }) => `- **${topic}:** ${escaped(question)}`).join('\n'),
    ...(settled.length > 0 ? [`## ${SETTLED_TITLE}`, settled.map(settledLine).join('\n')] : []),
    ...(answers === '' ? [] : [`## ${ANSWERS_TITLE}`, ANSWERS, fenced('yaml', answers)]),
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
    ...(it.settled ? [`- **Settled otherwise:** ${renderAnswer(it.settled)}`] : []),
    `- **If the service reads it otherwise,** ${escaped(it.consequence)}.`,
    `- **What the assumption rests on:** ${escaped(it.basis)}`,
  ].join('\n'),
  ...(it.example ? [exampleTitle(it.example, shownAt)] : []),
  ...(it.example && shownAt === undefined ? [fenced('http', exchangeText(it.example))] : []),
]

const unexercisedLine = ({ id, message, consequence }: UnexercisedQuestion): string =>
  `- \`${id}\`: ${escaped(message)} If otherwise, ${escaped(consequence)}.`

const settledLine = ({ id, question, assumed, settled: confirmed }: SettledQuestion): string => {
  const otherwise =
    assumed.name === confirmed.reading ? '' : `; this world reads it as \`${assumed.name}\``
  return `- \`${id}\`: ${escaped(question)} ${renderAnswer(confirmed)}${otherwise}.`
}

/** An answer, and where it is from. */
const renderAnswer = ({ reading, said_by, when, link }: ConfirmedReading): string => {
  // As addresses write them, without the brackets that would end it here.
  const source =
    link === undefined ? escaped(said_by) : `[${escaped(said_by)}](<${new URL(link).href}>)`
  return `\`${reading}\`, says ${source}, ${when}`
}

/** A fence that is longer than every run of backticks in the text. */
const fenced = (language: string, text: string): string => {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text without meaning for Markdown, nor for the HTML that it may hold. */
export const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>&]/g, (it) => `\\${it}`).replace(/\s+/g, ' ')
