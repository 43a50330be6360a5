import * as z from 'zod'

/** Rejects unknown fields: a misspelt one would have no effect. The message of the issue lists the known ones. */
export const strict = <S extends z.ZodRawShape>(shape: S) => {
  const known = Object.keys(shape).join(', ') || 'no fields'
  const error = ({ code }: { readonly code?: string }) =>
    code === 'unrecognized_keys' ? known : undefined
  return z.strictObject(shape, { error })
}

/** For JSON Schema, which has no checks: an object has exactly one of these fields. */
export const exactlyOne = (names: readonly string[]) => ({
  oneOf: names.map((name) => ({ required: [name] })),
})

export const wholeNumber = (min: number, max: number) => {
  const form = `a whole number from ${min} to ${max}`
  return z.int(form).min(min, form).max(max, form)
}

export const TEXT = 'text of 1 to 255 characters'
export const shortText = z.string(TEXT).min(1, TEXT).max(255, TEXT)

/** The message of the issue lists all words. */
export const oneOf = <const T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: words.join(', ') })
