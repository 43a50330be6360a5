import { isImageField } from '../contract/fields.js'
import { badRequest } from './api-error.js'

/** Refuses control characters and halves of surrogate pairs in what a schema has made of a body. */
export const assertTextCharacters = (body: unknown): void => {
  const odd = findOddCharacter(body)
  if (!odd) return
  throw badRequest(
    `${odd.path.join('.')}: a text with ${odd.character} came; accepted: text without control characters ` +
      'other than tabs and line breaks, and without halves of surrogate pairs',
  )
}

/** Pairs that are whole are one character to it, and none of these. */
const ODD = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u
/** Most texts are of nothing else, which is seen sooner than what is odd. */
const PLAIN = /^[ -~]*$/

interface OddCharacter {
  readonly path: readonly string[]
  readonly character: string
}

/** It goes no deeper than the schema does, which has dropped all else. */
const findOddCharacter = (value: unknown): OddCharacter | undefined => {
  if (typeof value === 'string') {
    const [character] = (PLAIN.test(value) ? null : ODD.exec(value)) ?? []
    return character === undefined ? undefined : { path: [], character: codePoint(character) }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const name in value) {
    // The longest texts, of which nothing but base64 is taken in any reading.
    if (isImageField(name)) continue
    const inner = (value as Record<string, unknown>)[name]
    const found = findOddCharacter(inner)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return undefined
}

const codePoint = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
