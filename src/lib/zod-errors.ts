import type * as z from 'zod'
import { formatError, formatUnknown, inWords } from './app-error.js'
import { getAt } from './json.js'
import { didYouMean } from './suggest.js'

const MAX_ISSUES = 8

/** Names of zod's types for authors of JSON. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
}

type WritePath = (path: readonly PropertyKey[]) => string
export type ShowReceived = (field: string, value: unknown) => unknown

const dotted: WritePath = (path) => path.map(String).join('.')

/** Paths are dotted by default. */
export const formatIssues = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
): string => joinMessages(issueMessages(issues, input, write))

/** Without repetitions: all checks of a field have the same message, and several may fail. */
export const issueMessages = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
  show: ShowReceived = (_, value) => value,
): string[] => [
  ...new Set(dropRedundantIssues(issues).map((issue) => sentence(issue, input, write, show))),
]

/** Drops issues about the length of a value of the wrong type: zod checks both. */
export const dropRedundantIssues = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const strange = new Set(issues.filter(isOfOtherType).map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => !isLength(code) || !strange.has(path.join('.')))
}

const isOfOtherType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type'
const isLength = (code: z.core.$ZodIssue['code']): boolean =>
  code === 'too_big' || code === 'too_small'

/** Counts the messages beyond the limit instead of writing them. */
export const joinMessages = (lines: readonly string[], write = (line: string) => line): string => {
  const more = lines.length - MAX_ISSUES
  const shown = lines.slice(0, MAX_ISSUES).map((line) => write(line))
  return shown.join(' | ') + (more > 0 ? ` | and ${more} more` : '')
}

/** JSON escapes this character, so no message contains it. */
const BREAK = '\0'

/** Splits what `joinMessages` joined. Quoted parts are values of the client and stay whole. */
export const splitMessages = (message: string): string[] =>
  message
    .replace(/"(?:[^"\\]|\\.)*"| \| /g, (found) => (found === ' | ' ? BREAK : found))
    .split(BREAK)

const sentence = (
  issue: z.core.$ZodIssue,
  input: unknown,
  write: WritePath,
  show: ShowReceived,
): string => {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    const allowed = issue.message.startsWith('Unrecognized key') ? undefined : issue.message
    return joinMessages(issue.keys, (key) => formatUnknownField(write([...path, key]), allowed))
  }
  const field = write(path)
  return formatError({
    field,
    received: show(field, receivedBy(issue, getAt(input, path))),
    expected: expectedBy(issue),
  })
}

const formatUnknownField = (path: string, allowed: string | undefined): string => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return formatUnknown('field', path, allowed, didYouMean(name, allowed?.split(', ') ?? []))
}

/** Shows the length of an array that is too long or too short. */
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
