import * as z from 'zod'
import type { ReadingLookup } from '../assumptions/ids.js'
import { formatInvalid } from '../lib/app-error.js'
import {
  accepting,
  anyInstant,
  anyMediaUri,
  anyText,
  date,
  email,
  imageUri,
  instant,
  mediaUri,
  text,
} from './fields.js'
import type { SchemaVariants } from './schema-variants.js'
import { anyMetadata, consentRequest, metadata, userRequest } from './user.js'

const OPTIONAL_TEXTS = new Set(['line2', 'region', 'document_back', 'metadata'])

/** Required under every reading. Documents may be absent, but not a part of one. */
const ALWAYS_REQUIRED = new Set(['first_name', 'last_name', 'email_address', 'documents'])

const FREE = ['user_type', 'sharing_consent', 'consent_id', 'date_of_birth']

const GROUPS = ['identity', 'address', 'documents']

/** Whether the value at a path is an object of fields, for which no text is accepted. */
const isGroup = (path: readonly PropertyKey[]): boolean =>
  typeof path.at(-1) === 'number' || GROUPS.includes(String(path.at(-1)))

const isOptional = (path: readonly PropertyKey[], read: ReadingLookup): boolean =>
  OPTIONAL_TEXTS.has(String(path.at(-1))) ||
  (read('user.required') === 'minimal' && !ALWAYS_REQUIRED.has(String(path[0])))

export const userVariants: SchemaVariants = {
  assumptionFor: ({ path }, value, read) => {
    const [first = '', second] = path.map(String)
    if (path.length === 0) return undefined
    if (value === undefined || value === null) {
      return first === 'documents' && path.length > 1 ? undefined : 'user.required'
    }
    if (first === 'documents' && path.length === 1 && Array.isArray(value)) {
      return 'size.limits'
    }
    if (typeof value !== 'string' || isGroup(path)) return undefined
    if (first === 'metadata' && value === '') return ['user.absent', 'user.formats']
    if (value === '' && isOptional(path, read)) return 'user.absent'
    return FREE.includes(second ?? first) ? undefined : 'user.formats'
  },
  ids: ['user.required', 'user.absent', 'user.formats', 'size.limits'],
  schema: (read) => {
    const schema = lenient(read)
    const required = read('user.required')
    if (required === 'minimal') return minimal(schema, createAbsentSchema(read))
    return required === 'passport_front' ? passportFront(schema) : schema
  },
  extraCheck: (parsed, read) => {
    const path = nullIn(parsed)
    if (path === undefined || read('user.absent') !== 'left_out') return undefined
    return formatInvalid(path, null, 'a value, or no such field')
  },
}

/** The path of the first null. Null in an optional field never gets here. */
const nullIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name]
    if (inner === null) return name
    const found = nullIn(inner)
    if (found !== undefined) return `${name}.${found}`
  }
  return undefined
}

const lenient = (read: ReadingLookup) => {
  const isStrict = read('user.formats') === 'strict'
  const word = isStrict ? text : anyText
  const { phone_number, identity, address } = userRequest.shape
  const [image, media] = isStrict ? [imageUri, mediaUri] : [anyMediaUri, anyMediaUri]
  const documents = userRequest.shape.documents.unwrap().unwrap()
  const absent = createAbsentSchema(read)
  const land = isStrict ? address.shape.country : anyText()
  return userRequest.extend({
    first_name: word(),
    last_name: word(),
    email_address: isStrict ? email() : anyText(),
    phone_number: isStrict ? phone_number : anyText(),
    date_of_birth: date(),
    identity: identity.extend({
      identity_country_code: land,
      identity_number: word(),
      identity_document_name: word(),
      identity_document_front: image(),
      identity_document_back: image(),
    }),
    address: address.extend({
      line1: word(),
      line2: absent(word().nullish()),
      city: word(),
      sub_division: word(),
      region: absent(word().nullish()),
      country: land,
      postal_code: word(),
    }),
    metadata: absent((isStrict ? metadata() : anyMetadata()).nullish()),
    documents: z
      .array(
        documents.element.extend({
          name: word(),
          type: word(),
          issuing_country: land,
          document_number: word(),
          document_front: media(),
          document_back: absent(media().nullish()),
        }),
      )
      .max(read('size.limits') === 'none' ? Number.MAX_SAFE_INTEGER : 20, 'at most 20 documents')
      .nullish(),
  })
}

const unchanged = <S extends z.ZodType>(schema: S) => schema

const emptyAsNull = <S extends z.ZodType>(schema: S) =>
  accepting(
    orEmpty(schema),
    z.preprocess((given) => (given === '' ? null : given), schema),
  )

/** Accepts empty text inside a nullable or optional schema, so that the field stays optional. */
const orEmpty = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional) return orEmpty(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable) return orEmpty(schema.unwrap() as z.ZodType).nullable()
  return z.union([schema, z.literal('')])
}

const createAbsentSchema = (read: ReadingLookup) =>
  read('user.absent') === 'empty' ? emptyAsNull : unchanged

const PASSPORT = /passport/i

/** A passport has no back. */
const passportFront = (schema: ReturnType<typeof lenient>) => {
  const { identity } = schema.shape
  const back = identity.shape.identity_document_back
  return schema.extend({
    identity: identity
      .extend({ identity_document_back: back.nullish() })
      .refine(
        (it) =>
          (it.identity_document_back ?? null) !== null || PASSPORT.test(it.identity_document_name),
        {
          path: ['identity_document_back'],
          error: 'a base64 image as data URI, but for a passport',
        },
      ),
  })
}

/**
 * Only names and email are required; other fields may be absent or have the value for absent
 * (user.absent).
 */
const minimal = (
  schema: ReturnType<typeof lenient>,
  absent: ReturnType<typeof createAbsentSchema>,
) => {
  const { first_name, last_name, email_address, ...rest } = schema.shape
  const loose = (shape: Readonly<Record<string, z.ZodType>>) =>
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [name, absent(field.nullish())]),
    )
  const identity = z.object(loose(rest.identity.shape))
  const address = z.object(loose(rest.address.shape))
  return z.object({
    first_name,
    last_name,
    email_address,
    ...loose({ ...rest, identity, address }),
  })
}

export const consentVariants: SchemaVariants = {
  assumptionFor: ({ path }, value) => {
    if (path.at(-1) !== 'accepted_at') return undefined
    if (value === undefined) return 'required.fields'
    return anyInstant().safeParse(value).success ? 'consent.time' : undefined
  },
  ids: ['required.fields', 'consent.time'],
  schema: (read) => {
    const { tnc_data } = consentRequest.shape
    const at = read('consent.time') === 'any_iso' ? anyInstant() : instant()
    const accepted_at = read('required.fields') === 'all' ? at : at.optional()
    return consentRequest.extend({ tnc_data: tnc_data.extend({ accepted_at }) })
  },
}
