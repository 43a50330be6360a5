import * as z from 'zod'

/** The fields of a schema, each with its inner fields. A list counts as its items. */
export type Fields = ReadonlyMap<string, Fields | undefined>

/** Undefined for a schema without objects. */
export const listFields = (given: z.ZodType): Fields | undefined => {
  const schema = innermost(given)
  if (schema instanceof z.ZodArray) return listFields(schema.element as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return undefined
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>)
  return new Map(entries.map(([name, field]) => [name, listFields(field)]))
}

/** Unwraps the schema of an optional field. */
export const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault
    ? innermost(schema.unwrap() as z.ZodType)
    : schema
