import { extname } from 'node:path'
import type { OpenSandbox } from '../app.js'
import { inWords } from '../lib/app-error.js'
import { escapeControlChars } from '../lib/text.js'
import { countsByRisk, isIdle, type QuestionsReport } from '../runtime/questions/report.js'
import { UsageError } from './arguments.js'
import { assertExtension } from './run/report-file.js'

export interface QuestionsFile {
  readonly file: string
  readonly format: string
  /** At most one screen. */
  readonly isBrief: boolean
}

const FORMATS: Readonly<Record<string, string>> = { '.md': 'md', '.html': 'html', '.json': 'json' }

export const readQuestionsFile = (
  file: string | undefined,
  isBrief: boolean,
): QuestionsFile | undefined => {
  if (file === undefined) {
    if (isBrief)
      throw new UsageError({
        field: '--brief',
        received: inWords('no --report'),
        expected: '--report <file>',
      })
    return undefined
  }
  assertExtension('report', file, Object.keys(FORMATS))
  const format = FORMATS[extname(file).toLowerCase()] ?? ''
  if (isBrief && format === 'json') {
    throw new UsageError({
      field: '--brief',
      received: inWords(`--report ${file}`),
      expected: 'a file in .md or .html',
    })
  }
  return { file, format, isBrief }
}

export interface Questions {
  readonly file: string
  readonly text: string
  readonly report: QuestionsReport
}

export const buildQuestions = async (
  sandbox: OpenSandbox,
  { file, format, isBrief }: QuestionsFile,
): Promise<Questions> => {
  const report = JSON.parse(await fetchReport(sandbox, 'format=json')) as QuestionsReport
  if (format === 'json') return { file, text: `${JSON.stringify(report, null, 2)}\n`, report }
  const query = `format=${format}${isBrief ? '&brief=true' : ''}`
  return { file, text: escapeControlChars(await fetchReport(sandbox, query)), report }
}

const fetchReport = async ({ fetch }: OpenSandbox, query: string): Promise<string> =>
  (await fetch(`/_sandbox/assumptions/report?worlds=all&${query}`)).text()

/** `5 open (2 high, 3 low), 1 settled, 4 high not exercised: questions.md` */
export const formatQuestions = ({ file, report }: Questions): string => {
  if (isIdle(report)) return `no requests received: ${file}`
  const { open, settled, unexercised } = report
  const parts = [
    open.length === 0 ? '0 open' : `${open.length} open (${countsByRisk(open)})`,
    ...(settled.length > 0 ? [`${settled.length} settled`] : []),
    ...(unexercised.length > 0 ? [`${unexercised.length} high not exercised`] : []),
  ]
  return `${parts.join(', ')}: ${file}`
}
