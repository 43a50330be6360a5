import { redactKeys } from '../redact.js'
import { shortened } from '../world/shortened.js'

/** The part of a body that somebody reads to see what a question is about. */

const LONGEST_TEXT = 120
const MOST_ITEMS = 2
const MOST_FIELDS = 40
const DEEPEST = 8

/** The same value with long texts and lists cut; what was left out is told in its place. */
export const essenceOf = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => essenceOf(item, depth + 1))
    const more = value.length - items.length
    return more > 0 ? [...items, `… and ${more} more`] : items
  }
  const fields = Object.entries(value)
  const kept = fields.slice(0, MOST_FIELDS).map(([name, it]) => [name, essenceOf(it, depth + 1)])
  const more = fields.length - kept.length
  return Object.fromEntries(more > 0 ? [...kept, ['…', `${more} more fields`]] : kept)
}

/** A key that was put into a body by mistake is told by its end, as in paths. */
const cut = (given: string): string => shortened(redactKeys(given), LONGEST_TEXT)
