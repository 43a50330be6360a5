import type * as z from 'zod'
import type { Readings } from '../world/readings.js'
import { type Fields, fieldsOf } from './schema-fields.js'

/**
 * Makes what drops blanks around the texts of a body, where they are read so (body.blanks). A text of
 * nothing but blanks stays as it is: it is refused in every reading.
 */
export const trimmer = (schema: z.ZodType) => {
  const known = fieldsOf(schema)
  return (body: unknown, readings: Readings): unknown =>
    known && hasOuterBlanks(body, known) && readings.of('body.blanks') === 'trimmed'
      ? trimmed(body, known)
      : body
}

// Bodies come here before anything has looked at their shape, so both go no deeper than the schema does.

const hasOuterBlanks = (value: unknown, known: Fields | undefined): boolean => {
  // A text without such blanks is trimmed to itself, which costs no copy.
  if (typeof value === 'string') return trimmedText(value) !== value
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    return value.some((item) => !Array.isArray(item) && hasOuterBlanks(item, known))
  }
  for (const name in value) {
    if (!known?.has(name)) continue
    const inner = (value as Record<string, unknown>)[name]
    if (hasOuterBlanks(inner, known.get(name))) return true
  }
  return false
}

const trimmed = (value: unknown, known: Fields | undefined): unknown => {
  if (typeof value === 'string') return trimmedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item) => (Array.isArray(item) ? item : trimmed(item, known)))
  }
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    known?.has(name) ? trimmed(inner, known.get(name)) : inner,
  ])
  return Object.fromEntries(fields)
}

/** Values of a path without the blanks around them, where they are read so (path.blanks). */
export const trimmedParams = (
  given: Readonly<Record<string, string>>,
  readings: Readings,
): Readonly<Record<string, string>> => {
  if (!haveBlanks(given) || readings.of('path.blanks') === 'kept') return given
  const values = Object.entries(given)
  return Object.fromEntries(values.map(([name, value]) => [name, trimmedText(value)]))
}

const haveBlanks = (given: Readonly<Record<string, string>>): boolean => {
  for (const name in given) {
    const value = given[name] ?? ''
    if (trimmedText(value) !== value) return true
  }
  return false
}

const trimmedText = (text: string): string => text.trim() || text
