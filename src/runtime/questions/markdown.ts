import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { RISKS, type Risk } from '../../assumptions/register/assumption.js'
import { plural } from '../../lib/text.js'
import {
  countsByRisk,
  type Example,
  isIdle,
  nameOperation,
  type OpenQuestion,
  type QuestionsReport,
  type SettledQuestion,
} from './report.js'

const TITLE = 'Open questions of our integration'

const RISK_TITLES: Readonly<Record<Risk, string>> = {
  high: 'High: money may move twice or be lost',
  medium: 'Medium: our client may take the wrong branch',
  low: 'Low: only a format differs, or the service accepts more',
}

const NO_REQUEST =
  'The sandbox has logged no request, so this report cannot list the open questions of our integration. ' +
  'Send requests to the sandbox and write the report again.'

const SECTIONS = {
  unexercised: {
    title: 'High, but not exercised',
    text: 'Our requests called these operations, but no request met the case. Either tests are missing, or the case cannot happen to us.',
  },
  leftOut: {
    title: 'Not covered by the contract',
    text: 'The sandbox has no readings for these questions, so no test run can answer them. They are the same in every report.',
  },
  settled: { title: 'Settled', text: undefined },
  answers: {
    title: 'Record the answers',
    text: 'Write the answers to a file and start the sandbox with --readings and that file. Then these questions count as settled.',
  },
} as const

export const renderMarkdown = (report: QuestionsReport): string => {
  const { settled, unexercised, left_out } = report
  const questions = numberQuestions(report)
  const answers = answersFile(report)
  return toDocument([
    ...introduction(report),
    ...RISKS.flatMap((risk) => {
      const those = questions.filter(({ question }) => question.risk === risk)
      return those.length === 0 ? [] : [`## ${RISK_TITLES[risk]}`, ...those.flatMap(questionParts)]
    }),
    ...section(
      SECTIONS.unexercised,
      unexercised.map(({ id, message, consequence }) =>
        listItem(code(id), escapeMarkdown(`${message} If not, ${consequence}.`)),
      ),
    ),
    ...section(
      SECTIONS.leftOut,
      left_out.map(({ topic, question }) => listItem(topic, escapeMarkdown(question))),
    ),
    ...section(SECTIONS.settled, settled.map(settledItem)),
    ...(answers === ''
      ? []
      : [`## ${SECTIONS.answers.title}`, SECTIONS.answers.text, fence('yaml', answers)]),
  ])
}

const toDocument = (parts: readonly string[]): string =>
  `${[`# ${TITLE}`, ...parts].join('\n\n')}\n`

const section = (
  { title, text }: { readonly title: string; readonly text: string | undefined },
  items: readonly string[],
): string[] =>
  items.length === 0 ? [] : [`## ${title}`, ...(text === undefined ? [] : [text]), items.join('\n')]

const listItem = (term: string, text: string): string => `- **${term}:** ${text}`

const SOME_OPEN =
  'Some responses to our requests relied on points that the interface specification leaves open. ' +
  'Each question below names the assumption of the sandbox. Please confirm the right reading of each.'

const introduction = (report: QuestionsReport): readonly string[] => {
  if (isIdle(report)) return ['No requests yet.', NO_REQUEST]
  const { open, requests, at } = report
  const headline = `${formatCounts(report)}. ${plural(requests, 'request')}, up to ${at}.`
  const none = 'No response to our requests relied on an open question.'
  return [headline, open.length === 0 ? none : SOME_OPEN]
}

/** `7 open: 3 high, 4 low; 2 high-risk questions had no request` */
const formatCounts = ({ open, unexercised }: QuestionsReport): string => {
  const counts = open.length === 0 ? 'none open' : `${open.length} open: ${countsByRisk(open)}`
  if (unexercised.length === 0) return counts
  return `${counts}; ${plural(unexercised.length, 'high-risk question')} had no request`
}

/** `shownAt` is the number of an earlier question with the same example. */
interface NumberedQuestion {
  readonly question: OpenQuestion
  readonly number: number
  readonly shownAt: number | undefined
}

