import type * as z from 'zod'
import { formatInvalid, formatUnknown, MAX_NAME } from '../app-error.js'
import { getAt } from '../json-path.js'
import { didYouMean } from '../suggest.js'
import { truncate } from '../text.js'
import { dropRedundantIssues, expectedText, TYPES } from '../zod-errors.js'

/** Authors of YAML write lists and text, not arrays and strings. */
const YAML_TYPES = { ...TYPES, string: 'text', array: 'a list' }

export interface YamlIssue {
  readonly path: readonly PropertyKey[]
  /** True if the field itself is wrong, not its value. */
  readonly isKey: boolean
  readonly text: string
}

/** `root` is the path of the data in its file. */
export const formatYamlIssues = (
  issues: readonly z.core.$ZodIssue[],
  data: unknown,
  root: readonly PropertyKey[] = [],
): YamlIssue[] => {
  const all = dropRedundantIssues(issues).flatMap((issue) => toYamlIssues(issue, data, root))
  const told = new Set<string>()
  // All checks of a field have the same message, and several may fail.
  return all.filter(({ text }) => !told.has(text) && told.add(text))
}

const toYamlIssues = (
  issue: z.core.$ZodIssue,
  data: unknown,
  root: readonly PropertyKey[],
): YamlIssue[] => {
  const path = [...root, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey([...path, key], key, issue.message))
  }
  if (issue.code === 'custom' && issue.params?.isKey) {
    return [unknownKey(path, String(path.at(-1)), issue.message)]
  }
  const received = getAt(data, issue.path)
  const expected = expectedBy(issue)
  const hint = typeof received === 'string' ? nearestWord(received, expected) : undefined
  return [{ path, isKey: false, text: formatInvalid(dotted(path), received, expected, hint) }]
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
