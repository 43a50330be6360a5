import { formatError, formatInvalid, formatUnknown, inWords } from '../../src/lib/app-error.js'

/**
 * Parts of error messages, in the words of the product's own formatter. They end without the full stop, so
 * that a test may give the beginning of what is expected.
 */

export { inWords }

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** `Invalid amount: got "x". Expected an amount` */
export const invalid = (
  field: string,
  received: unknown,
  expected?: string,
  hint?: string,
): string => withoutStop(formatError({ field, received, ...(expected && { expected }), hint }))

export const missing = (field: string, expected?: string): string =>
  invalid(field, undefined, expected)

/** The end of a message about a field: `got "x". Expected an amount` */
export const got = (received: unknown, expected?: string, hint?: string): string =>
  invalid('field', received, expected, hint).replace('Invalid field: ', '')

export const expected = (form: string): string =>
  withoutStop(formatInvalid('field', null, form)).replace(/^.*?\. /, '')

export const unknown = (kind: string, name: string, allowed?: string, hint?: string): string =>
  withoutStop(formatUnknown(kind, name, allowed, hint))

export const unknownField = (path: string, allowed?: string, hint?: string): string =>
  unknown('field', path, allowed, hint)

/** The hint that names the nearest word. */
export const didYouMean = (word: string): string => `Did you mean "${word}"?`

/** A message without its first words, for a test that gives only the end of a path. */
export const partOf = (message: string): string =>
  message.replace(/^(?:Invalid |Missing |Unknown field ")/, '')

/** A received value by the words that show it; `nothing` for a missing one. */
export const shown = (words: string): unknown => (words === 'nothing' ? undefined : inWords(words))
