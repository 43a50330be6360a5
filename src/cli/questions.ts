import { extname } from 'node:path'
import type { Sandbox } from '../index.js'
import { countsByRisk, type QuestionsReport } from '../questions/report.js'
import { UsageError } from './arguments.js'

/** Where the open questions go, and in which form. */
export interface QuestionsFile {
  readonly file: string
  readonly format: string
}

const FORMATS: Readonly<Record<string, string>> = { '.md': 'md', '.html': 'html', '.json': 'json' }

export const readQuestionsFile = (file: string | undefined): QuestionsFile | undefined => {
  if (file === undefined) return undefined
  const format = FORMATS[extname(file).toLowerCase()]
  if (format !== undefined) return { file, format }
  throw new UsageError(
    `--report: ${JSON.stringify(file)} came; accepted: a file that ends in ${Object.keys(FORMATS).join(', ')}`,
  )
}

/** The open questions of a run, as text for a file. */
export interface Questions {
  readonly file: string
  readonly text: string
  readonly open: QuestionsReport['open']
  readonly settled: QuestionsReport['settled']
}

/** Asks a sandbox which questions its traffic leaves open. */
export const questionsIn = async (
  sandbox: Sandbox,
  { file, format }: QuestionsFile,
): Promise<Questions> => {
  const [json, text] = await Promise.all(['json', format].map((form) => reportIn(sandbox, form)))
  const { open, settled } = JSON.parse(json ?? '') as QuestionsReport
  const written = format === 'json' ? `${JSON.stringify(JSON.parse(json ?? ''), null, 2)}\n` : text
  return { file, text: written ?? '', open, settled }
}

const reportIn = async ({ fetch }: Sandbox, format: string): Promise<string> =>
  (await fetch(`/_sandbox/assumptions/report?format=${format}`)).text()

/** `5 open (2 high, 3 low), 1 settled: questions.md` */
export const questionsLine = ({ file, open, settled }: Questions): string => {
  const counts = open.length === 0 ? '0 open' : `${open.length} open (${countsByRisk(open)})`
  return `${counts}${settled.length > 0 ? `, ${settled.length} settled` : ''}: ${file}`
}
