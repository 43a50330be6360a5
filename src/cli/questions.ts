import { extname } from 'node:path'
import type { OpenSandbox } from '../app.js'
import { escapeControlChars } from '../lib/text.js'
import { countsByRisk, isIdle, type QuestionsReport } from '../runtime/questions/report.js'
import { assertExtension } from './run/report-file.js'

export interface QuestionsFile {
  readonly file: string
  readonly format: string
}

const FORMATS: Readonly<Record<string, string>> = { '.md': 'md', '.json': 'json' }

export const readQuestionsFile = (file: string | undefined): QuestionsFile | undefined => {
  if (file === undefined) return undefined
  assertExtension('report', file, Object.keys(FORMATS))
  return { file, format: FORMATS[extname(file).toLowerCase()] ?? '' }
}

export interface Questions {
  readonly file: string
  readonly text: string
  readonly report: QuestionsReport
}

export const buildQuestions = async (
  sandbox: OpenSandbox,
  { file, format }: QuestionsFile,
): Promise<Questions> => {
  const report = JSON.parse(await fetchReport(sandbox, 'json')) as QuestionsReport
  const text =
    format === 'json'
      ? `${JSON.stringify(report, null, 2)}\n`
      : escapeControlChars(await fetchReport(sandbox, format))
  return { file, text, report }
}

const fetchReport = async ({ fetch }: OpenSandbox, format: string): Promise<string> =>
  (await fetch(`/_sandbox/assumptions/report?worlds=all&format=${format}`)).text()

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
