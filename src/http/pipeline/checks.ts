import * as z from 'zod'
import { concerns } from '../../assumptions/register/index.js'
import type { Readings } from '../../assumptions/use.js'
import { isImageField } from '../../contract/fields.js'
import type { Tables } from '../../domain/schema.js'
import { getUser, resolveUser } from '../../domain/users.js'
import { formatUnknown, invalidValue, inWords } from '../../lib/app-error.js'
import { type Fields, innermost, listFields } from '../../lib/schema-fields.js'
import { badRequest } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'

/** Refuses control characters and lone surrogates in a parsed body. */
export const assertTextCharacters = (body: unknown): void => {
  const odd = findOddCharacter(body)
  if (!odd) return
  throw invalidValue(
    odd.path.join('.'),
    inWords(`a text with ${odd.character}`),
    'text without control characters other than tabs and line breaks, and without halves of surrogate pairs',
  )
}

/** With the u flag, a whole surrogate pair is one character. */
const ODD = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u
/** Most texts consist of these, and this test is faster than the search for odd characters. */
const PLAIN = /^[ -~]*$/

interface OddCharacter {
  readonly path: readonly string[]
  readonly character: string
}

/** It goes no deeper than the schema, which has dropped everything else. */
const findOddCharacter = (value: unknown): OddCharacter | undefined => {
  if (typeof value === 'string') {
    const [character] = (PLAIN.test(value) ? null : ODD.exec(value)) ?? []
    return character === undefined ? undefined : { path: [], character: codePoint(character) }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const name in value) {
    // The longest texts. Every reading accepts base64 only.
    if (isImageField(name)) continue
    const inner = (value as Record<string, unknown>)[name]
    const found = findOddCharacter(inner)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return undefined
}

const codePoint = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Creates the check for UUIDs in upper case, or of a version other than 4 (uuid.form). */
export const createUuidCheck = (schema: z.ZodObject) => {
  const paths = Object.keys(schema.shape).filter(
    (name) => innermost(schema.shape[name] as z.ZodType) instanceof z.ZodGUID,
  )
  return (given: unknown, parsed: unknown, readings: Readings): void => {
    for (const path of paths) {
      const uuid = (parsed as Readonly<Record<string, unknown>>)[path]
      if (typeof uuid !== 'string') continue
      const received = (given as Readonly<Record<string, unknown>>)[path]
      if (received !== uuid && readings.use('uuid.form') === 'lower_case') {
        throw invalidValue(path, received, 'a UUID in lower case')
      }
      if (isVersion4(uuid)) continue
      if (readings.use('uuid.form') !== 'version_4') continue
      throw invalidValue(path, uuid, 'a UUID of version 4')
    }
  }
}

/** In a lower-case UUID: the digits of version and variant. */
const isVersion4 = (uuid: string): boolean =>
  uuid.charAt(14) === '4' && '89ab'.includes(uuid.charAt(19))

export const createUnknownFieldSearch = (schema: z.ZodType) => {
  const known = listFields(schema)
  return (body: unknown): UnknownField | undefined => known && findUnknownField(body, known, '')
}

/** Most readings ignore the field (wire.strictness). */
export const assertIgnored = ({ path, name }: UnknownField, readings: Readings): void => {
  if (readings.use('wire.strictness') !== 'closed') return
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

const naming = z.object({ user_id: z.guid().toLowerCase() })

const hasUser = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodObject && 'user_id' in schema.shape

/**
 * Creates the check that rejects a malformed request for its unknown user, where users are looked up first
 * (error.order). Undefined for an operation that names no user.
 */
export const createUserCheck = ({ id, method, params, body }: Operation) => {
  if (!hasUser(params) && !hasUser(body)) return undefined
  const isOpen = concerns('resource.unknown', id)
  return (c: RequestContext, tables: Tables, given: unknown, readings: Readings): void => {
    const named = naming.safeParse(hasUser(body) ? given : c.req.param())
    if (!named.success || tables.users.get(named.data.user_id)) return
    if (readings.use('error.order') !== 'user_first') return
    if (isOpen && method === 'get' && readings.use('resource.unknown') === 'empty') return
    if (isOpen) resolveUser(tables, named.data.user_id, readings.asReader)
    else getUser(tables, named.data.user_id)
  }
}
