import type * as z from 'zod'
import {
  type ErrorDetails,
  formatError,
  formatUnknown,
  MAX_NAME,
  type Problem,
} from '../app-error.js'
import { getAt } from '../json.js'
import { didYouMean } from '../suggest.js'
import { truncate } from '../text.js'
import { dropRedundantIssues, expectedText, TYPES } from '../zod-errors.js'

/** Authors of YAML write lists and text, not arrays and strings. */
const YAML_TYPES = { ...TYPES, string: 'text', array: 'a list' }

export interface YamlIssue {
  readonly path: readonly PropertyKey[]
  /** True if the field itself is wrong, not its value. */
  readonly isKey: boolean
  /** Empty if the issue is only counted. */
  readonly text: string
  /** Without them the field itself is wrong. */
  readonly details?: ErrorDetails
}

/** Limit of named unknown fields: the search for the nearest word takes time. */
const MAX_UNKNOWN = 20

/** `root` is the path of the data in its file. */
export const formatYamlIssues = (
  issues: readonly z.core.$ZodIssue[],
  data: unknown,
  root: readonly PropertyKey[] = [],
): YamlIssue[] => {
  const all = dropRedundantIssues(issues).flatMap(splitKeys)
  const unnamed = all.filter(isUnknownKey).slice(MAX_UNKNOWN)
  const isUnnamed = new Set(unnamed)
  const told = new Set<string>()
  const lines = all
    .filter((issue) => !isUnnamed.has(issue))
    .map((issue) => toYamlIssue(issue, data, root))
    // All checks of a field have the same message, and several may fail.
    .filter(({ text }) => !told.has(text) && told.add(text))
  return [...lines, ...unnamed.map(({ path }) => ({ path, isKey: true, text: '' }))]
}

/** The same for an error with a list of problems. */
export const yamlProblems = (issues: readonly z.core.$ZodIssue[], data: unknown): Problem[] =>
  formatYamlIssues(issues, data).map(({ path, text, details }) => ({
    field: dotted(path),
    ...details,
    message: text,
  }))

const splitKeys = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        code: 'custom',
        path: [...issue.path, key],
        message: issue.message,
        params: { isKey: true },
      }))
    : [issue]

const isUnknownKey = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.isKey === true

const toYamlIssue = (
  issue: z.core.$ZodIssue,
  data: unknown,
  root: readonly PropertyKey[],
): YamlIssue => {
  const path = [...root, ...issue.path]
  if (isUnknownKey(issue)) return unknownKey(path, String(path.at(-1)), issue.message)
  const received = getAt(data, issue.path)
  const expected = expectedBy(issue)
  const hint = typeof received === 'string' ? nearestWord(received, expected) : undefined
  const details = { field: dotted(path), received, expected, hint }
  return { path, isKey: false, text: formatError(details), details }
}

const unknownKey = (path: readonly PropertyKey[], key: string, allowed: string): YamlIssue => ({
  path,
  isKey: true,
  text: formatUnknown(
    'field',
    dotted(path),
    allowed,
    nestedHint(key, allowed) ?? nearestWord(key, allowed),
  ),
})

/** For `response.status` beside the field `response`. */
const nestedHint = (key: string, allowed: string): string | undefined => {
  const [outer = '', ...inner] = key.split('.')
  if (inner.length === 0 || !allowed.split(', ').includes(outer)) return undefined
  return `Write ${outer}: { ${inner.join('.')}: … }.`
}

const dotted = (path: readonly PropertyKey[]): string =>
  path.map((key) => truncate(String(key), MAX_NAME)).join('.')

const nearestWord = (given: string, expected: string): string | undefined => {
  // The text lists examples, not allowed words.
  if (expected.includes('such as ')) return undefined
  const words = expected.split(/, |: | or /).filter((word) => /^[\w.-]{3,}$/.test(word))
  return didYouMean(given, words)
}

const expectedBy = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const isPlain = issue.code === 'invalid_value' && issue.message.startsWith('Invalid input')
  return isPlain ? issue.values.map(String).join(', ') : expectedText(issue, YAML_TYPES)
}
