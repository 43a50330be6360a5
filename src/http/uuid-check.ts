import * as z from 'zod'
import type { Readings } from '../assumptions/use.js'
import { describeValue } from '../lib/zod-errors.js'
import { badRequest } from './api-error.js'
import { innermost } from './schema-fields.js'

/** Makes the check for UUIDs in upper case, and of another version than 4 (uuid.form). */
export const createUuidCheck = (schema: z.ZodObject) => {
  const paths = Object.keys(schema.shape).filter(
    (name) => innermost(schema.shape[name] as z.ZodType) instanceof z.ZodGUID,
  )
  return (given: unknown, parsed: unknown, readings: Readings): void => {
    for (const path of paths) {
      const uuid = (parsed as Readonly<Record<string, unknown>>)[path]
      if (typeof uuid !== 'string') continue
      const came = (given as Readonly<Record<string, unknown>>)[path]
      if (came !== uuid && readings.use('uuid.form') === 'lower_case') {
        throw badRequest(`${path}: ${describeValue(came)} came; accepted: a UUID in lower case`)
      }
      if (isVersion4(uuid)) continue
      if (readings.use('uuid.form') !== 'version_4') continue
      throw badRequest(`${path}: ${describeValue(uuid)} came; accepted: a UUID of version 4`)
    }
  }
}

/** Of a UUID in lower case: the digit of its version, and that of its variant. */
const isVersion4 = (uuid: string): boolean =>
  uuid.charAt(14) === '4' && '89ab'.includes(uuid.charAt(19))
