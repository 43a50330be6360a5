import type * as z from 'zod'
import { getAt } from './json-path.js'
import { quote, truncate } from './text.js'

export const MAX_SNIPPET = 40
const MAX_ISSUES = 8

/** Types of zod, in words for those who write JSON. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
}

/** How the path of a field is written. */
type WritePath = (path: readonly PropertyKey[]) => string

const dotted: WritePath = (path) => path.map(String).join('.')

/** Turns what zod found into sentences: the field's path, dotted unless told otherwise, what came, what is accepted. */
export const formatIssues = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string => joinMessages(issueMessages(issues, input, write))

/** The same, each by itself. Several checks of one field may fail, all with its one message. */
export const issueMessages = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string[] => [
  ...new Set(dropRedundantIssues(issues).map((issue) => sentence(issue, input, write))),
]

/** Without the length of what is not even of the right type: zod measures whatever has a length. */
export const dropRedundantIssues = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const strange = new Set(issues.filter(isOfOtherType).map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => !isLength(code) || !strange.has(path.join('.')))
}

const isOfOtherType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type'
const isLength = (code: z.core.$ZodIssue['code']): boolean =>
  code === 'too_big' || code === 'too_small'

/** Sentences as one text; of many, the first, and how many more there are. */
export const joinMessages = (lines: readonly string[]): string => {
  const more = lines.length - MAX_ISSUES
  return lines.slice(0, MAX_ISSUES).join(' | ') + (more > 0 ? ` | and ${more} more` : '')
}

const sentence = (issue: z.core.$ZodIssue, input: unknown, write: WritePath): string => {
  const { path } = issue
  const field = path.length > 0 ? `${write(path)}: ` : ''
  if (issue.code === 'unrecognized_keys') {
    const own = !issue.message.startsWith('Unrecognized key')
    const accepted = own ? issue.message : 'no field of that name'
    return `${field}${unknownKeys(issue.keys)} came; accepted: ${accepted}`
  }
  return `${field}${valueAtPath(issue, getAt(input, path))} came; accepted: ${expectedBy(issue)}`
}

/** Their names come from outside, and may be many and long. */
const unknownKeys = (names: readonly string[]): string => {
  const more = names.length - MAX_ISSUES
  const shown = names.slice(0, MAX_ISSUES).map((name) => truncate(name, MAX_SNIPPET))
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Of a list that is too long or too short its length matters. */
const valueAtPath = ({ code }: z.core.$ZodIssue, value: unknown): string =>
  Array.isArray(value) && value.length > 0 && isLength(code)
    ? `an array of ${value.length}`
    : describeValue(value)

const expectedBy = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value'
    ? issue.values.map((it) => JSON.stringify(it)).join(', ')
    : expectedText(issue, TYPES)

/** What a schema says itself of what it accepts, else the words for the type. */
export const expectedText = (issue: z.core.$ZodIssue, types: typeof TYPES): string =>
  issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')
    ? (types[issue.expected] ?? issue.expected)
    : issue.message

/** What came, short enough for a sentence. */
export const describeValue = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'object') return 'an object'
  // JSON has larger numbers than can be held.
  if (value === Number.POSITIVE_INFINITY) return 'a number beyond 1e308'
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`
  return quote(value, MAX_SNIPPET)
}
