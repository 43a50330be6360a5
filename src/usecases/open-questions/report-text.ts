import type { Risk } from '../../assumptions/register/risks.js'
import {
  countsByRisk,
  type Example,
  inWords,
  isIdle,
  type OpenQuestion,
  type QuestionsReport,
} from './report.js'

/** The sentences that all forms of the report share. */

export const TITLE = 'Open questions of our integration'

export const RISK_TITLES: Readonly<Record<Risk, string>> = {
  high: 'High: money may move twice or be lost',
  medium: 'Medium: our client may take the wrong branch',
  low: 'Low: only the shape of something differs, or the service takes more',
}

const NO_REQUEST =
  'No request came, so this report cannot say which questions our integration leaves open. ' +
  'Send requests to the sandbox, and write the report again.'

export const introduction = (report: QuestionsReport): string =>
  isIdle(report)
    ? NO_REQUEST
    : report.open.length === 0
      ? 'Nothing that our requests relied on is open: all of it is documented, or settled.'
      : 'The interface specification leaves open what some of the answers to our requests relied on. ' +
        'Each question below tells what the sandbox assumed in place of an answer. Please tell us for each ' +
        'which reading is right.'

/** `1 request, up to 2026-01-31T09:30:00.000Z` */
export const requestsInWords = ({ requests, at }: QuestionsReport): string =>
  `${requests} ${requests === 1 ? 'request' : 'requests'}, up to ${at}`

/** `7 open: 3 high, 4 low`, with what the requests never met. */
export const countsInWords = (report: QuestionsReport): string => {
  const { open, unexercised } = report
  if (isIdle(report)) return 'no request came'
  const counts = open.length === 0 ? 'none open' : `${open.length} open: ${countsByRisk(open)}`
  return unexercised.length === 0 ? counts : `${counts}; ${unexercised.length} high not exercised`
}

export const UNEXERCISED_TITLE = 'High, but not exercised'
export const UNEXERCISED =
  'Our requests called these operations, but never met the case. Tests of it are missing, or it cannot happen to us.'
export const LEFT_OUT_TITLE = 'What the contract leaves out'
export const LEFT_OUT_WORDS =
  'The sandbox has no readings of these, so no run of a client can answer them. They are the same in every report.'
export const SETTLED_TITLE = 'Settled'
export const ANSWERS_TITLE = 'When answers come'
export const ANSWERS =
  'Write them into a file, and start the sandbox with --readings and that file. They are no longer ' +
  'counted as open then.'

/** Those that nobody has answered. */
const unanswered = ({ open }: QuestionsReport): OpenQuestion[] =>
  open.filter(({ settled }) => settled === null)

/** A file of answers to start from: what the sandbox assumes, for somebody to confirm. */
export const answersFile = (report: QuestionsReport): string =>
  unanswered(report)
    .map(({ id, assumed }) =>
      [
        `${id}:`,
        `  reading: ${quotedName(assumed.name)}`,
        '  said_by: whoever said so',
        `  when: ${report.at.slice(0, 10)}`,
      ].join('\n'),
    )
    .join('\n')

/** Without quotes YAML takes the reading that is named null for nothing. */
const quotedName = (name: string): string => (name === 'null' ? '"null"' : name)

export const relyingWords = ({ hits, operations }: OpenQuestion): string => {
  const where = operations.length === 0 ? 'all operations' : operations.map(inWords).join(', ')
  return `${where}; relied on by ${hits} ${hits === 1 ? 'answer' : 'answers'}`
}

/** A question with its number, and the number of the question that has shown its example already. */
export interface Numbered {
  readonly question: OpenQuestion
  readonly number: number
  readonly shownAt: number | undefined
}

/** The questions in order, numbered. One request may show several of them: it is printed once. */
export const numbered = ({ open }: QuestionsReport): Numbered[] => {
  const shown = new Map<string, number>()
  return open.map((question, i) => {
    const request = question.example?.request_id ?? ''
    const shownAt = shown.get(request)
    if (question.example && shownAt === undefined) shown.set(request, i + 1)
    return { question, number: i + 1, shownAt }
  })
}

export const exampleTitle = ({ at }: Example, shownAt: number | undefined): string =>
  shownAt === undefined
    ? `One of our requests, at ${at}:`
    : `One of our requests: that of question ${shownAt}.`

/** The request and its answer, as text. */
export const exchangeText = ({ method, path, request, status, response }: Example): string =>
  [
    `${method} ${path}`,
    ...bodyLines(request),
    '',
    status === null ? 'the connection was cut' : String(status),
    ...bodyLines(response),
  ].join('\n')

const bodyLines = (body: unknown): string[] => {
  if (body === null || body === undefined) return []
  return [typeof body === 'string' ? body : JSON.stringify(body, null, 2)]
}
