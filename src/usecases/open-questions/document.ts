import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { RISKS, type Risk } from '../../assumptions/register/assumption.js'
import { plural } from '../../lib/text.js'
import { LEFT_OUT } from './left-out.js'
import {
  countsByRisk,
  type Example,
  isIdle,
  nameOperation,
  type OpenQuestion,
  type Question,
  type QuestionsReport,
} from './report.js'

export type Inline =
  | string
  | { readonly code: string }
  | { readonly link: string; readonly href: string }

export interface Term {
  readonly term: Inline
  readonly text: readonly Inline[]
}

/** A part of the report, independent of HTML and Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[]; readonly isFaint?: true }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'question'
      readonly id: string
      readonly risk: Risk
      readonly title: string
      readonly blocks: readonly Block[]
    }
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly (readonly string[])[])[]
    }

export const TITLE = 'Open questions of our integration'

export const RISK_TITLES: Readonly<Record<Risk, string>> = {
  high: 'High: money may move twice or be lost',
  medium: 'Medium: our client may take the wrong branch',
  low: 'Low: only a format differs, or the service accepts more',
}

const NO_REQUEST =
  'The sandbox has logged no request, so this report cannot list the open questions of our integration. ' +
  'Send requests to the sandbox and write the report again.'

/** The sections below the questions. */
export const SECTIONS = {
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

/** The whole report: every question with its readings and an example. */
export const buildFullReport = (report: QuestionsReport): Block[] => {
  const { settled, unexercised, left_out } = report
  const questions = numberQuestions(report)
  const answers = answersFile(report)
  return [
    faint(formatHeadline(report)),
    paragraph(introduction(report)),
    ...RISKS.flatMap((risk) => {
      const those = questions.filter(({ question }) => question.risk === risk)
      return those.length === 0 ? [] : [heading(RISK_TITLES[risk]), ...those.map(toQuestionBlock)]
    }),
    ...section(
      SECTIONS.unexercised,
      unexercised.map(({ id, message, consequence }) => ({
        term: { code: id },
        text: [`${message} If not, ${consequence}.`],
      })),
    ),
    ...section(
      SECTIONS.leftOut,
      left_out.map(({ topic, question }) => ({ term: topic, text: [question] })),
    ),
    ...section(
      SECTIONS.settled,
      settled.map(({ id, question, assumed, settled: answer }) => ({
        term: { code: id },
        text: [
          `${question} `,
          ...formatAnswer(answer),
          ...(assumed.name === answer.reading
            ? ['.']
            : ['; this world uses ', { code: assumed.name }, '.']),
        ],
      })),
    ),
    ...(answers === ''
      ? []
      : [
          heading(SECTIONS.answers.title),
          paragraph(SECTIONS.answers.text),
          { kind: 'code', language: 'yaml', text: answers } as const,
        ]),
  ]
}

/** The brief report fits on one screen. */
const MAX_BRIEF_QUESTIONS = 10

/** One screen: the highest risks, exercised or not, with a box to tick for each reading. */
export const buildBriefReport = (report: QuestionsReport): Block[] => {
  const { open, unexercised } = report
  const high = open.filter(({ risk }) => risk === 'high')
  const rest = open.filter(({ risk }) => risk !== 'high')
  const rows = [...high, ...unexercised, ...rest].map(toBriefRow)
  const more = rows.length - MAX_BRIEF_QUESTIONS
  const topics = LEFT_OUT.map(({ topic }) => topic.toLowerCase()).join(', ')
  return [
    faint(formatHeadline(report)),
    ...(rows.length === 0
      ? [paragraph(introduction(report))]
      : [
          paragraph('Please tick the right reading of each question.'),
          {
            kind: 'table',
            columns: BRIEF_COLUMNS,
            rows: rows.slice(0, MAX_BRIEF_QUESTIONS),
          } as const,
        ]),
    ...(more > 0 ? [faint(`The full report has ${more} more.`)] : []),
    faint(`${SECTIONS.leftOut.title}: ${topics}.`),
  ]
}

const BRIEF_COLUMNS = ['Risk', 'Question', 'Our guess', 'Or is it', 'If our guess is wrong']

const toBriefRow = ({
  risk,
  hits,
  question,
  assumed,
  others,
  consequence,
}: Question): string[][] => [
  [hits === 0 ? `${risk}, not exercised` : risk],
  [question],
  [`☐ ${assumed.description}`],
  others.map(({ description }) => `☐ ${description}`),
  [consequence],
]

const heading = (text: string): Block => ({ kind: 'heading', text })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text: [text] })
const faint = (text: string): Block => ({ kind: 'paragraph', text: [text], isFaint: true })

