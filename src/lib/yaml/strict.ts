import * as z from 'zod'

/** Rejects unknown fields. The message of the issue lists the known ones. */
export const strict = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined,
  })

export const TEXT = 'text of 1 to 255 characters'
export const shortText = z.string(TEXT).min(1, TEXT).max(255, TEXT)

/** The message of the issue lists all words. */
export const oneOf = <T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: words.join(', ') })
