import { truncate } from '../../lib/text.js'
import { redactKeys } from '../../request-log/redact.js'

const MAX_TEXT = 120
const MAX_ITEMS = 2
const MAX_FIELDS = 40
const MAX_DEPTH = 8

/** Cuts long texts and lists; a placeholder counts the omitted parts. */
export const summarize = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => summarize(item, depth + 1))
    const more = value.length - items.length
    return more > 0 ? [...items, `… and ${more} more`] : items
  }
  const fields = Object.entries(value)
  const kept = fields.slice(0, MAX_FIELDS).map(([name, it]) => [name, summarize(it, depth + 1)])
  const more = fields.length - kept.length
  return Object.fromEntries(more > 0 ? [...kept, ['…', `${more} more fields`]] : kept)
}

/** A client may send a key in a body by mistake, so keys are redacted. */
const cut = (given: string): string => truncate(redactKeys(given), MAX_TEXT)