const section = (
  { title, text }: { readonly title: string; readonly text: string | undefined },
  terms: readonly Term[],
): Block[] =>
  terms.length === 0
    ? []
    : [heading(title), ...(text === undefined ? [] : [paragraph(text)]), { kind: 'terms', terms }]

export const introduction = (report: QuestionsReport): string =>
  isIdle(report)
    ? NO_REQUEST
    : report.open.length === 0
      ? 'No response to our requests relied on an open question.'
      : 'Some responses to our requests relied on points that the interface specification leaves open. ' +
        'Each question below names the assumption of the sandbox. Please confirm the right reading of each.'

const formatHeadline = (report: QuestionsReport): string =>
  isIdle(report) ? 'No requests yet.' : `${formatCounts(report)}. ${formatRequests(report)}.`

/** `1 request, up to 2026-01-31T09:30:00.000Z` */
const formatRequests = ({ requests, at }: QuestionsReport): string =>
  `${plural(requests, 'request')}, up to ${at}`

/** `7 open: 3 high, 4 low; 2 high-risk questions had no request` */
export const formatCounts = (report: QuestionsReport): string => {
  const { open, unexercised } = report
  if (isIdle(report)) return 'no requests'
  const counts = open.length === 0 ? 'none open' : `${open.length} open: ${countsByRisk(open)}`
  if (unexercised.length === 0) return counts
  return `${counts}; ${plural(unexercised.length, 'high-risk question')} had no request`
}

/** `shownAt` is the number of an earlier question with the same example. */
export interface NumberedQuestion {
  readonly question: OpenQuestion
  readonly number: number
  readonly shownAt: number | undefined
}

export const numberQuestions = ({ open }: QuestionsReport): NumberedQuestion[] => {
  const shown = new Map<string, number>()
  return open.map((question, i) => {
    const request = question.example?.request_id ?? ''
    const shownAt = shown.get(request)
    if (question.example && shownAt === undefined) shown.set(request, i + 1)
    return { question, number: i + 1, shownAt }
  })
}

const toQuestionBlock = ({ question: it, number, shownAt }: NumberedQuestion): Block => {
  const terms: Term[] = [
    { term: 'We assume', text: [`${it.assumed.description} `, { code: it.assumed.name }] },
    ...it.others.map(({ name, description }) => ({
      term: 'Or is it',
      text: [`${description} `, { code: name }],
    })),
    ...(it.settled ? [{ term: 'Settled otherwise', text: formatAnswer(it.settled) }] : []),
    { term: 'If not', text: [it.consequence] },
    { term: 'Based on', text: [it.basis] },
  ]
  const example: Block[] = it.example
    ? [
        faint(exampleTitle(it.example, shownAt)),
        ...(shownAt === undefined
          ? [{ kind: 'code', language: 'http', text: formatExample(it.example) } as const]
          : []),
      ]
    : []
  return {
    kind: 'question',
    id: it.id,
    risk: it.risk,
    title: `${number}. ${it.question}`,
    blocks: [
      { kind: 'paragraph', text: [{ code: it.id }, ` ${formatReliance(it)}`], isFaint: true },
      { kind: 'terms', terms },
      ...example,
    ],
  }
}

export const formatReliance = ({ hits, operations }: OpenQuestion): string => {
  const where =
    operations.length === 0 ? 'all operations' : operations.map(nameOperation).join(', ')
  return `${where}; ${plural(hits, 'response')} relied on it`
}

const exampleTitle = ({ at }: Example, shownAt: number | undefined): string =>
  shownAt === undefined
    ? `One of our requests, at ${at}:`
    : `One of our requests: see question ${shownAt}.`

const formatExample = ({ method, path, request, status, response }: Example): string =>
  [
    `${method} ${path}`,
    ...bodyLines(request),
    '',
    status === null ? 'connection cut' : String(status),
    ...bodyLines(response),
  ].join('\n')

const bodyLines = (body: unknown): string[] => {
  if (body === null || body === undefined) return []
  return [typeof body === 'string' ? body : JSON.stringify(body, null, 2)]
}

const formatAnswer = ({ reading, said_by, when, link }: ConfirmedReading): Inline[] => [
  { code: reading },
  ', says ',
  link === undefined ? said_by : { link: said_by, href: link },
  `, ${when}`,
]

/** A template of the answers file, filled with the readings that the sandbox assumes. */
export const answersFile = (report: QuestionsReport): string =>
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
