import type * as z from 'zod'
import { formatError, formatUnknown, inWords } from './app-error.js'
import { getAt } from './json-path.js'
import { didYouMean } from './suggest.js'

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

/** Formats what zod found as one text. Paths are dotted by default. */
export const formatIssues = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string => joinMessages(issueMessages(issues, input, write))

/** The messages one by one. Several checks of one field may fail, all with its one message. */
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
  if (issue.code === 'unrecognized_keys') {
    const allowed = issue.message.startsWith('Unrecognized key') ? undefined : issue.message
    return joinMessages(issue.keys.map((key) => formatUnknownField(write([...path, key]), allowed)))
  }
  return formatError({
    field: write(path),
    received: receivedBy(issue, getAt(input, path)),
    expected: expectedBy(issue),
  })
}

/** An unknown field, with the nearest of those that are allowed. */
const formatUnknownField = (path: string, allowed: string | undefined): string => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return formatUnknown('field', path, allowed, didYouMean(name, allowed?.split(', ') ?? []))
}

/** Of a list that is too long or too short its length matters. */
const receivedBy = ({ code }: z.core.$ZodIssue, value: unknown): unknown =>
  Array.isArray(value) && value.length > 0 && isLength(code)
    ? inWords(`an array of ${value.length}`)
    : value

const expectedBy = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value'
    ? issue.values.map((it) => JSON.stringify(it)).join(', ')
    : expectedText(issue, TYPES)

/** Returns the schema's own message, or the words for its type. */
export const expectedText = (issue: z.core.$ZodIssue, types: typeof TYPES): string =>
  issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')
    ? (types[issue.expected] ?? issue.expected)
    : issue.message
