import * as z from 'zod'

/** Rejects unknown fields. The message of the issue lists the known ones. */
export const strict = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined,
  })

/** The message of the issue lists all words. */
export const oneOf = <T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: words.join(', ') })
