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

export const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault
    ? innermost(schema.unwrap() as z.ZodType)
    : schema

/** Validates the lengths of an object's lists before their items: a schema alone does it afterwards. */
export const withLengthsFirst = <S extends z.ZodObject>(schema: S): Pick<S, 'safeParse'> => {
  const lists = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([name, field]) => {
      const list = innermost(field)
      if (!(list instanceof z.ZodArray)) return []
      return [[name, new z.ZodArray({ ...list.def, element: z.unknown() }).nullish()]]
    },
  )
  if (lists.length === 0) return schema
  const lengths: z.ZodType = z.looseObject(Object.fromEntries(lists))
  return {
    safeParse: (input) => {
      const result = lengths.safeParse(input) as ReturnType<S['safeParse']>
      const isTooLong = result.error?.issues.some(({ code }) => code === 'too_big')
      return isTooLong ? result : schema.safeParse(input)
    },
  }
}
