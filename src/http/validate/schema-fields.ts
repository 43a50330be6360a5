import * as z from 'zod'

/** The fields that a schema names, each with those inside it; a list stands for its items. */
export type Fields = ReadonlyMap<string, Fields | undefined>

/** Undefined where a schema holds no objects. */
export const listFields = (given: z.ZodType): Fields | undefined => {
  const schema = innermost(given)
  if (schema instanceof z.ZodArray) return listFields(schema.element as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return undefined
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>)
  return new Map(entries.map(([name, field]) => [name, listFields(field)]))
}

/** What a field holds when it is there: the schema without what lets it be left out. */
export const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault
    ? innermost(schema.unwrap() as z.ZodType)
    : schema
