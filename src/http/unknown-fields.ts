import type * as z from 'zod'
import type { Readings } from '../world/readings.js'
import { type Fields, fieldsOf } from './schema-fields.js'
import { invalid } from './wire-error.js'

/** Makes the check for fields that the contract does not name (wire.strictness). */
export const fieldCheck = (schema: z.ZodType) => {
  const known = fieldsOf(schema)
  return (body: unknown, readings: Readings): void => {
    if (!known) return
    const stranger = strangerIn(body, known, '')
    if (stranger === undefined || readings.of('wire.strictness') !== 'closed') return
    throw invalid(`${stranger} came; accepted: only the fields that the contract names`)
  }
}

const strangerIn = (value: unknown, known: Fields, path: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = strangerIn(value[i], known, `${path}${i}.`)
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
    const found = strangerIn((value as Record<string, unknown>)[name], inner, `${path}${name}.`)
    if (found !== undefined) return found
  }
  return undefined
}
