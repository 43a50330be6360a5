import type * as z from 'zod'
import {
  formatUnknown,
  inWords,
  joinMessages,
  MAX_NAME,
  type Problem,
  toProblem,
} from './app-error.js'
import { getAt } from './json.js'
import { didYouMean } from './suggest.js'
import { truncate } from './text.js'

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
): string => joinMessages(issueProblems(issues, input, write).map(({ message }) => message))

/** Without repetitions: all checks of a field have the same message, and several may fail. */
export const issueProblems = (
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  write: WritePath = dotted,
  show: ShowReceived = (_, value) => value,
): Problem[] => {
  const problems = dropRedundantIssues(issues).flatMap((issue) =>
    toProblems(issue, input, write, show),
  )
  return [...new Map(problems.map((it) => [it.message, it])).values()]
}

/** Drops issues about the length of a value of the wrong type: zod checks both. */
export const dropRedundantIssues = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const strange = new Set(issues.filter(isOfOtherType).map(({ path }) => path.join('.')))
  return issues.filter(({ code, path }) => !isLength(code) || !strange.has(path.join('.')))
}

const isOfOtherType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type'
const isLength = (code: z.core.$ZodIssue['code']): boolean =>
  code === 'too_big' || code === 'too_small'

const toProblems = (
  issue: z.core.$ZodIssue,
  input: unknown,
  write: WritePath,
  show: ShowReceived,
): Problem[] => {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    const allowed = issue.message.startsWith('Unrecognized key') ? undefined : issue.message
    return issue.keys.map((key) => {
      const field = write([...path, key])
      return { field: truncate(field, MAX_NAME), message: formatUnknownField(field, allowed) }
    })
  }
  const field = write(path)
  const received = show(field, receivedBy(issue, getAt(input, path)))
  return [toProblem({ field, received, expected: expectedBy(issue) })]
}

const formatUnknownField = (path: string, allowed: string | undefined): string => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return formatUnknown('field', path, allowed, didYouMean(name, allowed?.split(', ') ?? []))
}

/** Shows the length of an array that is too long or too short, and what a check says in words. */
const receivedBy = (issue: z.core.$ZodIssue, value: unknown): unknown => {
  if (issue.code === 'custom' && issue.params?.received) return inWords(issue.params.received)
  return Array.isArray(value) && value.length > 0 && isLength(issue.code)
    ? inWords(`an array of ${value.length}`)
    : value
}

const expectedBy = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value'
    ? issue.values.map((it) => JSON.stringify(it)).join(', ')
    : expectedText(issue, TYPES)

/** Returns the schema's own message, or the words for its type. */
export const expectedText = (issue: z.core.$ZodIssue, types: typeof TYPES): string =>
  issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')
    ? (types[issue.expected] ?? issue.expected)
    : issue.message
