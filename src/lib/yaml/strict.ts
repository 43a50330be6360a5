import * as z from 'zod'

/** An object without other fields than these; what it accepts is in the message of its issue. */
export const strict = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined,
  })

/** One of these words; an issue names them all. */
export const oneOf = <T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: words.join(', ') })
