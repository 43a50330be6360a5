import type * as z from 'zod'
import { getAt } from '../json-path.js'
import { didYouMean } from '../suggest.js'
import { truncate } from '../text.js'
import { describeValue, dropRedundantIssues, expectedText, TYPES } from '../zod-errors.js'

/** In words for those who write YAML. */
const YAML_TYPES = { ...TYPES, string: 'text', array: 'a list' }

/** One thing that is wrong with a file: where, and what would be right. */
export interface YamlIssue {
  readonly path: readonly PropertyKey[]
  /** Whether the field itself is the trouble, rather than its value. */
  readonly isKey: boolean
  readonly text: string
}

/** Turns what zod found into complaints: path, what came, what is accepted, the nearest valid word. */
export const formatYamlIssues = (
  issues: readonly z.core.$ZodIssue[],
  data: unknown,
): YamlIssue[] => {
  const all = dropRedundantIssues(issues).flatMap((issue) => complaintsIn(issue, data))
  const told = new Set<string>()
  // Several checks of one field may fail, all with its one message.
  return all.filter(({ text }) => !told.has(text) && told.add(text))
}

const complaintsIn = (issue: z.core.$ZodIssue, data: unknown): YamlIssue[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => strangeKey([...issue.path, key], key, issue.message))
  }
  if (issue.code === 'custom' && issue.params?.isKey) {
    return [strangeKey(issue.path, String(issue.path.at(-1)), issue.message)]
  }
  const value = getAt(data, issue.path)
  const accepted = acceptedBy(issue)
  const near = typeof value === 'string' ? hint(value, accepted) : ''
  const place = issue.path.length > 0 ? `${dotted(issue.path)}: ` : ''
  const text = `${place}${describeValue(value)} came; accepted: ${accepted}${near}`
  return [{ path: issue.path, isKey: false, text }]
}

const strangeKey = (path: readonly PropertyKey[], key: string, accepted: string): YamlIssue => ({
  path,
  isKey: true,
  text: `${dotted(path)}: no such field; accepted: ${accepted}${hint(key, accepted)}`,
})

/** Longer than any path of fields that stands for a key of its own. */
const LONGEST_KEY = 200

const dotted = (path: readonly PropertyKey[]): string =>
  path.map((key) => truncate(String(key), LONGEST_KEY)).join('.')

const hint = (given: string, accepted: string): string => {
  // Examples are no words to choose from.
  if (accepted.includes('such as ')) return ''
  const words = accepted.split(/, |: | or /).filter((word) => /^[\w.-]{3,}$/.test(word))
  return didYouMean(given, words)
}

const acceptedBy = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const isPlain = issue.code === 'invalid_value' && issue.message.startsWith('Invalid input')
  return isPlain ? issue.values.map(String).join(', ') : expectedText(issue, YAML_TYPES)
}
