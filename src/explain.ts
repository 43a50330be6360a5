import type * as z from 'zod'
import { valueAt } from './values.js'
import { inQuotes, shortened } from './world/shortened.js'

export const LONGEST_SNIPPET = 40
const MOST_ISSUES = 8

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
export const explain = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string => joined(faultsIn(issues, input, write))

/** The same, each by itself. Several checks of one field may fail, all with its one message. */
export const faultsIn = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string[] => [...new Set(tellingOf(issues).map((issue) => sentence(issue, input, write)))]

/** Without the length of what is not even of the right type: zod measures whatever has a length. */
export const tellingOf = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const strange = new Set(issues.filter(isOfOtherType).map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => !isLength(code) || !strange.has(path.join('.')))
}

const isOfOtherType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type'
const isLength = (code: z.core.$ZodIssue['code']): boolean =>
  code === 'too_big' || code === 'too_small'

/** Sentences as one text; of many, the first, and how many more there are. */
export const joined = (lines: readonly string[]): string => {
  const more = lines.length - MOST_ISSUES
  return lines.slice(0, MOST_ISSUES).join(' | ') + (more > 0 ? ` | and ${more} more` : '')
}

const sentence = (issue: z.core.$ZodIssue, input: unknown, write: WritePath): string => {
  const { path } = issue
  const field = path.length > 0 ? `${write(path)}: ` : ''
  if (issue.code === 'unrecognized_keys') {
    const own = !issue.message.startsWith('Unrecognized key')
    const accepted = own ? issue.message : 'no field of that name'
    return `${field}${strangers(issue.keys)} came; accepted: ${accepted}`
  }
  return `${field}${cameAt(issue, valueAt(input, path))} came; accepted: ${acceptedBy(issue)}`
}

/** Their names come from outside, and may be many and long. */
const strangers = (names: readonly string[]): string => {
  const more = names.length - MOST_ISSUES
  const shown = names.slice(0, MOST_ISSUES).map((name) => shortened(name, LONGEST_SNIPPET))
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Of a list that is too long or too short its length matters. */
const cameAt = ({ code }: z.core.$ZodIssue, value: unknown): string =>
  Array.isArray(value) && value.length > 0 && isLength(code)
    ? `an array of ${value.length}`
    : describe(value)

const acceptedBy = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value'
    ? issue.values.map((it) => JSON.stringify(it)).join(', ')
    : worded(issue, TYPES)

/** What a schema says itself of what it accepts, else the words for the type. */
export const worded = (issue: z.core.$ZodIssue, types: typeof TYPES): string =>
  issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')
    ? (types[issue.expected] ?? issue.expected)
    : issue.message

/** What came, short enough for a sentence. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'object') return 'an object'
  // JSON has larger numbers than can be held.
  if (value === Number.POSITIVE_INFINITY) return 'a number beyond 1e308'
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`
  return inQuotes(value, LONGEST_SNIPPET)
}
