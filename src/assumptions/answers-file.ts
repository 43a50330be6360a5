import * as z from 'zod'
import { INSTANT_HELP, instantText } from '../kernel/time.js'
import { errorClass, formatError, formatInvalid } from '../lib/app-error.js'
import { readText } from '../lib/read-file.js'
import { formatYamlIssues, type YamlIssue } from '../lib/yaml/issues.js'
import { issueLines, readYaml } from '../lib/yaml/read.js'
import { strict } from '../lib/yaml/strict.js'
import type { AssumptionId } from './ids.js'
import { assertAssumption, assertReading, ReadingError } from './parse.js'

export interface ConfirmedReading {
  readonly reading: string
  readonly said_by: string
  readonly when: string
  readonly link?: string | undefined
  readonly note?: string | undefined
}

export type ConfirmedReadings = ReadonlyMap<AssumptionId, ConfirmedReading>

/** An invalid file of answers. The message names file, line, column, path and the accepted values. */
export const AnswersFileError = errorClass('AnswersFileError', 'answers')
export type AnswersFileError = InstanceType<typeof AnswersFileError>

const MAX_FILE = 1_000_000
const MAX_TEXT = 2_000
const MAX_ISSUES = 5

const text = (what: string) => {
  const accepted = `${what}, up to ${MAX_TEXT} characters`
  return z.string(accepted).regex(/\S/, accepted).max(MAX_TEXT, accepted)
}
const WHEN = `a date such as 2026-05-04, or ${INSTANT_HELP}`
const LINK = 'an address that begins with http:// or https://'

/** Some readings are named `null`, which YAML reads as text only in quotes. */
const READING = ({ input }: { input?: unknown }): string =>
  input === null ? 'the name of a reading; the one named null in quotes' : 'the name of a reading'

const fields = {
  reading: z.string({ error: READING }),
  said_by: text('the person who said so'),
  when: z.union([z.iso.date(), instantText()], WHEN),
  link: z
    .url({ protocol: /^https?$/, error: LINK })
    .max(MAX_TEXT, LINK)
    .optional(),
  note: text('a note').optional(),
}
const inMap = strict(fields)
const inList = strict({ id: z.string('the id of an assumption'), ...fields })

const FORMS =
  'answers by id, such as payout.repeat: { reading, said_by, when, link, note }, or a list of them, each with its id'

/** Validates the answers against the register. Throws a FileError or an AnswersFileError. */
export const readAnswersFile = (path: string): ConfirmedReadings => {
  const hint = path.includes('=') ? '. Choose a single reading with --reading' : ''
  return parseAnswersFile(readText(path, `a file of answers in YAML or JSON${hint}`), path)
}

export const parseAnswersFile = (text: string, file: string): ConfirmedReadings => {
  const yaml = readYaml(text, file, MAX_FILE, (message) => new AnswersFileError(message))
  const { settled: confirmed, problems } = parseAnswers(yaml.data)
  if (problems.length === 0) return confirmed
  throw new AnswersFileError(issueLines(yaml, problems, MAX_ISSUES))
}

type Path = readonly (string | number)[]

interface RawAnswer {
  readonly id: unknown
  readonly answer: unknown
  readonly schema: z.ZodType
  readonly path: Path
  /** Path of the id: a field of a list item, or the key itself. */
  readonly idPath: Path
  readonly isKey: boolean
}

const parseAnswers = (
  data: unknown,
): { settled: ConfirmedReadings; problems: readonly YamlIssue[] } => {
  const settled = new Map<AssumptionId, ConfirmedReading>()
  const given = answersIn(data)
  if (!given) {
    const text = formatInvalid('value', data, FORMS)
    return { settled, problems: [{ path: [], isKey: false, text }] }
  }
  const problems = given.flatMap((one) => {
    const wrong = validateAnswer(one, settled)
    if (wrong.length === 0) settled.set(one.id as AssumptionId, toConfirmedReading(one))
    return wrong
  })
  return { settled, problems }
}

/** The answers of a file in either form; undefined for any other content. */
const answersIn = (data: unknown): RawAnswer[] | undefined => {
  if (typeof data !== 'object' || data === null) return undefined
  if (Array.isArray(data)) {
    return data.map((answer, place) => {
      const { id } = Object(answer) as { id?: unknown }
      const [path, idPath] = [[place], [place, 'id']]
      return { id, answer, schema: inList, path, idPath, isKey: false }
    })
  }
  return Object.entries(data).map(([id, answer]) => {
    return { id, answer, schema: inMap, path: [id], idPath: [id], isKey: true }
  })
}

const toConfirmedReading = ({ answer }: RawAnswer): ConfirmedReading => {
  const { id: _, ...settlement } = answer as ConfirmedReading & { id?: unknown }
  return settlement
}

/** Checks the id first, then the shape, then the reading. */
const validateAnswer = (given: RawAnswer, confirmed: ConfirmedReadings): YamlIssue[] => {
  const { id, answer, path, idPath, isKey } = given
  // The schema reports an id that is not text.
  const strange = typeof id === 'string' && refusal(idPath, isKey, () => assertAssumption(id))
  if (strange) return [strange]
  const misshapen = schemaProblems(given)
  if (misshapen.length > 0) return misshapen
  const known = id as AssumptionId
  const { reading } = answer as ConfirmedReading
  const place = [...path, 'reading']
  const misread = refusal(place, false, () => assertReading(known, reading, place.join('.')))
  if (misread) return [misread]
  if (!confirmed.has(known)) return []
  return [
    {
      path: idPath,
      isKey,
      text: formatError({
        field: idPath.join('.'),
        problem: `${known} appears twice`,
        expected: 'once',
      }),
    },
  ]
}

const schemaProblems = ({ schema, answer, path }: RawAnswer): YamlIssue[] => {
  const result = schema.safeParse(answer)
  if (result.success) return []
  return formatYamlIssues(result.error.issues, answer, path)
}

const refusal = (path: Path, isKey: boolean, check: () => void): YamlIssue | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ReadingError) return { path, isKey, text: error.message }
    throw error
  }
}
