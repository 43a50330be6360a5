import * as z from 'zod'
import { defaultReading, type ReadingLookup } from '../../assumptions/ids.js'
import { acceptedForm } from '../../contract/fields.js'
import type { SchemaVariants } from '../../contract/schema-variants.js'
import { CONTRACT } from './document-notes.js'
import type { Operation } from './operation.js'

export const describeBody = (
  { body, bodyVariants }: Operation,
  read: ReadingLookup,
): z.ZodType | undefined => body && schemaAs(body, bodyVariants, read)

export const describeQuery = (
  { query, queryIf, queryVariants }: Operation,
  read: ReadingLookup,
): z.ZodObject | undefined =>
  query && (queryIf?.(read) ?? true)
    ? (schemaAs(query, queryVariants, read) as z.ZodObject)
    : undefined

const schemaAs = (
  schema: z.ZodType,
  variants: SchemaVariants | undefined,
  read: ReadingLookup,
): z.ZodType =>
  variants?.ids.some((id) => read(id) !== defaultReading(id))
    ? described(variants.schema(read), schema)
    : schema

/**
 * A schema with the descriptions of another: schemas of other readings have none of their own. The pattern
 * is its own, and it describes the form that is accepted, not the normalized one.
 */
const described = (schema: z.ZodType, source: z.ZodType | undefined): z.ZodType => {
  const own = withoutPreparation(schema)
  const meta = { ...withoutOwn(source?.meta(), own), ...own.meta() }
  const full = described1(own, unwrap(source))
  return Object.keys(meta).length > 0 ? full.meta(meta) : full
}

/** The metadata without the parts that belong to the default schema. */
const withoutOwn = (meta: z.GlobalMeta = {}, schema: z.ZodType): z.GlobalMeta => {
  const { pattern: _, [CONTRACT]: __, id, ...rest } = meta
  // A union is no component: the object among its options is.
  return id === undefined || unwrap(schema) instanceof z.ZodUnion ? rest : { id, ...rest }
}

const described1 = (schema: z.ZodType, source: z.ZodType | undefined): z.ZodType => {
  if (schema instanceof z.ZodOptional) return described1(inside(schema), source).optional()
  if (schema instanceof z.ZodNullable) return described1(inside(schema), source).nullable()
  if (schema instanceof z.ZodArray) {
    const element = source instanceof z.ZodArray ? (source.element as z.ZodType) : undefined
    const items = described(schema.element as z.ZodType, element)
    return new z.ZodArray({ ...schema.def, element: items }) as unknown as z.ZodType
  }
  if (schema instanceof z.ZodUnion) {
    return z.union(schema.options.map((it) => described1(it as z.ZodType, source)))
  }
  if (!(schema instanceof z.ZodObject)) return schema
  const shape = source instanceof z.ZodObject ? source.shape : {}
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const object = z.object(
    Object.fromEntries(
      fields.map(([name, field]) => [name, described(field, shape[name] as z.ZodType | undefined)]),
    ),
  )
  const meta = source?.meta()
  return meta ? object.meta(meta) : object
}

const inside = (schema: z.ZodOptional | z.ZodNullable): z.ZodType =>
  withoutPreparation(schema.unwrap() as z.ZodType)

const withoutPreparation = (schema: z.ZodType): z.ZodType => {
  const accepted = acceptedForm(schema)
  if (accepted) return accepted
  return schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform
    ? withoutPreparation(schema.out as z.ZodType)
    : schema
}

/** Unwraps a schema that may be null or missing. */
const unwrap = (schema: z.ZodType | undefined): z.ZodType | undefined =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
