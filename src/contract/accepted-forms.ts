import type * as z from 'zod'

const forms = new WeakMap<z.ZodType, z.ZodType>()

/** Marks a schema that normalizes its value: the documents describe `form`, which is what it accepts. */
export const accepting = <S extends z.ZodType>(form: z.ZodType, schema: S): S => {
  forms.set(schema, form)
  return schema
}

export const acceptedForm = (schema: z.ZodType): z.ZodType | undefined => forms.get(schema)
