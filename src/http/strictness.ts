import * as z from 'zod'
import { describe } from '../explain.js'
import type { Readings } from '../world/readings.js'
import { invalid } from './wire-error.js'

/** What requests are held against where a reading is stricter than the schemas. */

/** The fields that a schema names, each with those inside it; a list stands for its items. */
type Fields = ReadonlyMap<string, Fields | undefined>

/** Makes the check for fields that the contract does not name (body.unknown_fields). */
export const fieldCheck = (schema: z.ZodType) => {
  const known = fieldsOf(schema)
  return (body: unknown, readings: Readings): void => {
    if (!known) return
    const stranger = strangerIn(body, known, '')
    if (stranger === undefined || readings.of('body.unknown_fields') === 'ignored') return
    throw invalid(`${stranger} came; accepted: only the fields that the contract names`)
  }
}

const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innermost(schema.unwrap() as z.ZodType)
    : schema

const fieldsOf = (given: z.ZodType): Fields | undefined => {
  const schema = innermost(given)
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return undefined
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>)
  return new Map(entries.map(([name, field]) => [name, fieldsOf(field)]))
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

/** Makes the check for UUIDs in upper case (uuid.case), and of another version than 4 (uuid.version). */
export const uuidCheck = (schema: z.ZodObject) => {
  const paths = Object.keys(schema.shape).filter(
    (name) => innermost(schema.shape[name] as z.ZodType) instanceof z.ZodGUID,
  )
  return (given: unknown, parsed: unknown, readings: Readings): void => {
    for (const path of paths) {
      const uuid = (parsed as Readonly<Record<string, unknown>>)[path]
      if (typeof uuid !== 'string') continue
      const came = (given as Readonly<Record<string, unknown>>)[path]
      if (came !== uuid && readings.of('uuid.case') === 'lower') {
        throw invalid(`${path}: ${describe(came)} came; accepted: a UUID in lower case`)
      }
      if (isVersion4(uuid)) continue
      if (readings.of('uuid.version') === 'accepted') continue
      throw invalid(`${path}: ${describe(uuid)} came; accepted: a UUID of version 4`)
    }
  }
}

/** Of a UUID in lower case: the digit of its version, and that of its variant. */
const isVersion4 = (uuid: string): boolean =>
  uuid.charAt(14) === '4' && '89ab'.includes(uuid.charAt(19))
