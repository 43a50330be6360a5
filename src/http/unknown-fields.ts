import type * as z from 'zod'
import type { Readings } from '../assumptions/use.js'
import { badRequest } from './api-error.js'
import { type Fields, listFields } from './schema-fields.js'

/** Makes the check for fields that the contract does not name (wire.strictness). */
export const createUnknownFieldCheck = (schema: z.ZodType) => {
  const known = listFields(schema)
  return (body: unknown, readings: Readings): void => {
    if (!known) return
    const stranger = findUnknownField(body, known, '')
    if (stranger === undefined || readings.use('wire.strictness') !== 'closed') return
    throw badRequest(`${stranger} came; accepted: only the fields that the contract names`)
  }
}

const findUnknownField = (value: unknown, known: Fields, path: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findUnknownField(value[i], known, `${path}${i}.`)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const name in value) {
    const inner = known.get(name)
    if (inner === undefined) {
      if (!known.has(name)) return path + name
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
