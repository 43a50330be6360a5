import type * as z from 'zod'
import type { Readings } from '../../assumptions/use.js'
import { formatUnknown, inWords, type Problem, toProblem } from '../../lib/app-error.js'
import { type Fields, listFields } from '../../lib/schema-fields.js'
import { badRequest } from '../operation/api-error.js'

/** Names, labels and filters with U+0000, which no database stores. */
export const findZeros = (...parts: readonly unknown[]): Problem[] =>
  parts
    .flatMap((part) => Object.entries(Object(part)))
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([field]) =>
      toProblem({ field, received: inWords('a text with U+0000'), expected: 'text without it' }),
    )

export const createUnknownFieldSearch = (schema: z.ZodType) => {
  const known = listFields(schema)
  return (body: unknown): UnknownField | undefined => known && findUnknownField(body, known, '')
}

/** Most readings ignore the field (wire.strictness). */
export const assertIgnored = ({ path, name }: UnknownField, readings: Readings): void => {
  if (readings.wire.strictness !== 'closed') return
  throw badRequest(formatUnknown('field', path + name, 'the fields that the contract names'))
}

interface UnknownField {
  /** Path of its object, with a dot at the end. */
  readonly path: string
  readonly name: string
  /** Fields of its object. */
  readonly allowed: Fields
}

const findUnknownField = (
  value: unknown,
  known: Fields,
  path: string,
): UnknownField | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      // No schema has a list of lists, and an invalid body may nest them deep.
      if (Array.isArray(value[i])) continue
      const found = findUnknownField(value[i], known, `${path}${i}.`)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const name in value) {
    const inner = known.get(name)
    if (inner === undefined) {
      if (!known.has(name)) return { path, name, allowed: known }
      continue
    }
    const found = findUnknownField(
      (value as Record<string, unknown>)[name],
      inner,
      `${path}${name}.`,
    )
    if (found !== undefined) return found
  }
  return undefined
}