const numberQuestions = ({ open }: QuestionsReport): NumberedQuestion[] => {
  const shown = new Map<string, number>()
  return open.map((question, i) => {
    const request = question.example?.request_id ?? ''
    const shownAt = shown.get(request)
    if (question.example && shownAt === undefined) shown.set(request, i + 1)
    return { question, number: i + 1, shownAt }
  })
}

const questionParts = ({ question: it, number, shownAt }: NumberedQuestion): string[] => {
  const facts = [
    listItem('We assume', `${escapeMarkdown(it.assumed.description)} ${code(it.assumed.name)}`),
    ...it.others.map(({ name, description }) =>
      listItem('Or is it', `${escapeMarkdown(description)} ${code(name)}`),
    ),
    ...(it.settled ? [listItem('Settled otherwise', formatAnswer(it.settled))] : []),
    listItem('If not', escapeMarkdown(it.consequence)),
    listItem('Based on', escapeMarkdown(it.basis)),
  ]
  return [
    `### ${number}. ${escapeMarkdown(it.question)}`,
    `${code(it.id)} ${formatReliance(it)}`,
    facts.join('\n'),
    ...(it.example ? exampleParts(it.example, shownAt) : []),
  ]
}

const formatReliance = ({ hits, operations }: OpenQuestion): string => {
  const where =
    operations.length === 0 ? 'all operations' : operations.map(nameOperation).join(', ')
  return `${where}; ${plural(hits, 'response')} relied on it`
}

const exampleParts = (
  { at, method, path, request, status, response }: Example,
  shownAt: number | undefined,
): string[] => {
  if (shownAt !== undefined) return [`One of our requests: see question ${shownAt}.`]
  const lines = [
    `${method} ${path}`,
    ...bodyLines(request),
    '',
    status === null ? 'connection cut' : String(status),
    ...bodyLines(response),
  ]
  return [`One of our requests, at ${at}:`, fence('http', lines.join('\n'))]
}

const bodyLines = (body: unknown): string[] => {
  if (body === null || body === undefined) return []
  return [typeof body === 'string' ? body : JSON.stringify(body, null, 2)]
}

const settledItem = ({ id, question, assumed, settled }: SettledQuestion): string => {
  const used = assumed.name === settled.reading ? '' : `; this world uses ${code(assumed.name)}`
  return listItem(code(id), `${escapeMarkdown(question)} ${formatAnswer(settled)}${used}.`)
}

const formatAnswer = ({ reading, said_by, when, link, note }: ConfirmedReading): string => {
  // URL escapes the angle brackets that would end the address here.
  const by =
    link === undefined
      ? escapeMarkdown(said_by)
      : `[${escapeMarkdown(said_by)}](<${new URL(link).href}>)`
  const evidence = note === undefined ? '' : ` (${escapeMarkdown(note)})`
  return `${code(reading)}, says ${by}, ${escapeMarkdown(when)}${evidence}`
}

const code = (text: string): string => `\`${text}\``

/** The fence must be longer than every run of backticks in the text. */
const fence = (language: string, text: string): string => {
  const runs = text.match(/`+/g) ?? []
  const marks = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${marks}${language}\n${text}\n${marks}`
}

/** HTML shows no element that came with a request or an answer. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<>&]/g, (it) => `\\${it}`).replace(/\s+/g, ' ')

/** A template of the answers file, filled with the readings that the sandbox assumes. */
const answersFile = (report: QuestionsReport): string =>
  report.open
    .filter(({ settled }) => settled === null)
    .map(({ id, assumed }) =>
      [
        `${id}:`,
        `  reading: ${quoteNull(assumed.name)}`,
        '  said_by: name of the person',
        `  when: ${report.at.slice(0, 10)}`,
      ].join('\n'),
    )
    .join('\n')

/** YAML reads an unquoted null as no value. */
const quoteNull = (name: string): string => (name === 'null' ? '"null"' : name)
