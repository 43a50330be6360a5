import * as z from 'zod'
import { describe } from '../explain.js'
import type { Readings } from '../world/readings.js'
import { innermost } from './schema-fields.js'
import { invalid } from './wire-error.js'

/** Makes the check for UUIDs in upper case, and of another version than 4 (uuid.form). */
export const uuidCheck = (schema: z.ZodObject) => {
  const paths = Object.keys(schema.shape).filter(
    (name) => innermost(schema.shape[name] as z.ZodType) instanceof z.ZodGUID,
  )
  return (given: unknown, parsed: unknown, readings: Readings): void => {
    for (const path of paths) {
      const uuid = (parsed as Readonly<Record<string, unknown>>)[path]
      if (typeof uuid !== 'string') continue
      const came = (given as Readonly<Record<string, unknown>>)[path]
      if (came !== uuid && readings.of('uuid.form') === 'lower_case') {
        throw invalid(`${path}: ${describe(came)} came; accepted: a UUID in lower case`)
      }
      if (isVersion4(uuid)) continue
      if (readings.of('uuid.form') !== 'version_4') continue
      throw invalid(`${path}: ${describe(uuid)} came; accepted: a UUID of version 4`)
    }
  }
}

/** Of a UUID in lower case: the digit of its version, and that of its variant. */
const isVersion4 = (uuid: string): boolean =>
  uuid.charAt(14) === '4' && '89ab'.includes(uuid.charAt(19))
