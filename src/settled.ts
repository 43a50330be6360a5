import * as z from 'zod'
import { describe } from './explain.js'
import { readText } from './file-error.js'
import { assertAssumption, assertReading, ReadingError } from './readings.js'
import type { AssumptionId } from './world/reading-names.js'
import { type Complaint, complaintsOf } from './yaml/complain.js'
import { complaintLines, readYaml } from './yaml/read.js'
import { strict } from './yaml/strict.js'

/** What somebody who knows has said about an assumption. */
export interface Settlement {
  readonly reading: string
  readonly said_by: string
  readonly when: string
  readonly link?: string | undefined
  readonly note?: string | undefined
}

/** The questions that a team has had answered. */
export type Settled = ReadonlyMap<AssumptionId, Settlement>

/** A file of answers that cannot be used: the message names file, line, column, path and what is accepted. */
export class SettledError extends Error {
  /** For Node, which shows the class of an error by this; a bundle shortens it. */
  static override readonly name = 'SettledError'
  override readonly name = 'SettledError'
}

const LONGEST_FILE = 1_000_000
const LONGEST_TEXT = 2_000
const MOST_COMPLAINTS = 5

const text = (what: string) => {
  const accepted = `${what}, up to ${LONGEST_TEXT} characters`
  return z.string(accepted).regex(/\S/, accepted).max(LONGEST_TEXT, accepted)
}
const WHEN = 'a date such as 2026-05-04, or a date-time'
const LINK = 'an address that begins with http:// or https://'

/** Some readings are named `null`, which is no text in YAML unless it stands in quotes. */
const READING = ({ input }: { input?: unknown }): string =>
  input === null ? 'the name of a reading; the one named null in quotes' : 'the name of a reading'

const fields = {
  reading: z.string({ error: READING }),
  said_by: text('who said so'),
  when: z.union([z.iso.date(), z.iso.datetime({ offset: true })], WHEN),
  link: z
    .url({ protocol: /^https?$/, error: LINK })
    .max(LONGEST_TEXT, LINK)
    .optional(),
  note: text('a note').optional(),
}
const inMap = strict(fields)
const inList = strict({ id: z.string('the id of an assumption'), ...fields })

const FORMS =
  'answers by id, such as payout.repeat: { reading, said_by, when, link, note }, or a list of them, each with its id'

/** Reads a file of answers, and holds it against the register. Throws a FileError or a SettledError. */
export const readSettled = (path: string): Settled => {
  const hint = path.includes('=') ? '; a single reading is chosen with --reading' : ''
  return parseSettled(readText(path, `a file of answers in YAML or JSON${hint}`), path)
}

export const parseSettled = (text: string, file: string): Settled => {
  const yaml = readYaml(text, file, LONGEST_FILE, (message) => new SettledError(message))
  const { settled, complaints } = held(yaml.data)
  if (complaints.length === 0) return settled
  throw new SettledError(complaintLines(yaml, complaints, MOST_COMPLAINTS))
}

interface Held {
  readonly settled: Map<AssumptionId, Settlement>
  readonly complaints: Complaint[]
}

const held = (data: unknown): Held => {
  const held: Held = { settled: new Map(), complaints: [] }
  if (Array.isArray(data)) {
    data.forEach((item, place) => {
      const { id, ...settlement } = Object(item) as { id?: unknown } & Settlement
      const complaints =
        unknownId(id, [place, 'id'], false) ?? schemaComplaints(inList, item, [place])
      if (complaints.length > 0) held.complaints.push(...complaints)
      else take(held, String(id), settlement, [place], [place, 'id'], false)
    })
  } else if (typeof data === 'object' && data !== null) {
    for (const [id, item] of Object.entries(data)) {
      const complaints = unknownId(id, [id], true) ?? schemaComplaints(inMap, item, [id])
      if (complaints.length > 0) held.complaints.push(...complaints)
      else take(held, id, item as Settlement, [id], [id], true)
    }
  } else {
    const came = data === null ? 'nothing' : describe(data)
    held.complaints.push({ path: [], isKey: false, text: `${came} came; accepted: ${FORMS}` })
  }
  return held
}

/** What is no id at all is for the schema to tell. Under an unknown one nothing else is worth telling. */
const unknownId = (
  id: unknown,
  path: readonly (string | number)[],
  isKey: boolean,
): Complaint[] | undefined => {
  const refused =
    typeof id === 'string' ? complaint(path, isKey, () => assertAssumption(id)) : undefined
  return refused && [refused]
}

/** Complaints about one answer, with the path to it in front. */
const schemaComplaints = (
  schema: z.ZodType,
  item: unknown,
  path: readonly (string | number)[],
): Complaint[] => {
  const result = schema.safeParse(item)
  if (result.success) return []
  return complaintsOf(result.error.issues, item).map((it) => ({
    path: [...path, ...it.path],
    isKey: it.isKey,
    text: `${path.join('.')}${it.path.length > 0 ? '.' : ': '}${it.text}`,
  }))
}

/** Takes an answer in when the register knows its reading. */
const take = (
  { settled, complaints }: Held,
  id: string,
  settlement: Settlement,
  path: readonly (string | number)[],
  idPath: readonly (string | number)[],
  isKey: boolean,
): void => {
  const place = [...path, 'reading']
  const misread = complaint(place, false, () =>
    assertReading(id, settlement.reading, place.join('.')),
  )
  if (misread) complaints.push(misread)
  else if (settled.has(id as AssumptionId)) {
    complaints.push({ path: idPath, isKey, text: `${idPath.join('.')}: ${id} is there twice` })
  } else settled.set(id as AssumptionId, settlement)
}

const complaint = (
  path: readonly (string | number)[],
  isKey: boolean,
  check: () => void,
): Complaint | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ReadingError) return { path, isKey, text: error.message }
    throw error
  }
}
